use super::*;
use crate::campaign::{Campaign, Run, Shard};
use crate::results::tests::{answered, header};
use crate::results::{Header, Results};

/// A corpus as the suites expect it.
const MANIFEST: &str = "path\tproperty\texpected\tdata_model\n\
    svcomp16/loops/a.i\tunreach-call\ttrue\tILP32\n\
    svcomp16/loops/b.i\tunreach-call\tfalse\tILP32\n\
    svcomp16/loop-acceleration/c.i\tunreach-call\ttrue\tILP32\n\
    svcomp16/loop-lit/d.i\tunreach-call\ttrue\tILP32\n\
    svcomp16/loop-new/e.i\tunreach-call\ttrue\tILP32\n";

fn tasks(suite: &Suite, scale: f64) -> Vec<(Task, Origin)> {
    let manifest = Manifest::parse(MANIFEST).expect("a manifest");
    suite.tasks(&manifest, (scale, 0)).expect("tasks")
}

/// The results of a suite if every run gives the expected answer after a second.
fn ideal(suite: &Suite, name: &str) -> Results {
    let files = suite.projects().iter().map(|project| project.task("a.c", "database.json"));
    let campaign = Campaign {
        suite: Some(name.to_owned()),
        tasks: tasks(suite, 0.02).into_iter().map(|(task, _)| task).chain(files).collect(),
        configurations: suite.configurations().expect("configurations"),
        limits: suite.limits(),
        seed: 0,
        version: "1".to_owned(),
    };
    campaign.check().expect("a campaign");
    let record =
        |run: Run<'_>| answered(&campaign, &run, run.expected().unwrap_or(Answer::Unknown), 1.0);
    let records = campaign.runs().map(record).collect();
    let header = Header { shard: Shard::WHOLE, ..header(&campaign) };
    Results::new(&[header], &campaign, records)
}

#[test]
fn all_suites_make_sense() {
    for name in names() {
        let suite = Suite::named(name).expect("a suite");
        let results = ideal(&suite, name);
        assert_eq!(results.missing(), 0);
        for table in suite.tables(&results) {
            assert!(!table.rows.is_empty(), "{name}: {}", table.title);
            for row in &table.rows {
                assert_eq!(row.len(), table.header.len(), "{name}: {}: {row:?}", table.title);
            }
            for row in &table.rows {
                let filled = row.iter().rev().any(|cell| cell != "-" && !cell.is_empty());
                assert!(filled, "{name}: {}: {row:?}", table.title);
            }
            let ours = table.header.iter().position(|cell| cell.starts_with("ours"));
            let ours = ours.expect("a column of ours");
            let is_measured = |row: &Vec<String>| row[ours..].iter().any(|cell| cell != "-");
            assert!(table.rows.iter().all(is_measured), "{name}: {}", table.markdown());
        }
    }
    assert_eq!(Suite::named("x").expect_err("no suite").to_string(), {
        "there is no suite `x`; the suites are thesis, thesis-merging, thesis-search, proteus, proteus-projects, rudla, apc"
    });
}

#[test]
fn every_configuration_that_is_named_is_there() {
    for name in names() {
        let suite = Suite::named(name).expect("a suite");
        let known: Vec<String> = suite
            .configurations()
            .expect("configurations")
            .into_iter()
            .map(|configuration| configuration.name)
            .collect();
        for (task, _) in tasks(&suite, 0.02) {
            assert!(
                task.configurations.iter().all(|own| known.contains(own)),
                "{name}: {}",
                task.name
            );
        }
    }
}

#[test]
fn the_sets_of_the_thesis_have_fixed_programs() {
    let suite = Suite::named("thesis").expect("a suite");
    let all = tasks(&suite, 0.1);
    assert_eq!(all.len(), 18 * 5);
    assert_eq!(tasks(&suite, 1.0).len(), 18 * 50);
    assert_eq!(all, tasks(&suite, 0.1));
    let Origin::Text(name, text) = &all[0].1 else { panic!("programs are generated") };
    assert_eq!(name, "15-10-3-f-f/000.uc");
    assert!(text.starts_with("// loupe gen --language microc --seed 0 "));
    let larger = tasks(&suite, 0.2);
    assert_eq!(larger[4], all[4], "a larger scale has the same programs first");
}

#[test]
fn a_corpus_without_the_programs_is_refused() {
    let suite = Suite::named("proteus").expect("a suite");
    let empty = Manifest::parse("path\texpected\n").expect("a manifest");
    let complaint = suite.tasks(&empty, (1.0, 0)).expect_err("no programs");
    assert_eq!(complaint, SuiteError::NoPrograms("svcomp16/loops/".to_owned()));
    assert!(suite.needs_corpus());
    assert!(!Suite::named("thesis").expect("a suite").needs_corpus());
}

#[test]
fn our_figures_stand_beside_theirs() {
    let suite = Suite::named("proteus").expect("a suite");
    let tables = suite.tables(&ideal(&suite, "proteus"));
    let five = &tables[0];
    let row = five.rows.last().expect("a row for all");
    let cell = |title: &str| {
        let column = five.header.iter().position(|cell| cell == title);
        row[column.unwrap_or_else(|| panic!("no {title} in {:?}", five.header))].as_str()
    };
    assert_eq!((cell("Proteus right"), cell("ours right"), cell("ours wrong")), ("74", "5", "0"));
    assert_eq!(cell("ours: unroll takes"), "1.0 ×");
}
