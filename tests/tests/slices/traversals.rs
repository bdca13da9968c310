//! Loops that walk along lists and texts: found in C and microc, with as many iterations as there are
//! elements.

use crate::read;
use loupe_engine::concrete::profile::Profile;
use loupe_engine::concrete::{End, Interpreter, Options};
use loupe_ir::analysis::slice::Slicer;
use loupe_ir::analysis::traversals::traversals;
use loupe_ir::program::Program;

const C: &str = r#"
#include <stddef.h>
struct link { struct node *next; };
struct node { int v; struct node *next; struct link other; };
static char buffer[20] = "buffer";
static int with_for(struct node *p) { int s = 0; for (; p != NULL; p = p->next) s += p->v; return s; }
static int with_while(struct node *p) { int n = 0; while (p) { n++; p = p->next; } return n; }
static int at_the_end(struct node *p) { int n = 0; do { n++; p = p->next; } while (p); return n; }
static int nested_field(struct node *p) { int n = 0; while (!(p == NULL)) { n++; p = p->other.next; } return n; }
static int star(char *s) { char *p = s; while (*p != '\0') p++; return p - s; }
static int star_plus(char *s) { int n = 0; while (*s++) n++; return n; }
static int plus_star(char *s) { int n = 0; while (*++s) n++; return n; }
static int index(char *s) { int i; for (i = 0; s[i] != 0; i++) ; return i; }
static int named(void) { unsigned i = 0; while (buffer[i]) i++; return i; }
static int twice(struct node *p) { int n = 0; while (p) { n++; p = p->next; if (p) p = p->next; } return n; }
static int marked(char *s) { int n = 0; while (*s != 'n') { s++; n++; } return n; }
int main(void) {
    struct node nodes[5];
    for (int i = 0; i < 5; i++) {
        nodes[i].v = i;
        nodes[i].next = nodes[i].other.next = i < 4 ? &nodes[i + 1] : NULL;
    }
    with_for(nodes); with_while(nodes); at_the_end(nodes); nested_field(nodes);
    star("seven n"); star_plus("seven n"); plus_star("seven n"); index("seven n"); named();
    twice(nodes); marked("seven n");
    return 0;
}
"#;

/// Functions with the measure of their loop, if it is a traversal, and its iterations in the run.
const EXPECTED: &[(&str, Option<&str>, u64)] = &[
    ("with_for", Some("size(p)"), 5),
    ("with_while", Some("size(p)"), 5),
    ("at_the_end", Some("size(p) - 1"), 4),
    ("nested_field", Some("size(p)"), 5),
    ("star", Some("strlen(p)"), 7),
    ("star_plus", Some("strlen(s)"), 7),
    ("plus_star", Some("strlen(s + 1)"), 6),
    ("index", Some("strlen(s + i)"), 7),
    ("named", Some("strlen(buffer + i)"), 6),
    ("twice", None, 3),
    ("marked", None, 4),
];

/// The measure of the only loop of a function, and the iterations that a run counted.
fn look(program: &Program, profile: &Profile<'_>, name: &str) -> (Option<String>, u64) {
    let mut functions = program.functions();
    let (id, function) = functions.find(|(_, function)| function.name == name).expect(name);
    let slicer = Slicer::new(program);
    let found = traversals(&slicer, id);
    let measure = found.first().map(|traversal| traversal.measure(program, function));
    let (_, counted) = profile.loops(id).next().expect("a loop");
    (measure, counted.iterations)
}

#[test]
fn traversals_in_c() {
    let program = read::c("traversals.c", C.as_bytes().to_vec()).expect("a program");
    let mut profile = Profile::new(&program);
    let run = Interpreter::new(&program, Options::default()).run(&mut Vec::new(), &mut profile);
    assert!(matches!(run.end, End::Exited(_) | End::Returned(_)), "{:?}", run.end);
    profile.finish(&run);
    for (name, measure, iterations) in EXPECTED {
        let found = look(&program, &profile, name);
        assert_eq!(found, (measure.map(str::to_owned), *iterations), "{name}");
    }
}

#[test]
fn traversals_in_microc() {
    let text = "main() { var p, i, n; p = null; i = 0; n = 0;
        while (i < 6) { p = alloc {v: i, next: p}; i = i + 1; }
        return length(p); }
        length(p) { var n; n = 0; while (p != null) { n = n + 1; p = (*p).next; } return n; }";
    let program = read::microc(text).expect("a program");
    let mut profile = Profile::new(&program);
    let run = Interpreter::new(&program, Options::default()).run(&mut Vec::new(), &mut profile);
    profile.finish(&run);
    assert_eq!(look(&program, &profile, "length"), (Some("size(p)".to_owned()), 6));
}
