//! What the README and the page about techniques show is what comes out.
//!
//! A block of code that starts with `$ loupe …` shows a command and its output, both streams one
//! after the other. A line `…` stands for any number of lines; what is between two of them must be
//! found in the output as it stands.

use loupe_tests::process::Loupe;
use std::fs;

/// The examples of a Markdown text: command lines and the output shown.
fn examples(markdown: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for block in markdown.split("```").skip(1).step_by(2) {
        let mut lines = block.lines().skip(1);
        let first = lines.next().and_then(|line| line.strip_prefix("$ loupe "));
        if let Some(command) = first {
            found.push((command.to_owned(), lines.map(str::to_owned).collect()));
        }
    }
    found
}

/// The words of a command line in which `"` quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, piece) in command.split('"').enumerate() {
        if number % 2 == 1 {
            words.push(piece.to_owned());
        } else {
            words.extend(piece.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Runs what a page shows, from the folder of the project.
fn check(page: &str) {
    let home = loupe_tests::root().join("..");
    let text = fs::read_to_string(home.join(page)).expect("a page");
    let examples = examples(&text);
    assert!(examples.len() >= 5, "{page} shows commands");
    for (command, shown) in examples {
        let output = Loupe::new(words(&command)).directory(&home).run();
        let actual = format!("{}{}", output.stdout, output.stderr);
        for piece in shown.split(|line| line == "…").filter(|piece| !piece.is_empty()) {
            let piece = piece.join("\n");
            assert!(
                actual.contains(piece.trim_end_matches('…')),
                "{page} shows for `loupe {command}`:\n{piece}\nbut this comes out:\n{actual}"
            );
        }
    }
}

#[test]
fn the_tour_shows_real_output() {
    check("README.md");
}

#[test]
fn the_techniques_show_real_output() {
    check("docs/techniques.md");
    // The pictures are there, and so are the programs that they show.
    let folder = loupe_tests::root().join("../docs/techniques");
    let page = fs::read_to_string(folder.with_extension("md")).expect("a page");
    let named = page.split("](techniques/").skip(1).filter_map(|rest| rest.split(')').next());
    let named: Vec<&str> = named.collect();
    assert!(named.len() > 15, "{named:?}");
    for name in named {
        assert!(folder.join(name).is_file(), "{name} is missing");
    }
}
