//! What is recalled is what would be found, in the words of the one who asks.

use super::Memory;
use crate::text;
use crate::{Effort, Loop, Summary, Tag, summarise};
use loupe_solver::{Chain, ChainOptions};
use loupe_term::{Term, Terms};

/// Loops with counters, inputs, rounds, diverging entries and approximations.
const LOOPS: [(&str, &str); 5] = [
    ("x n", "x < n -> x := x + 2; x >= n -> exit"),
    ("x", "in0 != 0 -> x := x + 3; in0 == 0 -> exit"),
    ("x n z", "x < n && z > x -> x := x + 1; x < n && z <= x -> z := z + 1; x >= n -> exit"),
    ("x", "x != 0 -> x := x - 2; x == 0 -> exit"),
    ("x y", "x < 1000 -> x := y, y := x + y; x >= 1000 -> exit"),
];

struct World {
    terms: Terms,
    chain: Chain,
    memory: Memory,
}

impl World {
    fn new() -> Self {
        let chain = Chain::new(ChainOptions::default());
        World { terms: Terms::new(), chain, memory: Memory::default() }
    }

    /// A loop with symbols of its own.
    fn problem(&mut self, (variables, text): (&str, &str)) -> Loop {
        let declared: Vec<_> = variables.split_whitespace().map(|name| (name, None)).collect();
        text::parse(&mut self.terms, &declared, text).problem
    }

    fn recall(&mut self, problem: &Loop, effort: &Effort) -> Option<Summary> {
        let recognised = self.memory.recognise(&mut self.terms, problem, effort);
        self.memory.recall(&mut self.terms, &recognised, effort)
    }

    fn learn(&mut self, problem: &Loop, effort: &Effort) -> Summary {
        let found = summarise(&mut self.terms, &mut self.chain, problem, effort);
        let summary = found.expect("no errors");
        let recognised = self.memory.recognise(&mut self.terms, problem, effort);
        self.memory.learn(&mut self.terms, recognised, &summary, effort);
        summary
    }
}

/// All symbols that cases speak of, beside their own.
fn speaks_of(terms: &Terms, summary: &Summary) -> Vec<Term> {
    let mut symbols = Vec::new();
    for case in &summary.cases {
        for term in case.values.iter().chain([&case.condition]) {
            for part in terms.post_order(*term) {
                let is_own = case.counters.contains(&part) || case.inputs.contains(&part);
                if matches!(terms.node(part), loupe_term::Node::Symbol(_)) && !is_own {
                    symbols.push(part);
                }
            }
        }
    }
    symbols
}

#[test]
fn a_problem_that_was_solved_is_recognised_whatever_its_symbols_are() {
    for text in LOOPS {
        let (mut world, effort) = (World::new(), Effort::default());
        let (first, second) = (world.problem(text), world.problem(text));
        assert!(world.recall(&first, &effort).is_none());
        let solved = world.learn(&first, &effort);
        let again = world.recall(&first, &effort).expect("it is known");
        let printed = |summary: &Summary| format!("{:?}", (&summary.cases, &summary.diverging));
        assert_eq!(printed(&solved), printed(&again), "{text:?}");
        let other = world.recall(&second, &effort).expect("it is known by another name");
        assert_eq!(other.tag, solved.tag);
        let foreign: Vec<Term> = first.variables.iter().map(|variable| variable.symbol).collect();
        let mentioned = speaks_of(&world.terms, &other);
        assert!(mentioned.iter().all(|symbol| !foreign.contains(symbol)), "{text:?}");
    }
}

#[test]
fn another_problem_is_not_mistaken_for_one_that_is_known() {
    let (mut world, effort) = (World::new(), Effort::default());
    let known = world.problem(LOOPS[0]);
    world.learn(&known, &effort);
    for text in [
        "x <= n -> x := x + 2; x > n -> exit",
        "x < n -> x := x + 1; x >= n -> exit",
        "x < n -> x := x + 2, n := n + 1; x >= n -> exit",
        "x < n -> x := x + 2; x >= n -> exit 1",
    ] {
        let other = world.problem(("x n", text));
        assert!(world.recall(&other, &effort).is_none(), "{text}");
    }
    let mut entered = world.problem(LOOPS[0]);
    let zero = world.terms.int(0);
    entered.entry.push(world.terms.eq(entered.variables[0].symbol, zero));
    assert!(world.recall(&entered, &effort).is_none());
}

#[test]
fn with_more_work_an_approximation_is_not_the_last_word() {
    let mut world = World::new();
    let short = Effort { work: 1_000, ..Effort::default() };
    let problem = world.problem(LOOPS[4]);
    assert_eq!(world.learn(&problem, &short).tag, Tag::Over);
    assert!(world.recall(&problem, &short).is_some());
    assert!(world.recall(&problem, &Effort::default()).is_none());
}
