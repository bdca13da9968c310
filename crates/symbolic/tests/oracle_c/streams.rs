//! What comes from outside in other ways than as inputs, and what is put out.

use super::{World, compare, compile, inputs};
use loupe_c::front::DataModel;
use loupe_symbolic::domain::SymbolicIndex;

fn check(text: &str, worlds: &[World]) {
    let program = compile(text, DataModel::Lp64);
    for index in [SymbolicIndex::Ite, SymbolicIndex::Fork] {
        let (_, figures) = compare(text, &program, worlds, index);
        assert_eq!(figures.given_up, 0, "{text}\n{index:?}");
    }
}

/// All texts of some bytes, up to a length.
fn texts(bytes: &[u8], length: usize) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..length {
        let longer = |text: &Vec<u8>| {
            let text = text.clone();
            bytes.iter().map(move |byte| [&text[..], &[*byte]].concat())
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.clone());
    }
    all
}

#[test]
fn bytes_of_the_standard_input() {
    let text = "#include <stdio.h>
        int main(void) { int c, n = 0, sum = 0;
        while (n < 3 && (c = getchar()) != EOF) { n++; if (c == 'x') sum += 10; else if (c == '\\n') break; }
        if (n == 2 && feof(stdin)) sum += 1000;
        if (sum == 20) return 1 / (n - 2);
        printf(\"%d %d\\n\", n, sum); return sum + n; }";
    let worlds: Vec<World> = texts(b"x\ny", 4)
        .into_iter()
        .map(|standard_input| World { standard_input, ..World::default() })
        .collect();
    check(text, &worlds);
}

#[test]
fn arguments() {
    let text = "#include <string.h>
        int main(int argc, char **argv) { 
        if (argc > 1 && argv[1][0] == '-') return argv[1][1] == 'v' ? 1 / (argc - 3) : (int)strlen(argv[1]);
        return argc + 40; }";
    let worlds: Vec<World> = texts(b"-vx", 2)
        .into_iter()
        .flat_map(|a| [vec![a.clone()], vec![a, b"z".to_vec()]])
        .chain([Vec::new()])
        .map(|arguments| World { arguments, ..World::default() })
        .collect();
    let program = compile(text, DataModel::Lp64);
    let (exploration, figures) = compare(text, &program, &worlds, SymbolicIndex::Ite);
    assert_eq!(figures.given_up, 0, "{figures:?}");
    assert!(!exploration.is_safe() && exploration.violations.len() == 1);
}

#[test]
fn lengths_of_formatted_text() {
    let text = "#include <stdio.h>
        extern int __VERIFIER_nondet_int(void);
        extern unsigned char __VERIFIER_nondet_uchar(void);
        int main(void) { int x = __VERIFIER_nondet_int(); int y = __VERIFIER_nondet_int();
        int a = printf(\"%d|%5d|%-3d|%+d\\n\", x, y, x, y), b = printf(\"%x %#o %u\\n\", x, y, x + 7);
        int c = printf(\"%c%c %.0d\\n\", x & 127, 'q', y), d = printf(\"%hhd %hx\\n\", (signed char)x, (short)y);
        if (a == 14) return 1; return a * 1000 + b * 100 + c * 10 + d; }";
    let mut worlds = Vec::new();
    for x in [-2147483648, -1000, -10, -9, -1, 0, 1, 9, 10, 99, 100, 255, 256, 2147483640] {
        for y in [-100, -99, 0, 7, 8, 123_456] {
            worlds.push(World { inputs: vec![x, y], ..World::default() });
        }
    }
    check(text, &worlds);
}

#[test]
fn text_in_memory() {
    let text = "#include <stdio.h>
        #include <string.h>
        extern int __VERIFIER_nondet_int(void);
        int main(void) { int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
        char s[8] = \"abc\", t[16]; if (i < 0 || i > 3 || j < 0 || j > 3) return 99;
        s[i] = (char)('a' + j); s[3] = j == 2 ? 0 : s[3];
        int n = snprintf(t, sizeof t, \"<%4s|%.2s>\", s, s);
        printf(\"%s %d\\n\", t, n); int v = 0; sscanf(\"12 34\", \"%d %d\", &v, &i);
        return n + v + i + (int)strlen(s); }";
    check(text, &inputs(2, -1..=4));
}
