//! Sets of values, for a proof or for a shorter search: no check can fail that matters, or only a few can.

use loupe_ir::analysis::values::PossibleValues;
use loupe_ir::program::Program;
use loupe_ir::source::Span;
use loupe_symbolic::explore::{Exploration, Options, Undefined};
use loupe_symbolic::invariants::{Outcome, Proof, Why};
use loupe_symbolic::property::{Judgement, Property};
use loupe_symbolic::search::Location;

/// So many steps at most. A million take about a second.
const STEPS: u64 = 3_000_000;
/// So many checks are named that may fail.
const MOST_NAMED: usize = 3;
/// What it has cost, by the clock of the race: next to nothing.
const EFFORT: u64 = 1_000;

/// A place where something may go wrong that matters.
struct Doubt {
    place: Location,
    span: Span,
    what: String,
}

/// All places where something may go wrong that matters; nothing if nobody knows.
fn doubts(program: &Program, options: &Options) -> Option<Vec<Doubt>> {
    // Sets of values say nothing of executions that never end; what these have lost, they have lost without coming to a check.
    if options.property == Property::Termination || options.property.asks_for_leaks() {
        return None;
    }
    let values = PossibleValues::of(program, STEPS)?;
    let matters = |judgement: Judgement| match judgement {
        Judgement::Error | Judgement::NotModelled => true,
        Judgement::Ends => false,
        Judgement::Undefined => options.undefined == Undefined::Unknown,
    };
    let checks = values.doubtful_checks(program);
    let checks = checks.filter(|(.., check)| matters(options.property.judge(check.kind)));
    let checks = checks.map(|(function, at, check)| (function, at, check.kind.title()));
    let steps = values.risky_steps().map(|(function, at)| (function, at, "formatted text"));
    let doubt = |(function, at, what): (_, loupe_ir::analysis::location::Location, &str)| Doubt {
        place: Location { function, block: at.block, next: at.index as usize },
        span: program.function(function).block(at.block).instructions[at.index as usize].span,
        what: format!("sets of values do not exclude: {what}"),
    };
    Some(checks.chain(steps).map(doubt).collect())
}

/// Whether nothing can go wrong that matters.
pub(crate) fn prove(program: &Program, options: &Options) -> Exploration {
    let outcome = match doubts(program, options) {
        Some(doubts) if doubts.is_empty() => Outcome::Proved(Proof { invariants: Vec::new() }),
        Some(doubts) => {
            let named = doubts.into_iter().take(MOST_NAMED);
            Outcome::Unknown(named.map(|Doubt { span, what, .. }| Why { span, what }).collect())
        }
        None => {
            let span = program.function(program.entry).span;
            let what = "the program does what sets of values do not follow".to_owned();
            Outcome::Unknown(vec![Why { span, what }])
        }
    };
    Exploration::of_invariants(program, outcome, EFFORT)
}

/// The only places where something may go wrong, if anybody knows.
pub(crate) fn goals(program: &Program, options: &Options) -> Option<Vec<Location>> {
    Some(doubts(program, options)?.into_iter().map(|doubt| doubt.place).collect())
}
