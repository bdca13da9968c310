//! The programs of the course, of the optimising compiler and of the thesis: all are accepted,
//! except those with an error that shows without running them.

use loupe_ir::source::FileId;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of the corpus whose programs are microc as we read it.
const SUITES: [&str; 3] = ["ni-apr", "kral-compiler", "dp"];

/// The programs that are rejected, with the first error of each.
const REJECTED: [(&str, &str); 10] = [
    // Programs of the course that are there to be rejected.
    ("ni-apr/examples/err-doubledecl1.uc", "3:7 `q` is already declared"),
    ("ni-apr/examples/err-doubledecl2.uc", "2:7 `x` is already declared"),
    ("ni-apr/examples/err-doubledecl3.uc", "6:1 `f` is already declared"),
    ("ni-apr/examples/err-funass1.uc", "2:5 cannot assign to a function"),
    ("ni-apr/examples/err-funass2.uc", "4:9 cannot take the address of a function"),
    ("ni-apr/examples/err-funass3.uc", "10:5 cannot assign to a function"),
    ("ni-apr/examples/err-notdecl.uc", "2:5 `a` is not declared"),
    ("ni-apr/examples/err-notlocal.uc", "8:5 `n` is not declared"),
    // Slips of the thesis' tests, which only build a control flow graph and never resolve names:
    // `1 / (x - z)` and `while (var10)` use what no `var` declares.
    ("dp/LoopSummarizationTest/011-summary-type2.uc", "21:15 `x` is not declared"),
    (
        "dp/PathSubsumptionTest/027-get-paths-weird-loops-finishes.uc",
        "6:17 `var10` is not declared",
    ),
];

fn corpus() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/microc");
    if root.is_dir() {
        return Some(root);
    }
    let required = std::env::var_os("LOUPE_REQUIRE_CORPUS").is_some_and(|value| value == "1");
    assert!(!required, "LOUPE_REQUIRE_CORPUS=1, but there is no {}", root.display());
    eprintln!("SKIPPED: there is no corpus in {}", root.display());
    None
}

fn programs(root: &Path) -> BTreeMap<String, String> {
    let mut programs = BTreeMap::new();
    let mut work: Vec<PathBuf> = SUITES.iter().map(|suite| root.join(suite)).collect();
    while let Some(folder) = work.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the corpus") {
            let path = entry.expect("an entry of the corpus").path();
            let extension = path.extension().and_then(|extension| extension.to_str());
            if path.is_dir() {
                work.push(path);
            } else if matches!(extension, Some("uc" | "microc")) {
                let name = path.strip_prefix(root).expect("below the root").display().to_string();
                programs.insert(name, fs::read_to_string(&path).expect("a program"));
            }
        }
    }
    programs
}

/// The errors of a program as `line:column message`.
fn errors(text: &str) -> Vec<String> {
    let parsed = loupe_microc::parse(FileId(0), text);
    let checked = parsed.and_then(|program| loupe_microc::resolve(&program).map(|_| ()));
    let errors = checked.err().unwrap_or_default();
    let show = |error: &loupe_ir::diagnostic::Diagnostic| match error.span {
        Some(span) => format!("{} {}", span.start, error.message),
        None => error.message.clone(),
    };
    errors.iter().map(show).collect()
}

/// Printing and parsing again changes nothing that printing shows.
#[test]
fn prints_and_parses_back() {
    let Some(root) = corpus() else { return };
    for (name, text) in programs(&root) {
        let printed = loupe_microc::print(&loupe_microc::parse(FileId(0), &text).expect(&name));
        let again = loupe_microc::parse(FileId(0), &printed).expect(&name);
        assert_eq!(loupe_microc::print(&again), printed, "{name}");
    }
}

#[test]
fn accepts_and_rejects_as_expected() {
    let Some(root) = corpus() else { return };
    let programs = programs(&root);
    assert!(programs.len() > 200, "only {} programs found", programs.len());
    let mut wrong = Vec::new();
    for (name, text) in &programs {
        let expected = REJECTED.iter().find(|(rejected, _)| rejected == name);
        let found = errors(text);
        let fine = match expected {
            Some((_, message)) => found.first().is_some_and(|first| first == message),
            None => found.is_empty(),
        };
        if !fine {
            wrong.push(format!("{name}: {found:#?}"));
        }
    }
    for (name, _) in REJECTED {
        if !programs.contains_key(name) {
            wrong.push(format!("{name}: not in the corpus"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
