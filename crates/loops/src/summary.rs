//! What a loop does, without the loop.

use crate::certificate::{Claim, Obligation};
use crate::logic::Logic;
use crate::problem::Loop;
use loupe_integer::Integer;
use loupe_solver::Error;
use loupe_term::Term;
use std::fmt;

/// What the cases of a summary describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tag {
    /// Precisely the executions that leave the loop: good to prove and to refute.
    Exact,
    /// The same, with a bounded universal quantifier.
    Template,
    /// All of them, and perhaps more: good to prove.
    Over,
    /// Some of them: good to refute, after a replay.
    Under,
}

impl Tag {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Tag::Exact => "exact",
            Tag::Template => "template",
            Tag::Over => "over",
            Tag::Under => "under",
        }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a loop does.
#[derive(Clone, Debug)]
pub struct Summary {
    /// What the cases describe.
    pub tag: Tag,
    /// The ways to leave the loop.
    pub cases: Vec<Case>,
    /// Entries from which the loop never ends, each certified. Complete only if [`Covers::All`].
    pub diverging: Vec<Divergence>,
    /// What the cases and the diverging entries cover together.
    pub covers: Covers,
    /// Why it is not better: what stood in the way.
    pub reasons: Vec<String>,
    /// What was proved for it.
    pub obligations: Vec<Obligation>,
    /// Cases that are certified one by one, where not all were found: a summary that is [`Tag::Under`] beside one that is [`Tag::Over`].
    pub under: Option<Box<Summary>>,
    /// For each path of the loop, inputs with which it is taken, where inputs decide: symbols of [`Path::fresh`](crate::Path::fresh) and values.
    pub witnesses: Vec<Vec<(Term, Term)>>,
}

impl Summary {
    /// A summary that says nothing but why there is none. It must not be applied: an approximation without cases would claim that the loop is never left.
    pub fn without_cases(reasons: Vec<String>) -> Self {
        Summary {
            tag: Tag::Over,
            cases: Vec::new(),
            diverging: Vec::new(),
            covers: Covers::Ending,
            reasons,
            obligations: Vec::new(),
            under: None,
            witnesses: Vec::new(),
        }
    }

    /// The same with other terms in the place of all.
    pub(crate) fn map(&self, put: &mut dyn FnMut(Term) -> Term) -> Self {
        let cases = self.cases.iter().map(|case| case.map(put)).collect();
        let diverging = self.diverging.iter().map(|set| Divergence {
            condition: put(set.condition),
            counters: all(put, &set.counters),
            trace: trace(put, &set.trace),
            forever: repeated(put, &set.forever),
        });
        let diverging = diverging.collect();
        let obligations = self.obligations.iter().map(|obligation| Obligation {
            name: obligation.name.clone(),
            claim: match &obligation.claim {
                Claim::Unsat(claim) => Claim::Unsat(put(*claim)),
                Claim::Identity(text) => Claim::Identity(text.clone()),
            },
        });
        let obligations = obligations.collect();
        Summary {
            tag: self.tag,
            cases,
            diverging,
            covers: self.covers,
            reasons: self.reasons.clone(),
            obligations,
            witnesses: self.witnesses.iter().map(|witness| pairs(put, witness)).collect(),
            under: self.under.as_ref().map(|under| Box::new(under.map(put))),
        }
    }

    /// A summary that was made for all entries, with what is known of the entry.
    pub(crate) fn at_entry(&mut self, logic: &mut Logic<'_>, problem: &Loop) -> Result<(), Error> {
        if problem.entry.is_empty() {
            return Ok(());
        }
        for mut case in std::mem::take(&mut self.cases) {
            let known: Vec<Term> = problem.entry.iter().copied().chain([case.condition]).collect();
            let all: Vec<Term> = problem.facts.iter().chain(&known).copied().collect();
            if !logic.refuted(&all)? {
                case.condition = logic.terms.and(known);
                self.cases.push(case);
            }
        }
        Ok(())
    }
}

/// What a summary covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covers {
    /// The executions that leave the loop. Of others nothing is said.
    Ending,
    /// Every entry: it is in a case or diverges, and nothing that is read makes a difference.
    All,
}

/// One way to go through a loop and leave it.
#[derive(Clone, Debug)]
pub struct Case {
    /// When it happens: over the values at entry, the symbols that do not change, [`Case::counters`] and [`Case::inputs`].
    pub condition: Term,
    /// Integer symbols of this case alone, which the condition restricts. Instantiations take fresh ones.
    pub counters: Vec<Term>,
    /// The fresh values of the last, leaving path. Instantiations take fresh ones.
    pub inputs: Vec<Term>,
    /// The value of each variable afterwards; ★ where it is not known.
    pub values: Vec<Term>,
    /// The value of each variable at the header where the leaving path begins, after the whole iterations; empty where that is not told.
    /// A variable that the leaving path changes has another value afterwards.
    pub before: Vec<Term>,
    /// By which exit.
    pub exit: usize,
    /// What is executed, in this order.
    pub trace: Vec<Segment>,
    /// The path that leaves, after the trace.
    pub last: usize,
    /// Sums of inputs that the values depend on.
    pub draws: Vec<Draw>,
    /// What iterations read, where that is known of all of them.
    pub streams: Vec<Stream>,
    /// Where there is no trace: how many iterations of these paths there are, over the same symbols as the condition. In which order is not said.
    pub taken: Vec<(Vec<usize>, Term)>,
}

/// What the iterations of a case read, one after the other.
#[derive(Clone, Debug)]
pub struct Stream {
    /// The input: a symbol of the paths.
    pub input: Term,
    /// What it is in an iteration: over symbols like those of the condition, and the number of the iteration.
    pub value: Term,
    /// The symbol of that number; the first iteration is 0.
    pub iteration: Term,
}

/// What the inputs of a path amount to in all of its iterations that do not have [inputs of their own](Segment::inputs). Each of them is any number of one
/// range, so their sum is any number of the range that is `count` times as wide: whoever wants single inputs may divide the total evenly.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The path.
    pub path: usize,
    /// The input: a symbol of the path.
    pub input: Term,
    /// Its least value, and its greatest.
    pub range: (Integer, Integer),
    /// How many iterations there are.
    pub count: Term,
    /// The sum: one of [`Case::counters`].
    pub total: Term,
}

/// A part of a trace: something repeated.
#[derive(Clone, Debug)]
pub struct Segment {
    /// What is repeated.
    pub what: Repeated,
    /// How often, over the same symbols as the condition of the case.
    pub count: Term,
    /// The values of the inputs, where they matter: symbols of the path, and terms like the count. Then the count is 1.
    pub inputs: Vec<(Term, Term)>,
}

impl Case {
    fn map(&self, put: &mut dyn FnMut(Term) -> Term) -> Self {
        let draw = |draw: &Draw, put: &mut dyn FnMut(Term) -> Term| Draw {
            path: draw.path,
            input: put(draw.input),
            range: draw.range.clone(),
            count: put(draw.count),
            total: put(draw.total),
        };
        Case {
            condition: put(self.condition),
            counters: all(put, &self.counters),
            inputs: all(put, &self.inputs),
            values: all(put, &self.values),
            before: all(put, &self.before),
            exit: self.exit,
            trace: trace(put, &self.trace),
            last: self.last,
            draws: self.draws.iter().map(|own| draw(own, put)).collect(),
            streams: self
                .streams
                .iter()
                .map(|own| Stream {
                    input: put(own.input),
                    value: put(own.value),
                    iteration: own.iteration,
                })
                .collect(),
            taken: self.taken.iter().map(|(paths, count)| (paths.clone(), put(*count))).collect(),
        }
    }
}

fn all(put: &mut dyn FnMut(Term) -> Term, terms: &[Term]) -> Vec<Term> {
    terms.iter().map(|term| put(*term)).collect()
}

fn pairs(put: &mut dyn FnMut(Term) -> Term, pairs: &[(Term, Term)]) -> Vec<(Term, Term)> {
    pairs.iter().map(|(symbol, value)| (put(*symbol), put(*value))).collect()
}

fn trace(put: &mut dyn FnMut(Term) -> Term, segments: &[Segment]) -> Vec<Segment> {
    let segments = segments.iter().map(|segment| Segment {
        what: repeated(put, &segment.what),
        count: put(segment.count),
        inputs: pairs(put, &segment.inputs),
    });
    segments.collect()
}

fn repeated(put: &mut dyn FnMut(Term) -> Term, what: &Repeated) -> Repeated {
    match what {
        Repeated::Path(path) => Repeated::Path(*path),
        Repeated::Round(segments) => Repeated::Round(trace(put, segments)),
        Repeated::OneOf(paths) => Repeated::OneOf(paths.clone()),
    }
}

impl Segment {
    /// Something repeated, whatever it reads.
    pub fn new(what: Repeated, count: Term) -> Self {
        Segment { what, count, inputs: Vec::new() }
    }

    /// The same with other terms for its numbers.
    pub(crate) fn map(&self, mut put: impl FnMut(Term) -> Term) -> Self {
        let inputs = self.inputs.iter().map(|(input, value)| (*input, put(*value))).collect();
        Segment { what: self.what.clone(), count: put(self.count), inputs }
    }
}

/// What is repeated.
#[derive(Clone, Debug)]
pub enum Repeated {
    /// One path, by number.
    Path(usize),
    /// A round: paths one after the other, each so often as its count says, which is over the values at the start of the round.
    Round(Vec<Segment>),
    /// One of several paths each time: the one whose guard holds then.
    OneOf(Vec<usize>),
}

/// Entries from which the loop never ends.
#[derive(Clone, Debug)]
pub struct Divergence {
    /// Which entries: over the values at entry and [`Divergence::counters`].
    pub condition: Term,
    /// Integer symbols that the condition restricts.
    pub counters: Vec<Term>,
    /// What is executed before.
    pub trace: Vec<Segment>,
    /// What is then executed for ever.
    pub forever: Repeated,
}
