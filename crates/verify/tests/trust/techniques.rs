//! Every technique alone: none contradicts another, nor what running the program shows.

use crate::change::smaller;
use crate::judge::{LIMIT, Verdict, lowered, property, refuted, text, verdict, within};
use crate::print::{Loops, Style};
use crate::tree::{Dice, Program, Topic, program};
use crate::{check_all, programs};
use loupe_c::front::DataModel;
use loupe_symbolic::explore::{LoopMode, Options, Stop, explore};
use loupe_symbolic::search::{Strategy, strategy};
use loupe_verify::Member;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// A way to a verdict.
#[derive(Clone, Copy, Debug)]
enum Technique {
    Alone(Member),
    Race { jobs: usize },
    Explored(LoopMode, Strategy, usize),
}

const MODES: [LoopMode; 5] =
    [LoopMode::Auto, LoopMode::Unroll, LoopMode::Compact, LoopMode::Summary, LoopMode::Necessary];

/// Some techniques, others for each seed: all members, and a few of all combinations of loops, search and threads.
fn techniques(topic: Topic, dice: &mut Dice) -> Vec<Technique> {
    let mut some = vec![Technique::Race { jobs: 1 }, Technique::Race { jobs: 2 }];
    let asked = |member: &Member| member.is_for(property(topic));
    some.extend(Member::ALL.into_iter().filter(asked).map(Technique::Alone));
    for mode in MODES {
        // Strategies towards a place want to know the place.
        let search = loop {
            let search = dice.pick(Strategy::ALL);
            if search != Strategy::Target {
                break search;
            }
        };
        some.push(Technique::Explored(mode, search, dice.pick(&[1, 2])));
    }
    some
}

fn ask(technique: Technique, text: &str, topic: Topic, model: DataModel) -> Verdict {
    let program = lowered(text, topic, model);
    match technique {
        Technique::Alone(member) => verdict(&program, topic, &[member], 1),
        Technique::Race { jobs } => verdict(&program, topic, &Member::ALL, jobs),
        Technique::Explored(loops, search, jobs) => {
            let end_of_input = if topic == Topic::Microc { (-1).into() } else { 0.into() };
            let property = property(topic);
            let options = Options { property, loops, end_of_input, ..Options::default() };
            let explored = within(LIMIT / 2, options, |options, deadline| {
                let search = || strategy(search, &program, 7, &[]);
                let watch = |_: &_, _| (Instant::now() > deadline).then_some(Stop::Time);
                explore(&program, &options, &search, jobs, &watch)
            });
            Verdict::of(&explored.unwrap_or_else(|error| panic!("{error}")))
        }
    }
}

/// Why some technique is wrong, if one is; how many have a verdict.
fn wrong(program: &Program, topic: Topic, seed: u64) -> (Option<String>, u64) {
    let mut dice = Dice(seed);
    let loops = dice.pick(&[Loops::While, Loops::Goto, Loops::For]);
    let model = dice.pick(&[DataModel::Ilp32, DataModel::Lp64]);
    let written = text(program, topic, &Style { loops, ..Style::USUAL });
    let (mut known, mut first) = (0, None);
    for technique in techniques(topic, &mut dice) {
        let verdict = ask(technique, &written, topic, model);
        known += u64::from(verdict.is_known());
        let mut what = refuted(program, topic, model, &verdict);
        match &first {
            None if verdict.is_known() => first = Some((technique, verdict)),
            Some((other, before)) if verdict.contradicts(before) => {
                what = what.or(Some(format!("{verdict:?}, but {other:?} says {before:?}")));
            }
            _ => {}
        }
        if let Some(what) = what {
            return (Some(format!("{technique:?}, {model:?}: {what}\n{written}")), known);
        }
    }
    (None, known)
}

#[test]
fn no_technique_contradicts_another_or_a_run() {
    let topics = [Topic::Termination, Topic::Memory, Topic::Overflow, Topic::Claims, Topic::Microc];
    let (seeds, verdicts) = (programs(20), AtomicU64::new(0));
    check_all(seeds, |seed| {
        let topic = topics[seed as usize % topics.len()];
        let program = program(seed.wrapping_add(1_000_000), topic);
        let (found, known) = wrong(&program, topic, seed);
        verdicts.fetch_add(known, Ordering::Relaxed);
        let Some(mut what) = found else { return Ok(()) };
        let mut least = program;
        while let Some((program, wrong)) = smaller(&least)
            .into_iter()
            .find_map(|smaller| wrong(&smaller, topic, seed).0.map(|what| (smaller, what)))
        {
            (least, what) = (program, wrong);
        }
        Err(what)
    });
    let verdicts = verdicts.into_inner();
    println!("{seeds} programs, {verdicts} verdicts");
    assert!(verdicts > 4 * seeds, "{verdicts}");
}
