//! Necessary conditions for people: without what only repeats the ranges of types, and with names for numbers of iterations.
//!
//! What is left out follows from what everybody knows: a number of a type is in the range of that type, and a number of iterations is not negative. So nothing is lost for a reader; solvers get all of it.
//! A symbol that has no type of its own (an element of an array of witnesses, a value that a loop has forgotten) is known by its name, which it has from something that has one. Where things of different
//! types have the same name, the widest range counts, so that at worst too much is shown.

use super::Leaf;
use super::jump::Passed;
use crate::domain::{Symbolic, bounds};
use loupe_integer::Integer;
use loupe_term::{Counted, Names, Node, Range, Sort, Substitution, SymbolId, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The conditions of a way, in words of the program.
#[derive(Clone, Debug, Default)]
pub struct Readable {
    /// The conditions that say more than types do.
    pub conditions: Vec<String>,
    /// The numbers of iterations in them, by the names that they have there.
    pub counters: Vec<Counter>,
}

/// A number of iterations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Its name in the conditions.
    pub name: String,
    /// What it counts.
    pub counted: Counted,
    /// Whether it is an array of such numbers: one for each time.
    pub is_array: bool,
}

impl Readable {
    /// What the conditions of a way to a leaf say.
    pub fn new(domain: &mut Symbolic, leaf: &Leaf, conditions: &[Term]) -> Self {
        let known = exit_ranges(domain, leaf);
        let ranges = Ranges::of(domain);
        let mut shown: Vec<Term> = Vec::new();
        for condition in conditions.iter().filter(|condition| !known.contains(condition)) {
            let trivial = ranges.trivial(&domain.terms, *condition);
            let left = domain.terms.without_literals(*condition, &trivial);
            let is_said = domain.terms.as_bool(left) == Some(true) || shown.contains(&left);
            if !is_said {
                shown.push(left);
            }
        }
        // Whoever reads them reads them together.
        let terms = &domain.terms;
        let names = Names::of(terms, shown.iter().copied());
        let symbols: BTreeSet<SymbolId> =
            shown.iter().flat_map(|part| terms.free_symbols(*part)).collect();
        let mut counters: Vec<Counter> = Vec::new();
        for id in symbols {
            let Some(counted) = &terms.symbol(id).origin.counted else { continue };
            let symbol = terms.symbol(id);
            counters.push(Counter {
                name: names.of_symbol(terms, id),
                counted: (**counted).clone(),
                is_array: symbol.sort != Sort::Int,
            });
        }
        counters.sort_by_key(|counter| {
            let Counted { line, column, path, which, .. } = &counter.counted;
            (*line, *column, *which as u8, *path, counter.name.clone())
        });
        let text = |condition: &Term| terms.display(*condition, &names).to_string();
        Readable { conditions: shown.iter().map(text).collect(), counters }
    }
}

/// That variables are in the ranges of their types where loops are left: these very conditions are parts of necessary conditions.
fn exit_ranges(domain: &mut Symbolic, leaf: &Leaf) -> FxHashSet<Term> {
    let mut known = FxHashSet::default();
    for Passed { solution, case, substitution, .. } in leaf.passed.newest_first() {
        let Some(case) = solution.summary.cases.get(*case) else { continue };
        for (cell, value) in solution.extraction.cells.iter().zip(&case.values) {
            let Some(ty) = cell.ty else { continue };
            let value = domain.terms.substitute(*value, substitution as &Substitution);
            known.extend(domain.range_conditions(ty, value));
        }
    }
    known
}

/// What types say of symbols.
struct Ranges {
    own: FxHashMap<Term, Range>,
    by_name: BTreeMap<String, Range>,
}

impl Ranges {
    fn of(domain: &Symbolic) -> Self {
        let mut own = FxHashMap::default();
        let mut by_name: BTreeMap<String, Range> = BTreeMap::new();
        for (symbol, ty) in domain.typed_symbols() {
            let Some((low, high)) = bounds(ty) else { continue };
            let range = Range::between(Some(low), Some(high));
            if let Node::Symbol(id) = domain.terms.node(symbol) {
                widen(&mut by_name, &domain.terms.symbol(*id).name, &range);
            }
            own.insert(symbol, range);
        }
        // What is known of elements: each bound by itself, the widest of all that there are.
        let mut lows: BTreeMap<String, Integer> = BTreeMap::new();
        let mut highs: BTreeMap<String, Integer> = BTreeMap::new();
        for (arrays, bound, is_low) in domain.harmless.iter().filter_map(|it| element(domain, *it))
        {
            for array in arrays {
                let name = domain.terms.symbol(array).name.clone();
                match is_low {
                    true => {
                        let low = lows.entry(name).or_insert_with(|| bound.clone());
                        *low = bound.clone().min(low.clone());
                    }
                    false => {
                        let high = highs.entry(name).or_insert_with(|| bound.clone());
                        *high = bound.clone().max(high.clone());
                    }
                }
            }
        }
        for (name, low) in lows {
            if let Some(high) = highs.remove(&name) {
                widen(&mut by_name, &name, &Range::between(Some(low), Some(high)));
            }
        }
        Ranges { own, by_name }
    }

    fn symbol(&self, terms: &Terms, symbol: Term, id: SymbolId) -> Range {
        if let Some(range) = self.own.get(&symbol) {
            return range.clone();
        }
        let known = terms.symbol(id);
        if known.origin.counted.is_some() {
            return Range::between(Some(Integer::ZERO), None);
        }
        self.by_name.get(&known.name).cloned().unwrap_or(Range::ALL)
    }

    /// The comparisons in a condition that hold because of types alone.
    fn trivial(&self, terms: &Terms, condition: Term) -> FxHashSet<Term> {
        let order = terms.post_order(condition);
        let bound = bound_variables(terms, &order);
        let mut ranges: FxHashMap<Term, Range> = FxHashMap::default();
        let mut trivial = FxHashSet::default();
        for term in order {
            let of = |part: &Term| ranges.get(part).cloned().unwrap_or(Range::ALL);
            let range = match terms.node(term) {
                Node::Int(number) => Range::exactly(number.clone()),
                Node::Symbol(id) => self.symbol(terms, term, *id),
                Node::Bound(height) => bound.get(height).cloned().unwrap_or(Range::ALL),
                Node::Sum(sum) => {
                    let start = Range::exactly(sum.constant.clone());
                    sum.summands
                        .iter()
                        .fold(start, |all, (part, factor)| all.add(&of(part).scale(factor)))
                }
                Node::Wrap(width, _) => {
                    let (low, high) = width.bounds();
                    Range::between(Some(low), Some(high))
                }
                Node::Ite(_, yes, no) | Node::Store(yes, _, no) => of(yes).join(&of(no)),
                Node::Select(array, _) => of(array),
                Node::ConstantArray(_, value) | Node::Lambda(_, value) => of(value),
                Node::NonPositive(value) => {
                    let high = of(value);
                    if high.high().is_some_and(|high| *high <= Integer::ZERO) {
                        trivial.insert(term);
                    }
                    Range::ALL
                }
                _ => Range::ALL,
            };
            ranges.insert(term, range);
        }
        trivial
    }
}

fn widen(by_name: &mut BTreeMap<String, Range>, name: &str, range: &Range) {
    match by_name.get_mut(name) {
        Some(known) => *known = known.join(range),
        None => {
            by_name.insert(name.to_owned(), range.clone());
        }
    }
}

/// What a condition says that is nothing but a bound of an element: the arrays that it may be of, the bound, and whether nothing is below it.
fn element(domain: &Symbolic, condition: Term) -> Option<(Vec<SymbolId>, Integer, bool)> {
    let Node::NonPositive(sum) = *domain.terms.node(condition) else { return None };
    let sum = domain.terms.polynomial(sum);
    let [(atom, factor)] = &sum.summands[..] else { return None };
    let mut arrays = Vec::new();
    let (mut open, mut seen) = (vec![*atom], FxHashSet::default());
    while let Some(part) = open.pop() {
        if !seen.insert(part) {
            continue;
        }
        match *domain.terms.node(part) {
            Node::Ite(_, one, other) | Node::Store(one, _, other) => open.extend([one, other]),
            Node::Select(below, _) | Node::Lambda(_, below) => open.push(below),
            Node::Symbol(id) if domain.terms.sort(part) != Sort::Int => arrays.push(id),
            _ => {}
        }
    }
    if *factor == Integer::ONE {
        return Some((arrays, sum.constant.neg(), false));
    }
    (*factor == Integer::ONE.neg()).then_some((arrays, sum.constant, true))
}

/// Variables of quantifiers that begin at a number: they are not below it. Others of the same height may be below.
fn bound_variables(terms: &Terms, order: &[Term]) -> FxHashMap<u32, Range> {
    let mut bound: FxHashMap<u32, Range> = FxHashMap::default();
    for term in order {
        let (height, range) = match terms.node(*term) {
            Node::Quantified(_, binder, [low, ..]) => {
                let low = terms.as_int(*low).cloned();
                (binder.height(), Range::between(low, None))
            }
            Node::Lambda(binder, _) => (binder.height(), Range::ALL),
            _ => continue,
        };
        let known = bound.entry(height).or_insert_with(|| range.clone());
        *known = known.join(&range);
    }
    bound
}
