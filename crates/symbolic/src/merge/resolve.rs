//! Merged states as those that they were made of, where merging has turned out to cost more than it saves.
//!
//! Each selector holds or does not, and where it is known which, the choices that it makes are gone. So the paths of a merged state are the ways to choose, as far as
//! they are possible, along a [`Trail`]: older selectors first, and those on one side of a merge only where that side was chosen (elsewhere they mean nothing, and
//! an execution would be there for both). Selectors and their opposites exclude each other, and one of them holds, so each execution is in exactly one of the
//! states that come of it. What is not simplified (trails, choices between pointers) means the same as before: the path says which selectors hold.

use crate::domain::{Feasible, Outcome, Symbolic};
use crate::path::Path;
use crate::trail::{Stop, Trail};
use crate::value::{Bool, Int, Pointer, SymbolicValue};
use loupe_engine::value::{Record, Sequence, Value};
use loupe_term::{Assignment, Node, Term};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// So many questions are asked about which ways to choose are possible, and each may cost so much: a way of which nobody knows is one.
const MAX_QUESTIONS: usize = 1 << 8;
const MAX_WORK: u64 = 20_000;
/// Records in records are followed so far.
const MAX_DEPTH: u32 = 64;

/// One of the ways to choose.
pub(crate) struct Resolved {
    pub(crate) path: Path,
    /// What holds on it, for people.
    pub(crate) condition: Term,
    /// Whether all was chosen.
    pub(crate) is_whole: bool,
    /// What stands for selectors and their opposites.
    known: FxHashMap<Term, Term>,
}

/// A path and how it was merged.
struct Merged<'p> {
    trail: &'p Trail<u64>,
    conditions: Vec<Term>,
    /// The selectors, by number, and the numbers of each.
    selectors: &'p [Term],
    numbers: FxHashMap<Term, usize>,
    /// By selector: the conditions and the selectors that it occurs in.
    conditions_with: Vec<Vec<usize>>,
    selectors_with: Vec<Vec<usize>>,
    /// By condition: the selectors in it.
    within: Vec<BTreeSet<usize>>,
}

impl Merged<'_> {
    /// What is to be chosen next: a selector, or, if that is not said, its opposite. `None` if all was chosen.
    fn next(&self, choices: &[bool]) -> Option<(usize, bool)> {
        let (mut at, mut next) = (0, None);
        self.trail.walk(|stop| match stop {
            Stop::Item(_) => true,
            Stop::Fork(selector) => {
                let choice = choices.get(at).copied();
                if choice.is_none() && next.is_none() {
                    let number = self.numbers.get(&selector).copied();
                    next = number.map(|number| (number, self.selectors[number] == selector));
                }
                at += 1;
                choice.unwrap_or(true)
            }
        });
        next
    }
}

/// A way to choose, as far as it is known.
#[derive(Clone)]
struct Chosen {
    choices: Vec<bool>,
    /// Which selectors were chosen, and how.
    decided: BTreeMap<usize, bool>,
    /// What becomes of the conditions and of the selectors.
    conditions: Vec<Term>,
    selectors: Vec<Term>,
    /// What was chosen: the number of the selector, and whether it holds.
    selected: Vec<(usize, bool)>,
    /// What is to be chosen next, see [`Merged::next`].
    next: Option<(usize, bool)>,
    /// Values for which all holds that is settled, if some are known.
    model: Option<Rc<Assignment>>,
}

impl Symbolic {
    /// The paths that a merged one stands for. If they are more than so many, some of what was chosen stays open.
    pub(crate) fn unmerged(
        &mut self,
        path: &Path,
        (trail, selectors): (&Trail<u64>, &[Term]),
        most: usize,
    ) -> Outcome<Vec<Resolved>> {
        let merged = self.merged_path(path, (trail, selectors));
        let work = std::mem::replace(&mut self.limits.work, MAX_WORK);
        let ways = self.ways_apart(&merged, most);
        self.limits.work = work;
        Ok(ways?.into_iter().map(|chosen| self.resolved_path(path, &merged, chosen)).collect())
    }

    fn merged_path<'p>(
        &mut self,
        path: &Path,
        (trail, selectors): (&'p Trail<u64>, &'p [Term]),
    ) -> Merged<'p> {
        let mut numbers: FxHashMap<Term, usize> = FxHashMap::default();
        for (number, selector) in selectors.iter().enumerate() {
            for term in [*selector, self.terms.not(*selector)] {
                numbers.entry(term).or_insert(number);
            }
        }
        let within = |domain: &Symbolic, term: Term| -> BTreeSet<usize> {
            let parts = domain.terms.post_order(term).into_iter();
            parts.filter_map(|part| numbers.get(&part)).copied().collect()
        };
        let conditions = path.conditions();
        let mut conditions_with = vec![Vec::new(); selectors.len()];
        let mut selectors_with = vec![Vec::new(); selectors.len()];
        let mut all_within = Vec::with_capacity(conditions.len());
        for (at, condition) in conditions.iter().enumerate() {
            let within = within(self, *condition);
            within.iter().for_each(|number| conditions_with[*number].push(at));
            all_within.push(within);
        }
        for (at, selector) in selectors.iter().enumerate() {
            for number in within(self, *selector).into_iter().filter(|number| *number != at) {
                selectors_with[number].push(at);
            }
        }
        let within = all_within;
        Merged { trail, conditions, selectors, numbers, conditions_with, selectors_with, within }
    }

    /// What holds by the choices of a way: all of it, or what depends on nothing that is open.
    fn assertions(&mut self, merged: &Merged<'_>, way: &Chosen) -> Vec<Term> {
        let mut all: Vec<Term> = Vec::new();
        for (condition, within) in way.conditions.iter().zip(&merged.within) {
            let is_settled = within.iter().all(|number| way.decided.contains_key(number));
            if is_settled || way.next.is_none() {
                all.push(*condition);
            }
        }
        all.extend(self.selected(way));
        all
    }

    /// What was chosen on a way, in terms of what was chosen besides.
    fn selected(&mut self, way: &Chosen) -> Vec<Term> {
        let mut all = Vec::new();
        for (number, choice) in &way.selected {
            let selector = way.selectors[*number];
            let holds = if *choice { selector } else { self.terms.not(selector) };
            all.extend(self.parts(holds));
        }
        all
    }

    /// The ways to choose.
    fn ways_apart(&mut self, merged: &Merged<'_>, most: usize) -> Outcome<Vec<Chosen>> {
        let mut ways = vec![Chosen {
            choices: Vec::new(),
            decided: BTreeMap::new(),
            conditions: merged.conditions.clone(),
            selectors: merged.selectors.to_vec(),
            selected: Vec::new(),
            next: merged.next(&[]),
            model: None,
        }];
        let mut questions = 0;
        while ways.iter().any(|way| way.next.is_some()) {
            let mut longer = Vec::new();
            for way in &ways {
                let Some(next) = way.next else {
                    longer.push(way.clone());
                    continue;
                };
                for choice in [true, false] {
                    let chosen = self.with_choice(merged, way, (next, choice));
                    let Some(mut chosen) = chosen else { continue };
                    if !self.is_known(merged, way, &chosen) {
                        questions += 1;
                        let assertions = self.assertions(merged, &chosen);
                        chosen.model = match self.ask(&assertions)? {
                            Feasible::No => continue,
                            Feasible::Yes(model) => Some(model),
                            Feasible::Unknown(_) => None,
                        };
                    }
                    longer.push(chosen);
                }
                if longer.len() > most || questions > MAX_QUESTIONS {
                    return Ok(ways);
                }
            }
            ways = longer;
        }
        Ok(ways)
    }

    /// Whether the values at hand for a way are some for a longer one too: if they choose the same, what has held for the one holds for the other, so only what was
    /// not settled before is looked at.
    fn is_known(&self, merged: &Merged<'_>, way: &Chosen, longer: &Chosen) -> bool {
        let Some(model) = &longer.model else { return false };
        let holds = |part: Term| self.terms.holds(part, model) == Ok(true);
        let chosen = longer.selected[way.selected.len()..].iter();
        let mut chosen = chosen.map(|(number, choice)| (way.selectors[*number], *choice));
        if !chosen.all(|(selector, choice)| self.terms.holds(selector, model) == Ok(choice)) {
            return false;
        }
        let is_settled = |way: &Chosen, within: &BTreeSet<usize>| {
            way.next.is_none() || within.iter().all(|number| way.decided.contains_key(number))
        };
        let mut conditions = longer.conditions.iter().zip(&merged.within);
        conditions.all(|(condition, within)| {
            !is_settled(longer, within) || is_settled(way, within) || holds(*condition)
        })
    }

    /// A way with one more choice; `None` if what is known contradicts it.
    fn with_choice(
        &mut self,
        merged: &Merged<'_>,
        way: &Chosen,
        (next, choice): ((usize, bool), bool),
    ) -> Option<Chosen> {
        let mut chosen = way.clone();
        chosen.choices.push(choice);
        chosen.next = merged.next(&chosen.choices);
        let (number, is_itself) = next;
        let choice = choice == is_itself;
        if let Some(before) = way.decided.get(&number) {
            return (*before == choice).then_some(chosen);
        }
        let selector = way.selectors[number];
        chosen.decided.insert(number, choice);
        if let Some(truth) = self.terms.as_bool(selector) {
            return (truth == choice).then_some(chosen);
        }
        let mut known = FxHashMap::default();
        self.know(&mut known, selector, choice);
        for at in &merged.conditions_with[number] {
            let now = self.terms.replace_parts(chosen.conditions[*at], &known);
            if self.terms.as_bool(now) == Some(false) {
                return None;
            }
            chosen.conditions[*at] = now;
        }
        for at in &merged.selectors_with[number] {
            chosen.selectors[*at] = self.terms.replace_parts(chosen.selectors[*at], &known);
        }
        chosen.selected.push((number, choice));
        Some(chosen)
    }

    /// Notes what stands for a formula and its parts if it holds, or if it does not.
    fn know(&mut self, known: &mut FxHashMap<Term, Term>, formula: Term, choice: bool) {
        let holds = if choice { formula } else { self.terms.not(formula) };
        for part in self.parts(holds).into_iter().chain([holds]) {
            let opposite = self.terms.not(part);
            let (always, never) = (self.terms.bool(true), self.terms.bool(false));
            known.insert(part, always);
            known.insert(opposite, never);
        }
    }

    fn resolved_path(&mut self, path: &Path, merged: &Merged<'_>, chosen: Chosen) -> Resolved {
        let mut known = FxHashMap::default();
        for (number, choice) in &chosen.decided {
            self.know(&mut known, merged.selectors[*number], *choice);
        }
        let selected = self.selected(&chosen);
        let condition = self.terms.and(selected.iter().copied());
        let kept = merged.within.iter().take_while(|within| within.is_empty()).count();
        let is_whole = chosen.next.is_none();
        let outer = std::mem::replace(&mut self.path, path.first(kept));
        for condition in selected.iter().chain(&chosen.conditions[kept..]) {
            for part in self.parts(*condition) {
                let is_known = self.terms.as_bool(part).or_else(|| self.path.truth(part));
                if is_known != Some(true) {
                    self.assume(part, None);
                }
            }
        }
        // Values are known for what depends on no other choice.
        self.path.set_model_of(chosen.model.filter(|_| is_whole));
        let path = std::mem::replace(&mut self.path, outer);
        Resolved { path, condition, is_whole, known }
    }

    /// The parts of a conjunction.
    fn parts(&self, formula: Term) -> Vec<Term> {
        match self.terms.node(formula) {
            Node::And(parts) => parts.to_vec(),
            _ => vec![formula],
        }
    }
}

/// Puts what was chosen into values.
pub(crate) struct Resolver<'r> {
    domain: &'r mut Symbolic,
    resolved: &'r Resolved,
    done: FxHashMap<Term, Term>,
}

impl<'r> Resolver<'r> {
    pub(crate) fn new(domain: &'r mut Symbolic, resolved: &'r Resolved) -> Self {
        Resolver { domain, resolved, done: FxHashMap::default() }
    }

    pub(crate) fn term(&mut self, term: Term) -> Term {
        if let Some(done) = self.done.get(&term) {
            return *done;
        }
        let now = self.domain.terms.replace_parts(term, &self.resolved.known);
        self.done.insert(term, now);
        now
    }

    pub(crate) fn int(&mut self, int: &Int) -> Int {
        match int {
            Int::Known(_) => int.clone(),
            Int::Term(term) => {
                let term = self.term(*term);
                self.domain.int_of(term)
            }
        }
    }

    pub(crate) fn truth(&mut self, truth: Bool) -> Bool {
        match truth {
            Bool::Known(_) => truth,
            Bool::Term(term) => {
                let term = self.term(term);
                self.domain.truth_of(term)
            }
        }
    }

    fn pointer(&mut self, pointer: &Pointer) -> Pointer {
        Pointer { object: pointer.object, offset: self.int(&pointer.offset) }
    }

    pub(crate) fn value(&mut self, value: &SymbolicValue) -> SymbolicValue {
        self.value_within(value, MAX_DEPTH)
    }

    fn value_within(&mut self, value: &SymbolicValue, depth: u32) -> SymbolicValue {
        match value {
            Value::Int(int) => Value::Int(self.int(int)),
            Value::Bool(truth) => Value::Bool(self.truth(*truth)),
            Value::Pointer(pointer) => Value::Pointer(self.pointer(pointer)),
            Value::Array(pointer) => Value::Array(self.pointer(pointer)),
            Value::Record(record) if depth > 0 => {
                let fields = record.fields.iter();
                let fields =
                    fields.map(|(name, value)| (*name, self.value_within(value, depth - 1)));
                Value::Record(Rc::new(Record { fields: fields.collect() }))
            }
            Value::Sequence(sequence) if depth > 0 => {
                let values = sequence.values.iter();
                let values = values.map(|value| self.value_within(value, depth - 1)).collect();
                Value::Sequence(Rc::new(Sequence { values }))
            }
            Value::Aggregate(aggregate) => Value::Aggregate(self.aggregate(aggregate)),
            other => other.clone(),
        }
    }
}
