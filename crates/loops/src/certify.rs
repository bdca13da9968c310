//! The check of a summary, apart from how it was found.
//!
//! A case claims: from entries where its condition holds, this trace is executed and then the exit taken, with these values. The claim is checked along the
//! trace: at each part, that the guard holds in all its iterations and that the next part's values are those of the closed form. What makes a closed form right
//! is checked where it is made (`recurrence` gives only proved ones). Coverage is checked as one formula where no counter is in the way and no input chooses, else
//! by induction.

use crate::accelerate::{Many, More, Why, everywhere};
use crate::automaton::{Block, Piece, What};
use crate::certificate::{Claim, Failure, Obligation, prove};
use crate::induction::Induction;
use crate::logic::Logic;
use crate::problem::{End, Loop};
use crate::step::Steps;
use crate::summary::{Case, Divergence};
use crate::traces::{Node, Traces};
use loupe_integer::Integer;
use loupe_solver::Error;
use loupe_term::{Origin, Sort, Substitution, Term};

/// So many iterations are looked at one by one.
const MAX_SINGLE: i64 = 64;

pub(crate) struct Certifier<'c> {
    pub(crate) problem: &'c Loop,
    pub(crate) steps: &'c Steps,
    pub(crate) obligations: Vec<Obligation>,
    /// Rounds that have been looked at.
    rounds: Vec<*const crate::automaton::Round>,
}

impl<'c> Certifier<'c> {
    pub(crate) fn new(problem: &'c Loop, steps: &'c Steps) -> Self {
        Certifier { problem, steps, obligations: Vec::new(), rounds: Vec::new() }
    }

    /// Checks everything that makes a summary exact.
    pub(crate) fn certify(
        &mut self,
        logic: &mut Logic<'_>,
        traces: &Traces,
    ) -> Result<Result<(), Failure>, Error> {
        if let Err(failure) = self.splits(logic)? {
            return Ok(Err(failure));
        }
        for (number, (node, case)) in traces.cases.iter().enumerate() {
            let name = format!("case {}", number + 1);
            if let Err(failure) = self.case(logic, &name, node, case)? {
                return Ok(Err(failure));
            }
        }
        let is_chosen = self.steps.is_chosen();
        if is_chosen {
            return Ok(Ok(()));
        }
        for (number, (node, set)) in traces.diverging.iter().enumerate() {
            let name = format!("diverging entries {}", number + 1);
            let given = self.given(&[set.condition]);
            if let Err(failure) = self.trace(logic, &name, &given, &node.trace, &node.values)? {
                return Ok(Err(failure));
            }
        }
        if let Err(failure) = self.kept(logic, traces)? {
            return Ok(Err(failure));
        }
        self.coverage(logic, traces)
    }

    /// The entries that are said to diverge do.
    fn kept(
        &mut self,
        logic: &mut Logic<'_>,
        traces: &Traces,
    ) -> Result<Result<(), Failure>, Error> {
        let sets: Vec<&Divergence> = traces.diverging.iter().map(|(_, set)| set).collect();
        if !self.problem.entry.is_empty() {
            if !sets.is_empty() {
                self.obligations.push(Obligation {
                    name: "diverging entries: what is repeated has no end".into(),
                    claim: Claim::Identity("the guard holds in all its iterations".into()),
                });
            }
            return Ok(Ok(()));
        }
        let mut induction = Induction::new(logic, self.problem);
        let kept = induction.kept(logic, &sets)?;
        self.obligations.extend(induction.obligations);
        Ok(kept)
    }

    fn given(&self, more: &[Term]) -> Vec<Term> {
        self.problem.facts.iter().chain(more).copied().collect()
    }

    /// Proves a claim and keeps it.
    fn claim(
        &mut self,
        logic: &mut Logic<'_>,
        name: &str,
        given: &[Term],
        claim: Term,
    ) -> Result<Result<(), Failure>, Error> {
        prove(logic, &mut self.obligations, name, given, claim)
    }

    /// The elementary paths are what the paths of the loop are.
    fn splits(&mut self, logic: &mut Logic<'_>) -> Result<Result<(), Failure>, Error> {
        let steps = self.steps;
        for (origin, path) in self.problem.paths.iter().enumerate() {
            if steps.alike.contains(&origin) {
                continue;
            }
            let mut guards = Vec::new();
            for step in steps.steps.iter().filter(|step| step.origin == origin) {
                let guard = logic.terms.and(step.guard.iter().chain(&step.choice).copied());
                guards.push(guard);
                let given = self.given(&[guard]);
                let name = format!("a part of path {} is one", origin + 1);
                if let Err(failure) = self.claim(logic, &name, &given, path.guard)? {
                    return Ok(Err(failure));
                }
                let name = format!("a part of path {} does the same", origin + 1);
                for (new, old) in step.updates.iter().zip(&path.updates) {
                    if new == old {
                        continue;
                    }
                    let same = logic.terms.eq(*new, *old);
                    if let Err(failure) = self.claim(logic, &name, &given, same)? {
                        return Ok(Err(failure));
                    }
                }
            }
            let any = logic.terms.or(guards);
            let given = self.given(&[path.guard]);
            let name = format!("the parts of path {} are all of it", origin + 1);
            if let Err(failure) = self.claim(logic, &name, &given, any)? {
                return Ok(Err(failure));
            }
        }
        Ok(Ok(()))
    }

    /// Those of some cases that happen, if the elementary paths are right.
    pub(crate) fn certified(
        &mut self,
        logic: &mut Logic<'_>,
        cases: Vec<(Node, Case)>,
    ) -> Result<Vec<Case>, Error> {
        let mut kept = Vec::new();
        if self.splits(logic)?.is_err() {
            return Ok(kept);
        }
        for (node, case) in cases {
            let before = self.obligations.len();
            let name = format!("case {}", kept.len() + 1);
            match self.case(logic, &name, &node, &case)? {
                Ok(()) => kept.push(case),
                Err(_) => self.obligations.truncate(before),
            }
        }
        Ok(kept)
    }

    fn case(
        &mut self,
        logic: &mut Logic<'_>,
        name: &str,
        node: &Node,
        case: &Case,
    ) -> Result<Result<(), Failure>, Error> {
        let given = self.given(&[case.condition]);
        if let Err(failure) = self.trace(logic, name, &given, &node.trace, &node.values)? {
            return Ok(Err(failure));
        }
        let step = &self.steps.steps[node.next];
        if step.end != End::Exit(case.exit) {
            return Ok(Err(format!("{name} takes another exit")));
        }
        let store = self.steps.store(&node.values);
        for literal in step.guard.iter().chain(&step.choice) {
            let holds = logic.put(*literal, &store);
            let name = format!("{name} takes its exit");
            if let Err(failure) = self.claim(logic, &name, &given, holds)? {
                return Ok(Err(failure));
            }
        }
        let values = logic.put_all(&step.updates, &store);
        self.same(logic, &format!("{name} has its values"), &given, &values, &case.values)
    }

    fn same(
        &mut self,
        logic: &mut Logic<'_>,
        name: &str,
        given: &[Term],
        left: &[Term],
        right: &[Term],
    ) -> Result<Result<(), Failure>, Error> {
        for (left, right) in left.iter().zip(right) {
            if left == right {
                continue;
            }
            let same = logic.terms.eq(*left, *right);
            if let Err(failure) = self.claim(logic, name, given, same)? {
                return Ok(Err(failure));
            }
        }
        Ok(Ok(()))
    }

    /// From the symbols of the variables, the pieces are executed one after the other, and lead to these values.
    fn trace(
        &mut self,
        logic: &mut Logic<'_>,
        name: &str,
        given: &[Term],
        pieces: &[Piece],
        expected: &[Term],
    ) -> Result<Result<(), Failure>, Error> {
        let mut values = self.steps.symbols.clone();
        for (number, piece) in pieces.iter().enumerate() {
            let name = format!("{name}, part {}", number + 1);
            let (block, owned);
            match &piece.what {
                What::Step { block: of_step, .. } => block = &**of_step,
                What::Round(round) => {
                    if let Err(failure) = self.round(logic, round)? {
                        return Ok(Err(failure));
                    }
                    owned = round.clone();
                    block = &owned.block;
                }
            }
            values = match self.repeated(logic, &name, given, block, &values, piece.count)? {
                Ok(values) => values,
                Err(failure) => return Ok(Err(failure)),
            };
        }
        self.same(logic, &format!("{name} ends with its values"), given, &values, expected)
    }

    /// A round is what its parts do one after the other.
    fn round(
        &mut self,
        logic: &mut Logic<'_>,
        round: &std::rc::Rc<crate::automaton::Round>,
    ) -> Result<Result<(), Failure>, Error> {
        let address = std::rc::Rc::as_ptr(round);
        if self.rounds.contains(&address) {
            return Ok(Ok(()));
        }
        self.rounds.push(address);
        let given = self.given(&round.block.body.guard);
        let name = format!("round {}", self.rounds.len());
        self.trace(logic, &name, &given, &round.pieces(), &round.block.body.updates)
    }

    /// The values after so many iterations, where the guard holds in all of them.
    fn repeated(
        &mut self,
        logic: &mut Logic<'_>,
        name: &str,
        given: &[Term],
        block: &Block,
        before: &[Term],
        count: Term,
    ) -> Result<Result<Vec<Term>, Failure>, Error> {
        let single = logic.terms.as_int(count).and_then(Integer::to_i64);
        if let Some(single) = single.filter(|single| (0..=MAX_SINGLE).contains(single)) {
            let mut values = before.to_vec();
            for _ in 0..single {
                let store = self.steps.store(&values);
                for literal in &block.body.guard {
                    let holds = logic.put(*literal, &store);
                    let name = format!("the guard holds: {name}");
                    if let Err(failure) = self.claim(logic, &name, given, holds)? {
                        return Ok(Err(failure));
                    }
                }
                values = logic.put_all(&block.body.updates, &store);
            }
            return Ok(Ok(values));
        }
        let More::Many(many) = &block.runs.more else {
            return Ok(Err(format!("{name} is not accelerated")));
        };
        self.many(logic, name, given, block, many, before, count)
    }

    #[allow(clippy::too_many_arguments)]
    fn many(
        &mut self,
        logic: &mut Logic<'_>,
        name: &str,
        given: &[Term],
        block: &Block,
        many: &Many,
        before: &[Term],
        count: Term,
    ) -> Result<Result<Vec<Term>, Failure>, Error> {
        let Some(symbol) = logic.symbol_of(many.count) else {
            return Ok(Err(format!("{name} has no counter")));
        };
        let least = logic.terms.int(many.least as i64);
        let enough = logic.terms.le(least, count);
        let says = format!("there are enough iterations: {name}");
        if let Err(failure) = self.claim(logic, &says, given, enough)? {
            return Ok(Err(failure));
        }
        let holds = format!("the guard holds in all iterations: {name}");
        // Before the closed forms begin, one by one.
        let mut values = before.to_vec();
        for _ in 1..many.least {
            let store = self.steps.store(&values);
            for literal in &block.body.guard {
                let literal = logic.put(*literal, &store);
                if let Err(failure) = self.claim(logic, &holds, given, literal)? {
                    return Ok(Err(failure));
                }
            }
            values = logic.put_all(&block.body.updates, &store);
        }
        let last = logic.terms.sub(count, least);
        for settled in &many.argument {
            if let Err(failure) =
                self.settled(logic, &holds, given, settled, symbol, before, last)?
            {
                return Ok(Err(failure));
            }
        }
        let mut store = self.steps.store(before);
        store.insert(symbol, count);
        Ok(Ok(logic.put_all(&many.values, &store)))
    }

    /// A literal holds in all iterations up to the last.
    #[allow(clippy::too_many_arguments)]
    fn settled(
        &mut self,
        logic: &mut Logic<'_>,
        name: &str,
        given: &[Term],
        settled: &crate::accelerate::Settled,
        symbol: loupe_term::SymbolId,
        before: &[Term],
        last: Term,
    ) -> Result<Result<(), Failure>, Error> {
        let zero = logic.terms.int(0);
        let at = |logic: &mut Logic<'_>, n: Term| {
            let mut store: Substitution = self.steps.store(before);
            store.insert(symbol, n);
            logic.put(settled.moving, &store)
        };
        let claims = match &settled.why {
            Why::Affine => {
                let n = logic.terms.fresh("n", Sort::Int, Origin::default());
                let anywhere = at(logic, n);
                let (from, to) = (logic.terms.le(zero, n), logic.terms.le(n, last));
                let within = logic.terms.and([from, to]);
                vec![logic.terms.implies(within, anywhere)]
            }
            Why::Ends => vec![at(logic, zero), at(logic, last)],
            Why::Fact => return Ok(Ok(())),
            Why::Required => {
                // The values before are terms of the entry, and so is the last n: what is bound here is bound nowhere else.
                let n = logic.terms.fresh("n", Sort::Int, Origin::default());
                let anywhere = at(logic, n);
                let id = logic.symbol_of(n);
                match id.and_then(|id| everywhere(logic, anywhere, id, last)) {
                    Some(claim) => vec![claim],
                    None => return Ok(Err(format!("it was not proved that {name}"))),
                }
            }
            Why::Preserved(never) => vec![at(logic, zero), logic.terms.not(*never)],
            Why::Inherited(never) => vec![at(logic, last), logic.terms.not(*never)],
        };
        for (number, claim) in claims.into_iter().enumerate() {
            // What an iteration preserves is so whatever the entry.
            let given = if number == 1 && !matches!(settled.why, Why::Ends) { &[] } else { given };
            if let Err(failure) = self.claim(logic, name, given, claim)? {
                return Ok(Err(failure));
            }
        }
        Ok(Ok(()))
    }

    /// Every entry is in a case or diverges.
    fn coverage(
        &mut self,
        logic: &mut Logic<'_>,
        traces: &Traces,
    ) -> Result<Result<(), Failure>, Error> {
        let cases = traces.cases.iter().map(|(_, case)| (case.condition, &case.counters));
        let sets = traces
            .diverging
            .iter()
            .map(|(_, set): &(Node, Divergence)| (set.condition, &set.counters));
        let all: Vec<(Term, &Vec<Term>)> = cases.chain(sets).collect();
        let is_template = all.iter().any(|(condition, _)| logic.terms.has_quantifier(*condition));
        if is_template || all.iter().any(|(_, counters)| !counters.is_empty()) {
            return self.guards(logic);
        }
        let any = logic.terms.or(all.iter().map(|(condition, _)| *condition));
        let given = self.given(&self.problem.entry);
        self.claim(logic, "every entry is in a case or diverges", &given, any)
    }

    /// The cases hold all executions that end. Where no counter is in the way and inputs do not choose, coverage says so; otherwise it is an induction over one
    /// iteration. A summary for one entry knows only some of the values at the header, and says nothing that an induction could use, and a template has no formula for the counter of the
    /// next iteration that a solver would find: they rest on the edges of the automaton, which leave no way out.
    pub(crate) fn complete(
        &mut self,
        logic: &mut Logic<'_>,
        cases: &[Case],
        diverging: &[(Node, Divergence)],
    ) -> Result<Result<(), Failure>, Error> {
        let is_chosen = self.steps.is_chosen();
        let is_template = cases.iter().any(|case| logic.terms.has_quantifier(case.condition));
        let counters = cases.iter().flat_map(|case| &case.counters);
        let mut counters = counters.chain(diverging.iter().flat_map(|(_, set)| &set.counters));
        if !is_template && !is_chosen && counters.next().is_none() {
            return Ok(Ok(()));
        }
        if is_template || !self.problem.entry.is_empty() {
            self.obligations.push(Obligation {
                name: "coverage: the edges of the automaton leave no way out, path by path".into(),
                claim: Claim::Identity("the guards of the paths".into()),
            });
            return Ok(Ok(()));
        }
        let mut induction = Induction::new(logic, self.problem);
        let closed = induction.closed(logic, cases)?;
        self.obligations.extend(induction.obligations);
        Ok(closed)
    }

    /// Some path can be taken, whatever the values are.
    fn guards(&mut self, logic: &mut Logic<'_>) -> Result<Result<(), Failure>, Error> {
        let any = logic.terms.or(self.problem.paths.iter().map(|path| path.guard));
        let given = self.given(&[]);
        self.claim(logic, "some path is always enabled", &given, any)
    }
}

#[cfg(test)]
mod tests;
