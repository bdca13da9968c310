//! What iterations read in arrays that the loop itself writes.
//!
//! Each read has an array of its own, R[n], what iteration n reads. An element that is read is one that was written or an old one, so this says what R[n] is, over earlier elements of R: `a[i] = a[i - 1] + 1` gives `R[n] = ite(n > 0, R[n - 1] + 1, a[i - 1])`.
//! Every execution has such arrays: R[n] is what is there before iteration n, whether its path reads it or not.

use super::Memory;
use super::arrays::Arrays;
use super::trace::Trace;
use crate::logic::Logic;
use loupe_term::{Node, Origin, Sort, Substitution, SymbolId, Term};
use std::collections::BTreeSet;

/// What is read is said in terms up to this size.
const MAX_READ: usize = 400;

/// Something that an iteration of a path reads in arrays that the loop writes.
pub(super) struct Read {
    path: usize,
    what: Term,
    /// Its values, by iteration.
    values: Term,
    /// The array of these values as a λ over the number of the iteration, if that says all.
    form: Option<Term>,
}

impl Memory<'_> {
    /// A term of a path with symbols for what is read in arrays that the loop writes: those are new in every iteration.
    pub(super) fn without_reads(
        &self,
        logic: &mut Logic<'_>,
        (trace, arrays): (&mut Trace, &mut Arrays),
        (path, mut term): (usize, Term),
        written: &BTreeSet<SymbolId>,
    ) -> Term {
        let own: BTreeSet<SymbolId> = logic.symbol_of(arrays.place).into_iter().collect();
        loop {
            let mut parts = logic.terms.post_order(term).into_iter().rev();
            let read = parts.find(|part| {
                matches!(logic.terms.node(*part), Node::Select(..))
                    && logic.terms.sort(*part) == Sort::Int
                    && logic.mentions(*part, written)
                    && !logic.mentions(*part, &own)
                    && logic.terms.is_closed(*part)
            });
            let Some(what) = read else { return term };
            let known = arrays.reads.iter().position(|r| (r.path, r.what) == (path, what));
            let values = match known {
                Some(at) => arrays.reads[at].values,
                None => {
                    let values = trace.array(logic, "R", 1);
                    arrays.reads.push(Read { path, what, values, form: None });
                    let symbol = logic.terms.fresh("r", Sort::Int, Origin::default());
                    if let Some(id) = logic.symbol_of(symbol) {
                        trace.fresh[path].push((id, values));
                    }
                    values
                }
            };
            let Some((id, _)) = trace.fresh[path].iter().find(|(_, other)| *other == values) else {
                return term;
            };
            let symbol = logic.terms.symbol_term(*id);
            term = logic.terms.replace_part(term, what, symbol);
        }
    }

    /// What is read, in the words of what was written before; where that does not depend on what was read before, it takes the place of its symbol.
    pub(super) fn say_reads(&self, logic: &mut Logic<'_>, trace: &Trace, arrays: &mut Arrays) {
        let time = logic.terms.fresh("t", Sort::Int, Origin::default());
        let mut open: BTreeSet<SymbolId> =
            arrays.reads.iter().filter_map(|read| logic.symbol_of(read.values)).collect();
        loop {
            let mut any = false;
            for at in 0..arrays.reads.len() {
                if arrays.reads[at].form.is_some() {
                    continue;
                }
                let Some(value) = self.read_at(logic, trace, arrays, (at, time)) else { continue };
                if logic.mentions(value, &open) {
                    continue;
                }
                let Ok(form) = logic.terms.lambda(time, value) else { continue };
                let Some(id) = logic.symbol_of(arrays.reads[at].values) else { continue };
                arrays.reads[at].form = Some(form);
                open.remove(&id);
                let store = Substitution::from_iter([(id, form)]);
                for (_, form) in &mut arrays.forms {
                    *form = logic.put(*form, &store);
                }
                any = true;
            }
            if !any {
                return;
            }
        }
    }

    /// What is read in an iteration, if that can be said shortly.
    fn read_at(
        &self,
        logic: &mut Logic<'_>,
        trace: &Trace,
        arrays: &Arrays,
        (at, time): (usize, Term),
    ) -> Option<Term> {
        let read = &arrays.reads[at];
        let mut store = self.state_at(logic, trace, (read.path, time))?;
        let counts = self.counts_at(logic, trace, time)?;
        let ids = self.counters.iter().filter_map(|counter| logic.symbol_of(*counter));
        let then: Substitution = ids.zip(counts).collect();
        for (variable, form) in &arrays.forms {
            let form = logic.put(*form, &then);
            store.insert(self.variables[*variable], form);
        }
        let value = logic.put(read.what, &store);
        let is_short = logic.terms.size(value) <= MAX_READ && !logic.terms.is_starred(value);
        is_short.then_some(value)
    }

    /// What the iteration of a number reads in arrays that the loop writes.
    pub(super) fn reads_at(&self, logic: &mut Logic<'_>, time: Term) -> Vec<Term> {
        let (Some(trace), Some(arrays)) = (&self.trace, &self.arrays) else { return Vec::new() };
        let mut all = Vec::new();
        for at in 0..arrays.reads.len() {
            let value = match arrays.reads[at].form {
                Some(form) => logic.terms.select(form, time).ok(),
                None => self.read_at(logic, trace, arrays, (at, time)),
            };
            let read = logic.terms.select(arrays.reads[at].values, time).ok();
            if let (Some(value), Some(read)) = (value, read) {
                all.push(logic.terms.eq(read, value));
            }
        }
        all
    }
}
