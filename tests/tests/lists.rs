//! Lists that `--entry` makes up, against lists that a driver builds and gcc compiles: the contents of nodes come member by member.

use loupe_tests::gcc::{self, Build, DataModel};
use loupe_tests::process::Loupe;
use std::fs;
use std::path::PathBuf;

const FUNCTION: &str = "struct node { short w; struct node *next; int v; unsigned char c[2]; };
int f(struct node *l) {
  int s = 1;
  for (struct node *p = l; p; p = p->next) {
    s = s * 31 + p->v + 7 * p->w + 100 * p->c[0] + 1000 * p->c[1];
    if (p->next) p->next->v += p->v;
    p->c[1] = s;
  }
  for (; l; l = l->next) s = s * 3 + l->c[1] + l->v;
  return s;
}
";

/// A driver that takes as many numbers as Loupe: the number of nodes, then each member of all nodes.
const DRIVER: &str = "#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n, x;
  if (scanf(\"%d\", &n) != 1) return 1;
  struct node *all = calloc(n + 1, sizeof *all);
  for (int i = 0; i < n; i++) all[i].next = i + 1 < n ? &all[i + 1] : NULL;
  for (int i = 0; i < n; i++) { if (scanf(\"%d\", &x) != 1) return 1; all[i].w = x; }
  for (int i = 0; i < n; i++) { if (scanf(\"%d\", &x) != 1) return 1; all[i].v = x; }
  for (int j = 0; j < 2; j++)
    for (int i = 0; i < n; i++) { if (scanf(\"%d\", &x) != 1) return 1; all[i].c[j] = x; }
  printf(\"%d\", f(n ? all : NULL));
  return 0;
}
";

fn file(name: &str, text: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("lists-{name}"));
    fs::write(&file, text).expect("a file");
    file
}

#[test]
fn the_interpreter_builds_the_lists_that_a_driver_builds() {
    if !gcc::can_judge(DataModel::Lp64) {
        return;
    }
    let function = file("f.c", FUNCTION);
    let whole = file("driver.c", &format!("{FUNCTION}{DRIVER}"));
    let build = Build {
        files: &[whole],
        data_model: DataModel::Lp64,
        standard: "gnu11",
        flags: gcc::PLAIN,
    };
    let program = build.compile().expect("it compiles");
    for nodes in 0..5_i64 {
        let column =
            |factor: i64, most: i64| (0..nodes).map(move |number| (number * factor + 3) % most);
        let values: Vec<String> = column(17, 1000)
            .chain(column(7919, 60_000))
            .chain(column(5, 256))
            .chain(column(101, 256))
            .map(|number| number.to_string())
            .collect();
        let values = values.join(" ");
        let numbers = file("numbers", &format!("{nodes} {values}"));
        let expected = program.run(Some(&numbers));
        let inputs = file("inputs", &format!("{nodes}\nuninitialised:\n{values}\n"));
        let call = Loupe::new(["run".into(), function.clone()]);
        let run = call.args(["--entry", "f", "--input-file"]).args([inputs]).run();
        let wanted = format!("result: {}", expected.stdout.trim());
        assert!(format!("{}{}", run.stdout, run.stderr).contains(&wanted), "{wanted}\n{run}");
    }
}
