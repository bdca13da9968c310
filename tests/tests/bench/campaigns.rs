//! What comes of campaigns that run to their end, and of calls that make no sense.

use super::{BROKEN, SAFE, UNSAFE, answers, bench, check_status, folder, results, write};
use loupe_tests::process::Finished;
use serde_json::json;
use std::fs;

#[test]
fn every_program_is_a_row_whatever_becomes_of_it() {
    let home = folder("rows");
    let programs = home.join("programs");
    fs::create_dir(&programs).expect("a folder");
    write(&programs, &[("good.uc", SAFE), ("bad.uc", UNSAFE), ("broken.uc", BROKEN)]);
    let configurations = ["--config", "usual:", "--config", "unroll: loops=unroll"];
    let call = bench(&home, &["programs", "-o", "out", "--timeout", "20"]).args(configurations);
    let run = call.run();
    check_status(&run, 0);
    let rows = answers(&results(&home.join("out")));
    let expected = [
        ("bad", r#""finished" "unsafe""#),
        ("broken", r#""rejected" null"#),
        ("good", r#""finished" "safe""#),
    ];
    let expected = expected.map(|(name, ended)| {
        ["usual", "unroll"].map(|own| format!("\"programs/{name}.uc\" \"{own}\" {ended}"))
    });
    assert_eq!(rows, expected.concat());
    // The table on standard output, and what is wrong with the program, with its place.
    let broken = "broken.uc:2:10: error: expected `;`";
    for text in [&run.stdout, &fs::read_to_string(home.join("out/results.md")).expect("tables")] {
        assert!(text.contains("| programs | unroll"), "{text}");
        assert!(text.contains(broken) && text.contains("What has to be looked at"), "{text}");
        assert!(text.contains("limits 20 s and 4096 MB") && text.contains("seed 0"), "{text}");
    }
    let csv = fs::read_to_string(home.join("out/results.csv")).expect("rows");
    assert_eq!(csv.lines().count(), 7, "{csv}");
    for plot in ["quantile", "scatter-1", "bars"] {
        let text = fs::read_to_string(home.join(format!("out/plots/{plot}.svg"))).expect("a plot");
        assert!(text.contains("<svg xmlns=") && text.contains("cores"), "{text}");
    }
}

#[test]
fn right_answers_come_from_many_places() {
    let home = folder("expected");
    let c = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
             int main(void) { if (__VERIFIER_nondet_int() == 5) reach_error(); return 0; }\n";
    fs::create_dir_all(home.join("tasks")).expect("a folder");
    let plain = "main() { return 1 / (input - 2); }\n";
    write(
        &home,
        &[
            ("tasks/one.i", c),
            // The source of the same program is no other one.
            ("tasks/one.c", c),
            (
                "tasks/one.yml",
                "input_files: one.i\nproperties:\n  - property_file: p/unreach-call.prp\n    expected_verdict: false\noptions:\n  data_model: LP64\n",
            ),
            ("tasks/two.uc", plain),
            ("tasks/three.uc", UNSAFE),
            ("manifest.tsv", "path\tproperty\texpected\ntasks/two.uc\tno-errors\tfalse\n"),
        ],
    );
    check_status(&bench(&home, &["tasks", "-o", "out", "--timeout", "20"]).run(), 0);
    let found = results(&home.join("out"));
    let tasks = found["campaign"]["tasks"].as_array().expect("tasks");
    let known: Vec<_> =
        tasks.iter().map(|task| (task["name"].as_str(), &task["expected"])).collect();
    let unsafe_ = json!("unsafe");
    let expected = ["one.i", "three.uc", "two.uc"].map(|name| format!("tasks/{name}"));
    let expected: Vec<_> = expected.iter().map(|name| (Some(name.as_str()), &unsafe_)).collect();
    assert_eq!(known, expected);
    assert_eq!(tasks[0]["settings"], json!(["property=unreach-call", "data-model=LP64"]));
    // A table that the user names comes before all others, and a wrong answer gives status 1.
    write(&home, &[("mine.tsv", "path\texpected\ntasks/two.uc\tsafe\n")]);
    let run = bench(&home, &["tasks/two.uc", "--expect", "mine.tsv", "-o", "wrong"]).run();
    check_status(&run, 1);
    assert!(run.stdout.contains("WRONG"), "{run}");
}

#[test]
fn configurations_come_from_a_file_too() {
    let home = folder("configurations");
    let file = "timeout = 15\n[[configuration]]\nname = \"tree\"\ncommand = \"explore\"\n\
                search = \"tree\"\nfirst-error = true\n[[configuration]]\nname = \"usual\"\n";
    write(&home, &[("good.uc", SAFE), ("file.toml", file)]);
    let run =
        bench(&home, &["good.uc", "--configs", "file.toml", "-o", "out", "--format", "json"]).run();
    check_status(&run, 0);
    let printed: serde_json::Value = serde_json::from_str(&run.stdout).expect("one JSON object");
    assert_eq!(printed, results(&home.join("out")));
    assert_eq!(printed["campaign"]["limits"]["seconds"], json!(15.0));
    let tree = &printed["records"][0];
    assert_eq!((&tree["configuration"], &tree["figures"]["coverage"]), (&json!("tree"), &json!(2)));
}

#[test]
fn parts_together_are_the_whole() {
    let home = folder("parts");
    let names: Vec<String> = (0..5).map(|number| format!("p{number}.uc")).collect();
    for name in &names {
        write(&home, &[(name, SAFE)]);
    }
    let files: Vec<&str> = names.iter().map(String::as_str).collect();
    let part = |shard: &str, out: &str| {
        let run = bench(&home, &files).args(["--timeout", "20", "--shard", shard, "-o", out]).run();
        check_status(&run, 0);
        results(&home.join(out))
    };
    let whole = part("1/1", "whole");
    let parts = [part("1/2", "first"), part("2/2", "second")];
    assert_eq!(parts.each_ref().map(|part| answers(part).len()), [3, 2]);
    // A folder, and a journal.
    let run = bench(&home, &["merge", "second/journal.jsonl", "first", "-o", "merged"]).run();
    check_status(&run, 0);
    let merged = results(&home.join("merged"));
    assert_eq!(answers(&merged), answers(&whole));
    assert_eq!(merged["campaign"], whole["campaign"]);
    assert!(home.join("merged/report.html").is_file());
    // A part alone is not the whole.
    let run = bench(&home, &["merge", "first", "-o", "half"]).run();
    check_status(&run, 2);
    assert!(run.stderr.contains("2 runs are in none of the parts"), "{run}");
    let other = bench(&home, &["p0.uc", "-o", "other", "--timeout", "19"]).run();
    check_status(&other, 0);
    refused(&bench(&home, &["merge", "first", "other", "-o", "x"]).run(), "of another campaign");
    refused(
        &bench(&home, &["merge", "first", "second", "-o", "whole"]).run(),
        "a journal of its own",
    );
    refused(&bench(&home, &["merge", "p0.uc", "-o", "x"]).run(), "no results of `loupe bench`");
}

#[test]
fn comparisons_say_what_was_won_and_lost() {
    let home = folder("compared");
    write(&home, &[("a.uc", SAFE), ("b.uc", UNSAFE)]);
    check_status(&bench(&home, &["a.uc", "b.uc", "-o", "old", "--timeout", "20"]).run(), 0);
    let compare = |new: &str| bench(&home, &["compare", "old", new]).run();
    let same = compare("old/results.json");
    check_status(&same, 0);
    assert!(
        same.stdout.contains("2 runs in both") && same.stdout.contains("no answer has changed"),
        "{same}"
    );
    let change = |from: &str, to: &str, name: &str| {
        let text = fs::read_to_string(home.join("old/results.json")).expect("results");
        assert!(text.contains(from), "{text}");
        write(&home, &[(name, &text.replace(from, to))]);
        compare(name)
    };
    let lost = change("\"answer\": \"safe\"", "\"answer\": \"unknown\"", "lost.json");
    check_status(&lost, 1);
    assert!(lost.stdout.contains("1 lost") && lost.stdout.contains("| a.uc"), "{lost}");
    let wrong = change("\"answer\": \"unsafe\"", "\"answer\": \"safe\"", "wrong.json");
    check_status(&wrong, 1);
    assert!(wrong.stdout.contains("1 wrong"), "{wrong}");
    // The other way round, something is won.
    let won = bench(&home, &["compare", "lost.json", "old", "--format", "json"]).run();
    check_status(&won, 0);
    assert!(won.stdout.contains("\"change\": \"won\""), "{won}");
    refused(&compare("nobody.json"), "there is no such file");
    refused(&compare("."), "has no results");
}

#[test]
fn configurations_that_contradict_each_other_are_wrong() {
    let home = folder("contradiction");
    // Nobody says what is right.
    write(&home, &[("p.uc", "main() { return 1; }\n")]);
    let call = ["p.uc", "--timeout", "20", "--config", "a:", "--config", "b: loops=unroll", "-o"];
    check_status(&bench(&home, &call).args(["out"]).run(), 0);
    let text = fs::read_to_string(home.join("out/results.json")).expect("results");
    let spoiled = text.replacen("\"answer\": \"safe\"", "\"answer\": \"unsafe\"", 1);
    assert_ne!(text, spoiled);
    write(&home, &[("spoiled.json", &spoiled)]);
    let merged = bench(&home, &["merge", "spoiled.json", "-o", "merged"]).run();
    check_status(&merged, 1);
    assert!(merged.stdout.contains("contradict each other, so one is wrong"), "{merged}");
}

/// The call is refused with this message, and writes nothing to standard output.
fn refused(run: &Finished, message: &str) {
    assert!(run.status == 3 && run.stdout.is_empty(), "{run}");
    assert!(
        run.stderr.starts_with("error: ") && run.stderr.contains(message),
        "`{message}`: {run}"
    );
}

#[test]
fn what_makes_no_sense_is_refused() {
    let home = folder("refused");
    write(
        &home,
        &[
            ("p.uc", SAFE),
            ("file.toml", "[[configuration]]\nname = \"a\"\nlops = 1\n"),
            ("torn.tsv", "path\n"),
        ],
    );
    fs::create_dir(home.join("empty")).expect("a folder");
    for (arguments, message) in [
        (
            &["p.uc", "--config", "a: lops=unroll"][..],
            "configuration `a`: there is no key `lops`; the keys are command,",
        ),
        (&["p.uc", "--config", "a: loops=unrol"], "configuration `a`: invalid value 'unrol'"),
        (
            &["p.uc", "--config", "a: kappa=3"],
            "configuration `a`: the following required arguments",
        ),
        (
            &["p.uc", "--config", "a: command=reach"],
            "configuration `a`: the following required arguments",
        ),
        (
            &["p.uc", "--config", "a: command=explore,members=execution"],
            "configuration `a`: unexpected argument '--members'",
        ),
        (&["p.uc", "--config", "a:", "--config", "a: guide"], "two configurations are called `a`"),
        (
            &["p.uc", "--configs", "file.toml"],
            "`file.toml`: configuration `a`: there is no key `lops`",
        ),
        (&["p.uc", "--configs", "nobody.toml"], "there is no such file"),
        (&["p.uc", "--expect", "torn.tsv"], "no column `expected`"),
        (&["p.uc", "--shard", "3/2"], "no part like `2/5`"),
        (&["p.uc", "--timeout", "0"], "0 seconds are no limit"),
        (&["empty"], "there are no programs in `empty`: no file ends with .c,"),
        (&["nobody.uc"], "cannot read `nobody.uc`: there is no such file"),
        (&[], "name programs or folders, or a suite"),
        (
            &["--suite", "klee"],
            "there is no suite `klee`; the suites are thesis, thesis-merging, thesis-search, proteus, rudla, apc",
        ),
        (
            &["--suite", "apc", "--corpus", "empty"],
            "this suite needs the corpus, and there is no `empty/manifest.tsv`",
        ),
        (&["--suite", "thesis", "--scale", "0"], "--scale: a number above 0"),
        (&["p.uc", "-o", "p.uc"], "cannot make the folder `p.uc`"),
        (&["p.uc", "-o", "p.uc/out"], "cannot make the folder `p.uc/out`"),
        (&["p.uc", "-o", "/dev/null/out"], "cannot make the folder"),
    ] {
        refused(&bench(&home, arguments).run(), message);
    }
}

#[test]
fn suites_print_the_figures_of_their_documents() {
    let home = folder("suite");
    let few = [
        "--suite",
        "thesis",
        "--scale",
        "0.02",
        "--config",
        "race:",
        "--config",
        "none: command=explore,first-error",
    ];
    let run = bench(&home, &few).args(["--timeout", "0.2", "-o", "out"]).run();
    assert!([0, 2].contains(&run.status), "{run}");
    assert!(
        run.stdout.contains("### Table 6.17") && run.stdout.contains("| 15-10-3-f-f |"),
        "{run}"
    );
    assert!(run.stdout.contains("37806"), "the thesis' path coverage: {run}");
    let program =
        fs::read_to_string(home.join("out/programs/15-50-5-f-t/000.uc")).expect("a program");
    assert!(program.starts_with("// loupe gen "), "{program}");
    assert_eq!(answers(&results(&home.join("out"))).len(), 36);
}

#[test]
fn suites_find_the_programs_of_the_corpus() {
    let Some(programs) = loupe_tests::corpus::folder("rudla") else { return };
    let corpus = programs.parent().expect("a corpus").to_str().expect("plain characters");
    let home = folder("corpus");
    // The program OneLoop, and the last of the deep loops.
    for (suite, tasks, part, row) in [
        ("apc", 7, "6/7", "| OneLoop | 134.0 | 0.003 |"),
        ("proteus", 129, "129/129", "| simple_false2 | 0.02 | 0.11 | 0.03 |"),
        ("rudla", 75, "75/75", "| TwoLoops | 0.3 | 2 | 4 |"),
    ] {
        let call =
            ["--suite", suite, "--corpus", corpus, "--shard", part, "--timeout", "30", "-o", suite];
        let configuration = if suite == "proteus" { "summary: loops=summary" } else { "usual:" };
        let run = bench(&home, &call).args(["--config", configuration]).run();
        check_status(&run, 0);
        let found = results(&home.join(suite));
        assert_eq!(found["campaign"]["tasks"].as_array().map(Vec::len), Some(tasks), "{suite}");
        let record = &found["records"][0];
        assert_eq!(record["ended"], json!("finished"), "{record}");
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let own = run.stdout.lines().map(words).find(|line| line.starts_with(row));
        let own = own.unwrap_or_else(|| panic!("no {row} in {run}"));
        // Our figures stand behind those of the document.
        assert!(own[row.len()..].contains("0.") || own.contains("unreachable"), "{own}");
        if suite != "proteus" {
            assert_eq!(record["answer"], json!("unreachable"), "{record}");
        }
    }
}
