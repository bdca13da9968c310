//! The same program, written otherwise, has the same verdict, or none.

use crate::change::{Change, smaller};
use crate::judge::{Verdict, lowered, refuted, text, verdict};
use crate::print::Style;
use crate::tree::{Program, Topic, program};
use crate::{check_all, programs};
use loupe_c::front::DataModel;
use loupe_verify::Member;
use std::sync::atomic::{AtomicU64, Ordering};

/// A program with its verdict, as it is and changed.
struct Pair {
    plain: Verdict,
    changed: Verdict,
    wrong: Option<String>,
}

fn pair(program: &Program, topic: Topic, change: Change, seed: u64) -> Option<Pair> {
    let (other, style, model) = change.apply(program, seed)?;
    let written = text(program, topic, &Style::USUAL);
    let rewritten = text(&other, topic, &style);
    let ask = |text: &str, model| verdict(&lowered(text, topic, model), topic, &Member::ALL, 1);
    let (plain, changed) = (ask(&written, DataModel::Lp64), ask(&rewritten, model));
    let wrong = refuted(program, topic, DataModel::Lp64, &plain)
        .or_else(|| refuted(&other, topic, model, &changed))
        .or_else(|| plain.contradicts(&changed).then(|| format!("{plain:?} and {changed:?}")));
    let wrong = wrong.map(|what| format!("{change:?}: {what}\n{written}\n{rewritten}"));
    Some(Pair { plain, changed, wrong })
}

/// The smallest program that is still wrong.
fn reduced(program: &Program, topic: Topic, change: Change, seed: u64, first: String) -> String {
    let (mut least, mut what) = (program.clone(), first);
    'again: loop {
        for smaller in smaller(&least) {
            if let Some(wrong) = pair(&smaller, topic, change, seed).and_then(|pair| pair.wrong) {
                (least, what) = (smaller, wrong);
                continue 'again;
            }
        }
        return what;
    }
}

fn compare(topics: &[Topic], changes: &[Change], seeds: u64) {
    let (compared, decided) = (AtomicU64::new(0), AtomicU64::new(0));
    check_all(seeds, |seed| {
        let topic = topics[seed as usize % topics.len()];
        let program = program(seed, topic);
        // Each topic meets each change.
        let change = changes[(seed as usize / topics.len()) % changes.len()];
        let Some(pair) = pair(&program, topic, change, seed) else { return Ok(()) };
        compared.fetch_add(1, Ordering::Relaxed);
        decided.fetch_add(
            u64::from(pair.plain.is_known() && pair.changed.is_known()),
            Ordering::Relaxed,
        );
        match pair.wrong {
            Some(wrong) => Err(reduced(&program, topic, change, seed, wrong)),
            None => Ok(()),
        }
    });
    let (compared, decided) = (compared.into_inner(), decided.into_inner());
    println!("{compared} pairs of programs compared, {decided} decided both times");
    assert!(2 * compared > seeds && 2 * decided > compared, "{compared} {decided}");
}

#[test]
fn c_programs_written_otherwise_have_the_same_verdict() {
    compare(&Topic::C, &Change::ALL, programs(240));
}

#[test]
fn microc_programs_written_otherwise_have_the_same_verdict() {
    compare(&[Topic::Microc], &Change::MICROC, programs(60));
}
