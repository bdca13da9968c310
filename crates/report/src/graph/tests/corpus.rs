//! All programs of the corpus, in all forms.

use super::try_lower;
use crate::graph::{Detail, dot, json, text};
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of the corpus whose programs are microc as we read it.
const SUITES: [&str; 3] = ["ni-apr", "kral-compiler", "dp"];

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

fn programs(root: &Path) -> Vec<(PathBuf, String)> {
    let mut programs = Vec::new();
    let mut work: Vec<PathBuf> = SUITES.iter().map(|suite| root.join(suite)).collect();
    while let Some(folder) = work.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the corpus") {
            let path = entry.expect("an entry of the corpus").path();
            let extension = path.extension().and_then(|extension| extension.to_str());
            if path.is_dir() {
                work.push(path);
            } else if matches!(extension, Some("uc" | "microc")) {
                let text = fs::read_to_string(&path).expect("a program");
                programs.push((path, text));
            }
        }
    }
    programs
}

#[test]
fn all_programs_in_all_forms() {
    let Some(root) = corpus() else { return };
    let mut count = 0;
    for (path, source) in programs(&root) {
        let Some(program) = try_lower(&source) else { continue };
        count += 1;
        for detail in [Detail::Statements, Detail::Normalised] {
            let at = format!("{} {detail:?}", path.display());
            check_dot(&dot(&program, detail), &at);
            check_json(&json(&program, detail), &at);
        }
        assert!(!text(&program, Detail::Statements).contains('%'), "{}", path.display());
        let normalised = loupe_ir::text::parse(&text(&program, Detail::Normalised));
        let printed = normalised.map(|program| loupe_ir::text::print(&program));
        assert_eq!(printed.as_ref(), Ok(&loupe_ir::text::print(&program)), "{}", path.display());
    }
    assert!(count > 200, "only {count} programs found");
}

/// Quotes are closed on their line, braces and brackets outside of them are balanced, and every
/// arrow leads from a node to a node.
fn check_dot(dot: &str, at: &str) {
    let mut open = Vec::new();
    let (mut nodes, mut ends) = (HashSet::new(), Vec::new());
    for line in dot.lines() {
        let mut quoted = false;
        let mut chars = line.chars();
        while let Some(c) = chars.next() {
            match c {
                '"' => quoted = !quoted,
                '\\' => assert!(quoted && chars.next().is_some(), "{at}: {line}"),
                '{' | '[' if !quoted => open.push(c),
                '}' if !quoted => assert_eq!(open.pop(), Some('{'), "{at}: {line}"),
                ']' if !quoted => assert_eq!(open.pop(), Some('['), "{at}: {line}"),
                _ => {}
            }
        }
        assert!(!quoted, "{at}: {line}");
        let mut words = line.split_whitespace().map(|word| word.trim_end_matches(';'));
        if let Some(name) = words.next().filter(|word| word.starts_with('f') && word.contains('_'))
        {
            match words.next() {
                Some("->") => ends.extend([Some(name), words.next()]),
                _ => assert!(nodes.insert(name), "{at}: {line}"),
            }
        }
    }
    assert!(open.is_empty(), "{at}");
    let dangling = ends.iter().find(|end| !end.is_some_and(|end| nodes.contains(end)));
    assert_eq!(dangling, None, "{at}");
}

/// Successors, entries, headers and borders of loops are blocks that are listed.
fn check_json(program: &Value, at: &str) {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    for function in list(&program["functions"]) {
        let blocks = list(&function["blocks"]);
        let ids: HashSet<u64> = blocks.iter().filter_map(|block| block["id"].as_u64()).collect();
        let listed = |value: &Value| value.as_u64().is_some_and(|id| ids.contains(&id));
        assert!(listed(&function["entry"]), "{at}");
        for block in &blocks {
            assert!(list(&block["successors"]).iter().all(|next| listed(&next["block"])), "{at}");
        }
        for this in list(&function["loops"]) {
            assert!(listed(&this["header"]), "{at}");
            assert!(!list(&this["latches"]).is_empty(), "{at}");
            assert!(
                list(&this["latches"]).iter().chain(&list(&this["blocks"])).all(listed),
                "{at}"
            );
            let exits = list(&this["exits"]);
            assert!(exits.iter().all(|exit| listed(&exit["from"]) && listed(&exit["to"])), "{at}");
        }
    }
}
