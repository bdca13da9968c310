//! Summaries against running the loop.

use crate::inputs;
use crate::random::Random;
use crate::text::{Parsed, bounds, parse, width};
use loupe_integer::Integer;
use loupe_loops::{Effort, End, Loop, Summary, Tag, summarise};
use loupe_solver::{Answer, Chain, ChainOptions};
use loupe_term::{Assignment, Node, Term, Terms, Value};

/// What became of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Left(usize, Vec<Integer>),
    Endless,
}

pub(crate) struct Checked {
    pub(crate) summary: Summary,
    pub(crate) terms: Terms,
    pub(crate) problem: Loop,
    pub(crate) text: String,
}

/// Summarises a loop and compares the summary with runs from all entries in a small range.
pub(crate) fn check(variables: &str, text: &str) -> Checked {
    let (mut checked, symbols) = summarised(variables, text, &Effort::default());
    if checked.summary.tag == Tag::Exact {
        for entry in entries(&symbols) {
            compare(&checked, &entry);
        }
        let symbols: Vec<Term> = symbols.iter().map(|(symbol, _)| *symbol).collect();
        inputs::compare(&mut checked, &symbols, 1);
    }
    checked
}

/// The same with some random entries.
pub(crate) fn check_sampled(variables: &str, text: &str, seed: u64, effort: &Effort) -> Checked {
    let (mut checked, symbols) = summarised(variables, text, effort);
    let samples = match checked.summary.tag {
        Tag::Exact => 60,
        Tag::Over => 6,
        Tag::Template | Tag::Under => 0,
    };
    {
        let mut random = Random::new(seed);
        for _ in 0..samples {
            let entry: Vec<(Term, Integer)> = symbols
                .iter()
                .map(|(symbol, kind)| {
                    let near = random.below(16) as i128 - 5;
                    let value = match kind.map(bounds) {
                        Some((low, high)) => match random.below(4) {
                            0 => low + random.below(4) as i128,
                            1 => high - random.below(4) as i128,
                            _ => near.clamp(low, high),
                        },
                        None => near,
                    };
                    (*symbol, Integer::from(value))
                })
                .collect();
            match checked.summary.tag {
                Tag::Exact => compare(&checked, &entry),
                _ => compare_over(&mut checked, &entry),
            }
        }
        let symbols: Vec<Term> = symbols.iter().map(|(symbol, _)| *symbol).collect();
        if checked.summary.tag == Tag::Exact {
            inputs::compare(&mut checked, &symbols, seed);
        }
        follow_part(&mut checked, &symbols);
    }
    checked
}

/// Cases that are certified though others are missing happen like any others.
pub(crate) fn follow_part(checked: &mut Checked, symbols: &[Term]) -> usize {
    let Some(part) = checked.summary.under.take() else { return 0 };
    assert_eq!((checked.summary.tag, part.tag), (Tag::Over, Tag::Under));
    let whole = std::mem::replace(&mut checked.summary, *part);
    let cases = checked.summary.cases.len();
    for case in 0..cases {
        inputs::follow(checked, case, symbols);
    }
    let part = std::mem::replace(&mut checked.summary, whole);
    checked.summary.under = Some(Box::new(part));
    cases
}

type Symbols = Vec<(Term, Option<loupe_term::Width>)>;

pub(crate) fn summarised(variables: &str, text: &str, effort: &Effort) -> (Checked, Symbols) {
    let declared: Vec<(&str, Option<loupe_term::Width>)> = variables
        .split_whitespace()
        .map(|part| match part.split_once(':') {
            Some((name, kind)) => (name, Some(width(kind))),
            None => (part, None),
        })
        .collect();
    let mut terms = Terms::new();
    let Parsed { problem, names } = parse(&mut terms, &declared, text);
    let mut chain = Chain::new(ChainOptions::default());
    let summary = summarise(&mut terms, &mut chain, &problem, effort).expect("no errors");
    let kind = |name: &String| declared.iter().find(|(n, _)| n == name).and_then(|(_, kind)| *kind);
    let symbols = names.iter().map(|(name, symbol)| (*symbol, kind(name))).collect();
    (Checked { summary, terms, problem, text: format!("{variables} | {text}") }, symbols)
}

impl Checked {
    /// The summary must be exact.
    pub(crate) fn exact(self) -> Self {
        assert_eq!(self.summary.tag, Tag::Exact, "{:?} in {}", self.summary.reasons, self.text);
        self
    }

    /// So many ways out and endless ones.
    pub(crate) fn counts(self, cases: usize, diverging: usize) -> Self {
        let shown = self.shown();
        assert_eq!(
            (self.summary.cases.len(), self.summary.diverging.len()),
            (cases, diverging),
            "{shown}"
        );
        self
    }

    pub(crate) fn shown(&self) -> String {
        let mut text = String::new();
        for case in &self.summary.cases {
            let values: Vec<String> = case.values.iter().map(|v| self.terms.text(*v)).collect();
            text +=
                &format!("{} => {values:?} by {}\n", self.terms.text(case.condition), case.exit);
        }
        for set in &self.summary.diverging {
            text += &format!("{} => endless\n", self.terms.text(set.condition));
        }
        text
    }
}

/// Values from small ranges, at the ends of types too.
fn entries(symbols: &[(Term, Option<loupe_term::Width>)]) -> Vec<Vec<(Term, Integer)>> {
    let mut all: Vec<Vec<(Term, Integer)>> = vec![Vec::new()];
    let few = symbols.len() > 3;
    for (symbol, kind) in symbols {
        let mut values: Vec<i128> = if few { vec![-2, 0, 1, 3, 4] } else { (-3..=7).collect() };
        if let Some(kind) = kind {
            let (low, high) = bounds(*kind);
            values.retain(|value| (low..=high).contains(value));
            values.extend([high, high - 1, low, low + 1, high / 2]);
            values.dedup();
        } else if !few {
            values.push(40);
        }
        all = all
            .into_iter()
            .flat_map(|entry| {
                values.clone().into_iter().map(move |value| {
                    let mut entry = entry.clone();
                    entry.push((*symbol, Integer::from(value)));
                    entry
                })
            })
            .collect();
    }
    all
}

pub(crate) fn assignment(terms: &Terms, values: &[(Term, Integer)]) -> Assignment {
    let mut assignment = Assignment::default();
    for (symbol, value) in values {
        if let Node::Symbol(id) = terms.node(*symbol) {
            assignment.symbols.insert(*id, Value::Int(value.clone()));
        }
    }
    assignment
}

pub(crate) fn number(terms: &Terms, term: Term, at: &Assignment) -> Option<Integer> {
    match terms.evaluate(term, at) {
        Ok(Value::Int(value)) => Some(value),
        Err(loupe_term::NoValue::TooLarge) => None,
        other => panic!("{} is {other:?}", terms.text(term)),
    }
}

/// Runs the loop, which must not read inputs.
fn run(terms: &Terms, problem: &Loop, entry: &[(Term, Integer)]) -> Option<(Fate, usize)> {
    let mut values = entry.to_vec();
    let mut seen = std::collections::HashSet::new();
    for iterations in 0..3_000 {
        let at = assignment(terms, &values);
        let taken = problem.paths.iter().find(|path| terms.holds(path.guard, &at) == Ok(true))?;
        let after: Option<Vec<Integer>> =
            taken.updates.iter().map(|update| number(terms, *update, &at)).collect();
        let after = after?;
        match taken.end {
            End::Exit(exit) => return Some((Fate::Left(exit, after), iterations)),
            End::Again => {}
        }
        for (variable, value) in problem.variables.iter().zip(after) {
            match values.iter_mut().find(|(symbol, _)| *symbol == variable.symbol) {
                Some(slot) => slot.1 = value,
                None => values.push((variable.symbol, value)),
            }
        }
        if !seen.insert(values.iter().map(|(_, v)| v.to_string()).collect::<Vec<_>>()) {
            return Some((Fate::Endless, iterations));
        }
    }
    None
}

pub(crate) fn compare(checked: &Checked, entry: &[(Term, Integer)]) {
    let Checked { summary, terms, problem, text } = checked;
    if problem.paths.iter().any(|path| !path.fresh.is_empty()) {
        return;
    }
    let at = assignment(terms, entry);
    let shown: Vec<String> =
        entry.iter().map(|(s, v)| format!("{} = {v}", terms.text(*s))).collect();
    if !terms.all_hold(&problem.facts, &at) {
        return;
    }
    let mut fates = Vec::new();
    let has_counters = summary.cases.iter().any(|case| !case.counters.is_empty())
        || summary.diverging.iter().any(|set| !set.counters.is_empty());
    for case in &summary.cases {
        for counters in counts(case.counters.len()) {
            let mut with = entry.to_vec();
            with.extend(case.counters.iter().copied().zip(counters));
            let at = assignment(terms, &with);
            if terms.holds(case.condition, &at) == Ok(true) {
                // Powers may be too large to be written down.
                let values = case.values.iter().map(|value| number(terms, *value, &at));
                let Some(values) = values.collect::<Option<Vec<Integer>>>() else { return };
                // Two cases may speak of one execution, if they say the same of it.
                let fate = Fate::Left(case.exit, values);
                if !fates.contains(&fate) {
                    fates.push(fate);
                }
            }
        }
    }
    let diverges = summary.diverging.iter().any(|set| {
        counts(set.counters.len()).into_iter().any(|counters| {
            let mut with = entry.to_vec();
            with.extend(set.counters.iter().copied().zip(counters));
            terms.holds(set.condition, &assignment(terms, &with)) == Ok(true)
        })
    });
    match run(terms, problem, entry) {
        // Too many for the counters that are tried.
        Some((_, iterations)) if has_counters && iterations > FEW => {}
        Some((Fate::Left(exit, values), _)) => {
            assert_eq!(
                fates,
                [Fate::Left(exit, values)],
                "from {shown:?} in {text}\n{}",
                checked.shown()
            );
            assert!(!diverges, "from {shown:?} it ends: {text}");
        }
        Some((Fate::Endless, _)) => {
            assert!(
                fates.is_empty(),
                "from {shown:?} it never ends: {fates:?} in {text}\n{}",
                checked.shown()
            );
            assert!(diverges, "from {shown:?} it never ends: {text}\n{}", checked.shown());
        }
        // Too long to run, and to find its counters: whatever the summary says is one answer.
        None if has_counters => {}
        None => assert!(
            fates.len() + usize::from(diverges) == 1,
            "from {shown:?}: {fates:?} {diverges}"
        ),
    }
}

/// What a run ends with must be in some case.
fn compare_over(checked: &mut Checked, entry: &[(Term, Integer)]) {
    if !checked.terms.all_hold(&checked.problem.facts, &assignment(&checked.terms, entry)) {
        return;
    }
    let Some((Fate::Left(exit, values), _)) = run(&checked.terms, &checked.problem, entry) else {
        return;
    };
    let mut chain = Chain::new(ChainOptions::default());
    let limits = Effort::default().limits;
    let terms = &mut checked.terms;
    let mut start = Vec::new();
    for (symbol, value) in entry {
        let value = terms.int(value.clone());
        start.push(terms.eq(*symbol, value));
    }
    let possible = checked.summary.cases.iter().filter(|case| case.exit == exit).any(|case| {
        let mut query = start.clone();
        query.push(case.condition);
        for (term, value) in case.values.iter().zip(&values) {
            let value = terms.int(value.clone());
            query.push(terms.eq(*term, value));
        }
        !matches!(chain.check(terms, &query, &limits), Ok(Answer::Unsat(_)))
    });
    assert!(
        possible,
        "{entry:?} leads to {exit} with {values:?} in {}\n{}",
        checked.text,
        checked.shown()
    );
}

/// So many iterations are looked for among counters.
const FEW: usize = 15;

/// Values for so many counters.
fn counts(number: usize) -> Vec<Vec<Integer>> {
    let mut all = vec![Vec::new()];
    let most = if number > 1 { FEW + 1 } else { 4 * FEW };
    for _ in 0..number {
        all = all
            .into_iter()
            .flat_map(|start: Vec<Integer>| {
                (0..most).map(move |value| {
                    start.iter().cloned().chain([Integer::from(value as i64)]).collect()
                })
            })
            .collect();
    }
    all
}
