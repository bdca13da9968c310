//! Many iterations of one path at once.
//!
//! The values after k iterations are the closed forms of the `recurrence` module. The guard must hold in all of them, and this is shown
//! literal by literal (GUIDE 4.2, after LoAT): an affine literal in its first and last iteration, whichever its slope asks for; another one if it is proved to be
//! preserved by an iteration (the first is enough) or inherited backwards (the last is enough), given the literals settled *before* it and
//! never the whole guard. A literal that reads elements of arrays, and for which nothing is proved, becomes a condition on all iterations: a template. Any other ends the
//! attempt: the path is not accelerated.

mod arrays;
mod forms;

use crate::logic::Logic;
use crate::step::Steps;
use forms::forms;
use loupe_integer::Integer;
use loupe_solver::Error;
use loupe_term::{Node, Origin, Quantifier, Rounding, Sort, Substitution, SymbolId, Term};

/// So many iterations are tried one by one where there is no closed form.
const MAX_UNROLLED: usize = 40;
/// Larger formulas are not unrolled.
const MAX_SIZE: usize = 400;
/// Longer periods are not looked for.
const MAX_PERIOD: usize = 12;

/// One iteration: when, and what becomes of the variables.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) guard: Vec<Term>,
    pub(crate) updates: Vec<Term>,
}

/// What several iterations do.
#[derive(Clone, Debug)]
pub(crate) struct Runs {
    /// Exactly 1, 2, … iterations.
    pub(crate) fixed: Vec<Fixed>,
    /// More than these.
    pub(crate) more: More,
    /// Whether it can go on for ever.
    pub(crate) endless: Endless,
}

/// A fixed number of iterations.
#[derive(Clone, Debug)]
pub(crate) struct Fixed {
    pub(crate) condition: Vec<Term>,
    pub(crate) values: Vec<Term>,
}

/// More than a fixed number of iterations.
#[derive(Clone, Debug)]
pub(crate) enum More {
    /// There cannot be more.
    Never,
    /// Any number from the least on.
    Many(Many),
    /// With a period of so many iterations.
    Period(usize),
    /// Not known, and why; a literal of the guard may be to blame.
    Unknown(String, Option<Term>),
}

/// A number of iterations, k.
#[derive(Clone, Debug)]
pub(crate) struct Many {
    /// k.
    pub(crate) count: Term,
    /// What k is at least.
    pub(crate) least: usize,
    /// Over the values before and k: the guard holds in all k iterations.
    pub(crate) condition: Vec<Term>,
    /// The values after k iterations.
    pub(crate) values: Vec<Term>,
    /// Literals that fail at some time.
    pub(crate) growing: Vec<Growing>,
    /// Why each literal of the guard holds in all iterations.
    pub(crate) argument: Vec<Settled>,
}

/// A literal of a guard, and why it holds in iterations `least - 1 + n` for n from 0 to k - least.
#[derive(Clone, Debug)]
pub(crate) struct Settled {
    /// The literal over the values in iteration `least - 1 + n`.
    pub(crate) moving: Term,
    pub(crate) why: Why,
}

/// Why a literal holds in all iterations.
#[derive(Clone, Debug)]
pub(crate) enum Why {
    /// It is affine in n with a constant slope: that it holds everywhere is a linear question.
    Affine,
    /// It is affine in n with a slope that does not change: it holds where it holds first and last.
    Ends,
    /// An iteration preserves it: this cannot be.
    Preserved(Term),
    /// It is inherited backwards: this cannot be.
    Inherited(Term),
    /// It is a fact: it holds at every header.
    Fact,
    /// Nothing is known but that it does: the condition says so, for all n.
    Required,
}

/// A literal `start + slope · n ≤ 0` with a positive slope, in iteration `least - 1 + n`.
#[derive(Clone, Debug)]
pub(crate) struct Growing {
    pub(crate) start: Term,
    pub(crate) slope: Integer,
}

/// Whether iterations can go on for ever.
#[derive(Clone, Debug)]
pub(crate) enum Endless {
    /// They cannot.
    Never,
    /// From these values they do: a recurrent set, not yet certified.
    If(Vec<Term>),
    /// Not known; a literal of the guard may be to blame.
    Unknown(Option<Term>),
}

impl Runs {
    /// Exactly so many iterations of the body.
    pub(crate) fn exactly(
        &self,
        logic: &mut Logic<'_>,
        steps: &Steps,
        body: &Body,
        count: Term,
    ) -> Option<Fixed> {
        let number = logic.terms.as_int(count).and_then(Integer::to_usize);
        if let Some(fixed) = number.and_then(|number| self.fixed.get(number.checked_sub(1)?)) {
            return Some(fixed.clone());
        }
        if number == Some(1) {
            return Some(Fixed { condition: body.guard.clone(), values: body.updates.clone() });
        }
        if let Some(number) = number.filter(|number| (1..=4).contains(number)) {
            let mut fixed = Fixed { condition: Vec::new(), values: steps.symbols.clone() };
            for _ in 0..number {
                let store = steps.store(&fixed.values);
                fixed.condition.extend(logic.put_all(&body.guard, &store));
                fixed.values = logic.put_all(&body.updates, &store);
            }
            return Some(fixed);
        }
        let More::Many(many) = &self.more else { return None };
        let store = Substitution::from_iter([(logic.symbol_of(many.count)?, count)]);
        let condition = logic.put_all(&many.condition, &store);
        Some(Fixed { condition, values: logic.put_all(&many.values, &store) })
    }
}

impl Many {
    /// The number of iterations as a term, if what holds afterwards says that a growing literal has just failed.
    pub(crate) fn explicit(
        &self,
        logic: &mut Logic<'_>,
        facts: &[Term],
        afterwards: &[Term],
    ) -> Result<Option<Term>, Error> {
        for growing in &self.growing {
            let begin = logic.terms.int(self.least as i64 - 1);
            let n = logic.terms.sub(self.count, begin);
            let at_end = logic.terms.add_scaled(growing.start, n, &growing.slope);
            let still = logic.terms.non_positive(at_end);
            let all: Vec<Term> = facts
                .iter()
                .chain(&self.condition)
                .chain(afterwards)
                .copied()
                .chain([still])
                .collect();
            if logic.refuted(&all)? {
                // The literal held in iteration k - 1 and does not in iteration k, so k is the first such.
                let negated = logic.terms.neg(growing.start);
                let slope = logic.terms.int(growing.slope.clone());
                let last = logic.terms.quotient(Rounding::Euclidean, negated, slope);
                let count = logic.terms.int(self.least);
                return Ok(Some(logic.terms.add(last, count)));
            }
        }
        Ok(None)
    }
}

/// Repeats a body.
pub(crate) fn accelerate(logic: &mut Logic<'_>, steps: &Steps, body: &Body) -> Result<Runs, Error> {
    let once = Fixed { condition: body.guard.clone(), values: body.updates.clone() };
    let mut runs = Runs { fixed: vec![once], more: More::Never, endless: Endless::Never };
    if !extend(logic, steps, body, &mut runs)? {
        return Ok(runs);
    }
    let count = logic.terms.fresh("k", Sort::Int, Origin::default());
    match closed(logic, steps, body, count)? {
        Ok((first, many, endless)) => {
            while runs.fixed.len() < first.max(1) {
                if !extend(logic, steps, body, &mut runs)? {
                    return Ok(runs);
                }
            }
            runs.fixed.truncate(many.least - 1);
            runs.more = More::Many(many);
            runs.endless = endless;
        }
        Err(WhyNot::Period(period)) => {
            while runs.fixed.len() < period {
                if !extend(logic, steps, body, &mut runs)? {
                    return Ok(runs);
                }
            }
            runs.more = More::Period(period);
            runs.endless = Endless::Unknown(None);
        }
        Err(WhyNot::Because(reason, literal)) => {
            // What grows fast enough ends soon in a fixed width.
            for _ in 0..MAX_UNROLLED {
                if !extend(logic, steps, body, &mut runs)? {
                    return Ok(runs);
                }
                // Terms that nobody can handle any more do not get better.
                let Some(last) = runs.fixed.last() else { break };
                let all: Vec<Term> = steps.facts.iter().chain(&last.condition).copied().collect();
                let is_large = all.iter().any(|term| logic.terms.size(*term) > MAX_SIZE);
                if is_large || logic.possible(&all)?.is_none() {
                    break;
                }
            }
            runs.more = More::Unknown(reason, literal);
            runs.endless = Endless::Unknown(None);
        }
    }
    Ok(runs)
}

/// One iteration more than the fixed ones; `false` if there cannot be.
fn extend(
    logic: &mut Logic<'_>,
    steps: &Steps,
    body: &Body,
    runs: &mut Runs,
) -> Result<bool, Error> {
    let Some(last) = runs.fixed.last() else { return Ok(false) };
    let store = steps.store(&last.values);
    let mut condition = last.condition.clone();
    condition.extend(logic.put_all(&body.guard, &store));
    let all: Vec<Term> = steps.facts.iter().chain(&condition).copied().collect();
    if logic.refuted(&all)? {
        return Ok(false);
    }
    let values = logic.put_all(&body.updates, &store);
    runs.fixed.push(Fixed { condition, values });
    Ok(true)
}

enum WhyNot {
    Period(usize),
    Because(String, Option<Term>),
}

/// The closed forms and the guard argument. Also gives how many iterations are not among the closed forms.
#[allow(clippy::type_complexity)]
fn closed(
    logic: &mut Logic<'_>,
    steps: &Steps,
    body: &Body,
    count: Term,
) -> Result<Result<(usize, Many, Endless), WhyNot>, Error> {
    let forms = match forms(logic, steps, body, count)? {
        Ok(forms) => forms,
        Err(reason) => return Ok(Err(WhyNot::Because(reason, None))),
    };
    let first = forms.iter().map(|form| form.first.len()).max().unwrap_or(0);
    let period = forms.iter().fold(1, |all, form| lcm(all, form.classes.len().max(1)));
    if period > MAX_PERIOD {
        return Ok(Err(WhyNot::Because("the values have a long period".into(), None)));
    }
    if period > 1 {
        return Ok(Err(WhyNot::Period(period)));
    }
    let least = first + 1;
    // Values after first + n iterations; n is what the count's symbol stands for in a class.
    let Some(symbol) = logic.symbol_of(count) else {
        return Ok(Err(WhyNot::Because("no counter".into(), None)));
    };
    let mut later = Vec::new();
    for form in &forms {
        let ahead = logic.terms.int((first - form.first.len()) as i64);
        let n = logic.terms.add(count, ahead);
        later.push(logic.put(form.classes[0], &Substitution::from_iter([(symbol, n)])));
    }
    let mut guard = Argument {
        body,
        steps,
        symbol,
        count,
        least,
        condition: Vec::new(),
        growing: Vec::new(),
        endless: Some(Vec::new()),
        is_bounded: false,
        settled: Vec::new(),
        arguments: Vec::new(),
        open: None,
    };
    guard.begin(logic)?;
    if let Err(literal) = guard.settle(logic, &later)? {
        let text = logic.terms.text(literal);
        let reason = format!("whether {text} holds in all iterations is not known");
        return Ok(Err(WhyNot::Because(reason, Some(literal))));
    }
    let begin = logic.terms.int(first as i64);
    let n = logic.terms.sub(count, begin);
    let store = Substitution::from_iter([(symbol, n)]);
    let values = logic.put_all(&later, &store);
    let endless = match (guard.is_bounded, guard.endless) {
        (true, _) => Endless::Never,
        (false, Some(conditions)) => Endless::If(conditions),
        (false, None) => Endless::Unknown(guard.open),
    };
    let endless = match endless {
        Endless::If(set) if !is_recurrent(logic, steps, body, &set)? => Endless::Unknown(None),
        other => other,
    };
    let many = Many {
        count,
        least,
        condition: guard.condition,
        values,
        growing: guard.growing,
        argument: guard.arguments,
    };
    Ok(Ok((first, many, endless)))
}

/// Whether a set is a certificate of divergence: the guard holds in it, and an iteration leads from it into it.
pub(crate) fn is_recurrent(
    logic: &mut Logic<'_>,
    steps: &Steps,
    body: &Body,
    set: &[Term],
) -> Result<bool, Error> {
    let given: Vec<Term> = steps.facts.iter().chain(set).copied().collect();
    let store = steps.store(&body.updates);
    let after = logic.put_all(set, &store);
    for claim in body.guard.iter().chain(&after) {
        if !logic.proves(&given, *claim)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// The argument that a guard holds in iterations 0 … k-1.
struct Argument<'a> {
    body: &'a Body,
    steps: &'a Steps,
    symbol: SymbolId,
    count: Term,
    least: usize,
    condition: Vec<Term>,
    growing: Vec<Growing>,
    /// When it holds for ever, as far as that is a condition on the first values.
    endless: Option<Vec<Term>>,
    /// Some literal fails at some time, whatever the values are.
    is_bounded: bool,
    /// Literals that are known to hold in all k iterations.
    settled: Vec<Term>,
    arguments: Vec<Settled>,
    /// A literal of which it is not known whether it ever fails.
    open: Option<Term>,
}

impl Argument<'_> {
    /// k is large enough, and the guard holds in the iterations before the closed forms begin.
    fn begin(&mut self, logic: &mut Logic<'_>) -> Result<(), Error> {
        let least = logic.terms.int(self.least as i64);
        self.condition.push(logic.terms.le(least, self.count));
        let mut values = self.steps.symbols.clone();
        for _ in 1..self.least {
            let store = self.steps.store(&values);
            let guard = logic.put_all(&self.body.guard, &store);
            self.require_first(&guard);
            values = logic.put_all(&self.body.updates, &store);
        }
        Ok(())
    }

    fn require_first(&mut self, literals: &[Term]) {
        self.condition.extend(literals);
        if let Some(endless) = &mut self.endless {
            endless.extend(literals);
        }
    }

    /// The literals from iteration `least - 1` on, given the values in iteration `least - 1 + n`.
    fn settle(&mut self, logic: &mut Logic<'_>, later: &[Term]) -> Result<Result<(), Term>, Error> {
        let store = self.steps.store(later);
        let mut hard = Vec::new();
        for literal in self.body.guard.clone() {
            let moving = logic.put(literal, &store);
            if self.steps.facts.contains(&literal) {
                self.settled.push(literal);
                self.arguments.push(Settled { moving, why: Why::Fact });
            } else if let Some(why) = self.affine(logic, moving) {
                self.settled.push(literal);
                self.arguments.push(Settled { moving, why });
            } else {
                hard.push((literal, moving));
            }
        }
        // One settled literal may be what another one needs. What is preserved comes first: it says more.
        while !hard.is_empty() {
            let mut found = None;
            for (at, (literal, moving)) in hard.iter().enumerate() {
                if self.preserved(logic, *literal, *moving)? {
                    found = Some(at);
                    break;
                }
            }
            for (at, (literal, moving)) in hard.iter().enumerate() {
                if found.is_none() && self.inherited(logic, *literal, *moving)? {
                    found = Some(at);
                }
            }
            let Some(at) = found else { return Ok(self.require(logic, &hard)) };
            let (literal, _) = hard.remove(at);
            self.settled.push(literal);
        }
        Ok(Ok(()))
    }

    /// Literals that read arrays hold in all iterations if that is a condition: then this is a template. For others there may be a better way.
    fn require(&mut self, logic: &mut Logic<'_>, hard: &[(Term, Term)]) -> Result<(), Term> {
        let reads = |logic: &Logic<'_>, moving: Term| {
            let parts = logic.terms.post_order(moving);
            parts.iter().any(|part| matches!(logic.terms.node(*part), Node::Select(..)))
        };
        if let Some((literal, _)) = hard.iter().find(|(_, moving)| !reads(logic, *moving)) {
            return Err(*literal);
        }
        let moving = logic.terms.and(hard.iter().map(|(_, moving)| *moving));
        let least = logic.terms.int(self.least as i64);
        let last = logic.terms.sub(self.count, least);
        let Some(all) = everywhere(logic, moving, self.symbol, last) else { return Err(hard[0].0) };
        self.condition.push(all);
        self.arguments.push(Settled { moving, why: Why::Required });
        self.endless = None;
        Ok(())
    }

    /// A literal at n, at 0 and at the last n, which is k - least.
    fn at(&self, logic: &mut Logic<'_>, moving: Term) -> (Term, Term) {
        let zero = logic.terms.int(0);
        let first = logic.put(moving, &Substitution::from_iter([(self.symbol, zero)]));
        let least = logic.terms.int(self.least as i64);
        let n = logic.terms.sub(self.count, least);
        let last = logic.put(moving, &Substitution::from_iter([(self.symbol, n)]));
        (first, last)
    }

    /// A literal that is affine in n.
    fn affine(&mut self, logic: &mut Logic<'_>, moving: Term) -> Option<Why> {
        let (first, last) = self.at(logic, moving);
        match *logic.terms.node(moving) {
            Node::Bool(_) => self.require_first(&[first]),
            Node::NonPositive(value) => {
                let (start, slope) = linear(logic, value, self.symbol)?;
                match logic.terms.as_int(slope).cloned() {
                    Some(slope) if slope.is_negative() || slope.is_zero() => {
                        self.require_first(&[first])
                    }
                    Some(slope) => {
                        // It holds up to the last iteration, and so before: the value grows.
                        self.condition.push(last);
                        self.is_bounded = true;
                        self.growing.push(Growing { start, slope });
                    }
                    None => {
                        // An affine function that is not positive at both ends is not between.
                        self.condition.extend([first, last]);
                        let falls = logic.terms.non_positive(slope);
                        if let Some(endless) = &mut self.endless {
                            endless.extend([first, falls]);
                        }
                        return Some(Why::Ends);
                    }
                }
            }
            Node::Zero(value) => {
                let (_, slope) = linear(logic, value, self.symbol)?;
                if logic.terms.as_int(slope).is_some_and(Integer::is_zero) {
                    self.require_first(&[first]);
                } else {
                    self.condition.extend([first, last]);
                    let stands = logic.terms.zero(slope);
                    if let Some(endless) = &mut self.endless {
                        endless.extend([first, stands]);
                    }
                    return Some(Why::Ends);
                }
            }
            Node::Divides(ref divisor, value) => {
                let divisor = divisor.clone();
                let (_, slope) = linear(logic, value, self.symbol)?;
                let slope = logic.terms.divides(&divisor, slope);
                if logic.terms.as_bool(slope) != Some(true) {
                    return None;
                }
                self.require_first(&[first]);
            }
            _ if logic.terms.free_symbols(moving).contains(&self.symbol) => return None,
            _ => self.require_first(&[first]),
        }
        Some(Why::Affine)
    }

    /// A literal that an iteration preserves.
    fn preserved(
        &mut self,
        logic: &mut Logic<'_>,
        literal: Term,
        moving: Term,
    ) -> Result<bool, Error> {
        let after = logic.put(literal, &self.steps.store(&self.body.updates));
        let known = self.steps.facts.iter().chain(&self.settled).copied();
        let given: Vec<Term> = known.chain([literal]).collect();
        if !logic.proves(&given, after)? {
            return Ok(false);
        }
        let (first, _) = self.at(logic, moving);
        self.require_first(&[first]);
        let lost = logic.terms.not(after);
        let never = logic.terms.and(given.into_iter().chain([lost]));
        self.arguments.push(Settled { moving, why: Why::Preserved(never) });
        Ok(true)
    }

    /// A literal that is inherited backwards.
    fn inherited(
        &mut self,
        logic: &mut Logic<'_>,
        literal: Term,
        moving: Term,
    ) -> Result<bool, Error> {
        let store = self.steps.store(&self.body.updates);
        let after = logic.put(literal, &store);
        let settled: Vec<Term> = self.steps.facts.iter().chain(&self.settled).copied().collect();
        let (_, last) = self.at(logic, moving);
        let given: Vec<Term> = settled.iter().copied().chain([after]).collect();
        if logic.proves(&given, literal)? {
            let lost = logic.terms.not(literal);
            let never = logic.terms.and(given.into_iter().chain([lost]));
            self.arguments.push(Settled { moving, why: Why::Inherited(never) });
            self.condition.push(last);
            self.endless = None;
            self.open = Some(literal);
            // A value that grows by at least 1 in every iteration is positive at some time.
            // (Of the value itself: the literal afterwards may have been divided by a constant.)
            if let Node::NonPositive(now) = *logic.terms.node(literal) {
                let then = logic.put(now, &store);
                let one = logic.terms.int(1);
                let next = logic.terms.add(now, one);
                let grows = logic.terms.le(next, then);
                let given: Vec<Term> = settled.iter().copied().chain([literal]).collect();
                self.is_bounded |= logic.proves(&given, grows)?;
            }
            return Ok(true);
        }
        Ok(false)
    }
}

/// That something holds for all n from 0 to the last.
pub(crate) fn everywhere(
    logic: &mut Logic<'_>,
    moving: Term,
    symbol: SymbolId,
    last: Term,
) -> Option<Term> {
    let (zero, one) = (logic.terms.int(0), logic.terms.int(1));
    let end = logic.terms.add(last, one);
    let variable = logic.terms.symbol_term(symbol);
    logic.terms.quantify(Quantifier::Forall, variable, [zero, end], moving).ok()
}

/// `start + slope · symbol`, if a term is that.
pub(crate) fn linear(logic: &mut Logic<'_>, value: Term, symbol: SymbolId) -> Option<(Term, Term)> {
    let polynomial = logic.terms.polynomial(value);
    let variable = logic.terms.symbol_term(symbol);
    let mut start = logic.terms.int(polynomial.constant.clone());
    let mut slope = logic.terms.int(0);
    for (monomial, coefficient) in polynomial.summands.clone() {
        let factors = logic.terms.factors(monomial);
        let mut rest = logic.terms.int(coefficient.clone());
        let mut power = 0;
        for (atom, exponent) in factors {
            if atom == variable {
                power += exponent;
            } else if logic.terms.free_symbols(atom).contains(&symbol) {
                return None;
            } else {
                let atom = logic.terms.pow(atom, exponent);
                rest = logic.terms.mul(rest, atom);
            }
        }
        match power {
            0 => start = logic.terms.add(start, rest),
            1 => slope = logic.terms.add(slope, rest),
            _ => return None,
        }
    }
    Some((start, slope))
}
