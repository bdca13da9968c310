//! Functions over lists: by hand, and random ones.

use super::{Figures, compare, lists, pairs};

const NODE: &str = "struct node { int v; struct node *next; };\n";
/// The link comes first, and there are more parts behind it.
const WIDE: &str = "struct node { struct node *next; short w; struct { unsigned char c[2]; } in; long long v; };\n";

#[test]
fn walks_by_hand() {
    let mut figures = Figures::default();
    let all = lists(4, &[3]);
    for body in [
        "int f(struct node *l) { int n = 0, s = 0; for (struct node *p = l; p; p = p->next) n++;
         while (l) { if (l->v == 2) s++; l = l->next; } if (s > n) reach_error(); return s; }",
        "int f(struct node *l) { while (l) l = l->next; return l->v; }",
        "int f(struct node *l) { while (l->next) l = l->next; if (l->v == 2) reach_error(); return 0; }",
        "int f(struct node *l) { struct node *p = 0; while (l) { p = l; l = l->next; }
         if (p && p->v == 1) reach_error(); return p ? p->v : 0; }",
        "int f(struct node *l) { struct node *p = l; while (p) { p->v = 4; p = p->next; }
         while (l) { if (l->v != 4) reach_error(); l = l->next; } return 0; }",
        "int f(struct node *l) { int *p = 0; while (l) { if (l->v == 2) p = &l->v; l = l->next; } if (p) { *p = 7; if (*p != 7) reach_error(); } return 0; }",
        "int f(struct node *l) { if (l && l->next && l->next->next == l) reach_error(); if (l && l == l->next) reach_error(); return 0; }",
        "int f(struct node *l) { struct node *s = l, *q = l; while (q && q->next) { s = s->next; q = q->next->next; if (s == q) reach_error(); } return 0; }",
        "int f(struct node *l) { int c = 0; for (struct node *p = l; p; p = p->next) for (struct node *q = p->next; q; q = q->next) if (p->v == q->v) c++;
         if (c == 6) reach_error(); return c; }",
    ] {
        compare(&format!("{NODE}{body}"), &all, &mut figures);
    }
    assert!(figures.proved >= 6 && figures.found >= 8, "{figures:?}");
}

#[test]
fn nodes_with_several_parts() {
    let mut figures = Figures::default();
    let all = lists(2, &[2, 2, 2, 3]);
    for body in [
        "int f(struct node *l) { int c = 0; while (l) { if (l->w == 1 && l->in.c[1] == 1 && l->v == 2) c++; l = l->next; } if (c == 2) reach_error(); return c; }",
        "int f(struct node *l) { int c = 0; while (l) { l->in.c[0] = 5; if (l->in.c[1] == 5) c++; l = l->next; } if (c == 2) reach_error(); return c; }",
        "int f(struct node *l) { if (!l) return 0; unsigned char *p = l->in.c; p[1] = 9; if (l->in.c[1] != 9 || &p[1] != &l->in.c[1]) reach_error(); return *p; }",
        "int f(struct node *l) { while (l && l->w < 1) l = l->next; return l->v; }",
    ] {
        compare(&format!("{WIDE}{body}"), &all, &mut figures);
    }
    assert!(figures.proved >= 1 && figures.found >= 6, "{figures:?}");
}

#[test]
fn two_lists() {
    let mut figures = Figures::default();
    let all = pairs(&lists(3, &[2]), &lists(3, &[2]));
    for body in [
        "int f(struct node *a, struct node *b) { while (a && b) { if (a->v != b->v) return 0; a = a->next; b = b->next; } if (a == b) reach_error(); return 1; }",
        "int f(struct node *a, struct node *b) { if (a && a == b) reach_error(); return 0; }",
        "int f(struct node *a, struct node *b) { while (a) { b->v = a->v; a = a->next; b = b->next; } return 0; }",
    ] {
        compare(&format!("{NODE}{body}"), &all, &mut figures);
    }
    assert!(figures.proved >= 3 && figures.found >= 4, "{figures:?}");
}

/// Random numbers, the same ones every time.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % most
    }

    fn one_of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len() as u64) as usize]
    }
}

/// What an iteration does.
fn statement(random: &mut Random) -> String {
    let (op, x, y) = (random.one_of(&["==", "!=", "<", ">"]), random.below(3), random.below(3));
    match random.below(8) {
        0 => format!("if (p->v {op} {x}) s++;"),
        1 => "s += p->v;".to_owned(),
        2 => format!("if (p->v {op} {x}) break;"),
        3 => format!("if (p->v {op} {x}) p->v = {y};"),
        4 => "if (p->v > s) s = p->v;".to_owned(),
        5 => format!("s = s + {y}; p->v = s;"),
        6 => format!("if (p->next && p->next->v {op} p->v) s++;"),
        _ => format!("if (p->v {op} {x} && p != l) {{ t = p->v; }}"),
    }
}

fn function(random: &mut Random) -> String {
    let mut body = String::from("int f(struct node *l) {\n  int s = 0, t = 0; struct node *p;\n");
    for _ in 0..=random.below(2) {
        body += "  for (p = l; p; p = p->next) {";
        for _ in 0..=random.below(2) {
            body = body + " " + &statement(random);
        }
        body += " }\n";
    }
    let (op, x) = (random.one_of(&["==", ">", "<"]), random.below(4));
    let end = match random.below(4) {
        0 => format!("if (s {op} {x}) reach_error();"),
        1 => format!("if (t {op} {x} && l) reach_error();"),
        2 => format!("if (p && s {op} {x}) reach_error();"),
        _ => format!("if (s {op} {x}) return p->v;"),
    };
    body + "  " + &end + "\n  return s;\n}\n"
}

#[test]
fn random_functions() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let mut figures = Figures::default();
    let all = lists(4, &[3]);
    for _ in 0..8 {
        let text = format!("{NODE}{}", function(&mut random));
        compare(&text, &all, &mut figures);
    }
    assert!(figures.proved >= 8 && figures.found >= 4, "{figures:?}");
}
