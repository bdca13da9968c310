//! Soundness and completeness of compact symbolic execution (Slaby, Strejček and Trtík 2013, theorems 2 and 3), for random programs whose classic
//! tree is finite: every leaf of the classic tree is an instance of a leaf of the compact one, and every instance of a leaf of the compact tree is a
//! leaf of the classic one. Both are checked by the solver: conditions, ways to end and results.
//!
//! A leaf of the compact tree has parameters, except where the number of iterations is a term over the inputs: then one leaf stands for many of the classic tree. So
//! an instance is a leaf with its inputs and parameters, not with its parameters alone.

use super::{Dice, microc};
use loupe_ir::check::CheckKind;
use loupe_ir::program::Program;
use loupe_ir::source::Span;
use loupe_solver::{Answer, Chain, ChainOptions, Limits as SolverLimits};
use loupe_symbolic::domain::Symbolic;
use loupe_symbolic::explore::{
    End, Explorer, Leaf, Limits, LoopMode, Observer, Options, Stop, Templates,
};
use loupe_symbolic::search::{Strategy, strategy};
use loupe_symbolic::value::{Int, SymbolicValue};
use loupe_term::{Mapping, Node, Portable, Term, Terms};

/// How many programs are compared.
const PROGRAMS: u64 = 300;

/// How many inputs each of them reads, all at the beginning.
const INPUTS: usize = 2;

/// A leaf, as far as it is compared: its condition, its result and its inputs.
struct Kept {
    end: Option<(CheckKind, Span)>,
    terms: Portable,
}

/// Keeps leaves.
#[derive(Default)]
struct Leaves {
    kept: Vec<Kept>,
    /// Whether one of them cannot be compared.
    is_open: bool,
}

impl Observer for Leaves {
    fn leaf(&mut self, domain: &mut Symbolic, leaf: &Leaf) {
        let zero = domain.terms.int(0);
        let (end, result) = match &leaf.end {
            End::Returned(Some(SymbolicValue::Int(Int::Known(number)))) => {
                (None, domain.terms.int(number.clone()))
            }
            End::Returned(Some(SymbolicValue::Int(Int::Term(term)))) => (None, *term),
            End::Failed { kind, .. } => (Some((*kind, leaf.span)), zero),
            _ => {
                self.is_open = true;
                return;
            }
        };
        let inputs = leaf.streams.inputs();
        if inputs.len() != INPUTS || leaf.is_approximated {
            self.is_open = true;
            return;
        }
        let conditions = leaf.path.conditions();
        let condition = domain.terms.and(conditions);
        let mut roots = vec![condition, result];
        roots.extend(inputs.iter().map(|input| input.symbol));
        self.kept.push(Kept { end, terms: domain.terms.export(&roots) });
    }
}

/// The leaves of a tree, if it is finite and small and all of them can be compared.
fn leaves(program: &Program, loops: LoopMode, templates: Templates) -> Option<(Vec<Kept>, u64)> {
    let limits = Limits { depth: Some(20), iterations: Some(40), paths: Some(400), steps: None };
    let options = Options { limits, loops, templates, seed: 3, ..Options::default() };
    let mut found = Leaves::default();
    let explorer = Explorer::new(program, options, strategy(Strategy::Bfs, program, 0, &[]));
    let exploration = explorer.run(&mut found, &|_, _| None).expect("no bug");
    let is_whole = exploration.stop == Stop::Complete
        && exploration.cut_off == 0
        && exploration.unsure.is_empty()
        && !found.is_open;
    is_whole.then_some((found.kept, exploration.templates.applied))
}

/// A leaf over the common inputs.
struct Common {
    end: Option<(CheckKind, Span)>,
    condition: Term,
    result: Term,
}

fn common(terms: &mut Terms, inputs: &[Term], kept: Vec<Kept>) -> Vec<Common> {
    let mut all = Vec::new();
    for Kept { end, terms: portable } in kept {
        // Parameters of different leaves are different ones, even where they had the same name.
        let mut mapping = Mapping::into_arena(terms);
        let roots = terms.import(&portable, &mut mapping).expect("terms");
        let mut substitution = loupe_term::Substitution::default();
        for (theirs, ours) in roots[2..].iter().zip(inputs) {
            let Node::Symbol(id) = terms.node(*theirs) else { panic!("an input is a symbol") };
            substitution.insert(*id, *ours);
        }
        let condition = terms.substitute(roots[0], &substitution);
        let result = terms.substitute(roots[1], &substitution);
        all.push(Common { end, condition, result });
    }
    all
}

/// What must hold where one leaf is an instance of another.
fn same(terms: &mut Terms, a: &Common, b: &Common) -> Term {
    if a.end != b.end {
        return terms.bool(false);
    }
    let result = terms.eq(a.result, b.result);
    terms.and([b.condition, result])
}

fn expression(dice: &mut Dice) -> String {
    let (a, b) = (dice.pick(&["c", "d", "a", "b", "i"]), dice.pick(&["1", "2", "c", "d", "i"]));
    match dice.below(4) {
        0 => a.to_owned(),
        1 => format!("{a} - {b}"),
        2 => format!("2 * {a}"),
        _ => format!("{a} + {b}"),
    }
}

fn condition(dice: &mut Dice) -> String {
    let (left, right) = (dice.pick(&["c", "d", "a", "i"]), dice.pick(&["0", "1", "3", "b", "d"]));
    let sign = dice.pick(&["<", ">", "<=", "==", "!="]);
    format!("{left} {sign} {right}")
}

fn assignments(dice: &mut Dice) -> String {
    let mut text = String::new();
    for _ in 0..=dice.below(2) {
        let target = dice.pick(&["c", "d"]);
        // Mostly steps, which templates are made for.
        match dice.below(5) {
            0 => text += &format!("{target} = {}; ", expression(dice)),
            1 => text += &format!("{target} = {target} - 2; "),
            _ => text += &format!("{target} = {target} + 1; "),
        }
    }
    text
}

fn body(dice: &mut Dice) -> String {
    match dice.below(4) {
        0 => assignments(dice),
        1 => format!(
            "if ({}) {{ {}}} else {{ {}}} ",
            condition(dice),
            assignments(dice),
            assignments(dice)
        ),
        2 => format!("{}if ({}) {{ {}}} ", assignments(dice), condition(dice), assignments(dice)),
        _ => format!(
            "j = 0; while (j < {}) {{ j = j + 1; {}}} ",
            dice.pick(&["2", "i", "3"]),
            assignments(dice)
        ),
    }
}

/// A program that reads two small numbers; its loops end.
pub(super) fn program(seed: u64) -> String {
    let dice = &mut Dice(seed.wrapping_mul(0x9e37_79b9) + 17);
    let mut loops = String::new();
    for _ in 0..=dice.below(2) {
        let start = dice.pick(&["0", "1", "b"]);
        let step = dice.pick(&["1", "1", "2"]);
        let more = match dice.below(3) {
            0 => format!(" && {}", condition(dice)),
            _ => String::new(),
        };
        loops += &format!("i = {start}; while (i < a{more}) {{ {}i = i + {step}; }} ", body(dice));
    }
    let fails = match dice.below(3) {
        0 => format!("if (c == {}) {{ d = 1 / (c - c); }} ", dice.below(4)),
        _ => String::new(),
    };
    format!(
        "main() {{ var a, b, c, d, i, j; a = input; b = input; j = 0; \
         if (a < 0 || a > 5 || b < -1 || b > 2) {{ a = 0; b = 0; }} \
         c = b; d = 1; {loops}{fails}return c * 100 + d * 10 + i + j; }}"
    )
}

#[test]
fn leaves_of_both_trees_are_instances_of_each_other() {
    let (mut compared, mut applied) = (0, 0);
    for seed in 0..PROGRAMS {
        let text = program(seed);
        let program = microc(&text);
        let Some((classic, _)) = leaves(&program, LoopMode::Unroll, Templates::InTurns) else {
            continue;
        };
        for templates in [Templates::InTurns, Templates::AtRandom] {
            let compact = leaves(&program, LoopMode::Compact, templates);
            let Some((compact, times)) = compact else { continue };
            applied += times;
            let mut terms = Terms::new();
            let mut chain = Chain::new(ChainOptions::default());
            let limits = SolverLimits::default();
            let inputs = [terms.int_symbol("a"), terms.int_symbol("b")];
            let classic: Vec<Kept> = classic
                .iter()
                .map(|kept| Kept { end: kept.end, terms: kept.terms.clone() })
                .collect();
            let classic = common(&mut terms, &inputs, classic);
            let compact = common(&mut terms, &inputs, compact);
            // Every execution of a compact leaf is one of the classic leaves, with the same result.
            for leaf in &compact {
                let mut never = vec![leaf.condition];
                for other in &classic {
                    let same = same(&mut terms, leaf, other);
                    never.push(terms.not(same));
                }
                let answer = chain.check(&mut terms, &never, &limits).expect("no bug");
                assert!(matches!(answer, Answer::Unsat(_)), "{text}\n{templates:?}: {answer:?}");
            }
            // Every execution of a classic leaf is one of a compact leaf, or of several that agree: cases of a summary may overlap.
            for leaf in &classic {
                for a in 0..=5 {
                    for b in -1..=2 {
                        let given = [(inputs[0], a), (inputs[1], b)].map(|(input, value)| {
                            let value = terms.int(value);
                            terms.eq(input, value)
                        });
                        let own: Vec<Term> =
                            given.iter().copied().chain([leaf.condition]).collect();
                        if !is_possible(&mut chain, &mut terms, &own) {
                            continue;
                        }
                        let mut instances = 0;
                        for other in &compact {
                            let mut all = own.clone();
                            all.push(other.condition);
                            if is_possible(&mut chain, &mut terms, &all) {
                                instances += 1;
                                all.push(same(&mut terms, leaf, other));
                                let is_same = is_possible(&mut chain, &mut terms, &all);
                                assert!(is_same, "{text}\n{templates:?}: a = {a}, b = {b}");
                            }
                        }
                        assert!(instances > 0, "{text}\n{templates:?}: a = {a}, b = {b}");
                    }
                }
            }
            compared += 1;
        }
    }
    println!("{compared} trees compared, {applied} templates applied");
    assert!(compared > 400 && applied > 1_000, "{compared} {applied}");
}

fn is_possible(chain: &mut Chain, terms: &mut Terms, assertions: &[Term]) -> bool {
    match chain.check(terms, assertions, &SolverLimits::default()).expect("no bug") {
        Answer::Sat(_) => true,
        Answer::Unsat(_) => false,
        Answer::Unknown(reason) => panic!("{reason}"),
    }
}
