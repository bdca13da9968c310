//! Bounds against counting: of the loop, of each way out and of each path.

use crate::inputs::{Executed, execute};
use crate::oracle::{self, Checked, assignment, number};
use crate::random::Random;
use loupe_integer::Integer;
use loupe_loops::bounds::{Bound, bounds};
use loupe_loops::show::Words;
use loupe_loops::{Effort, Summary, Tag, summarise};
use loupe_solver::{Chain, ChainOptions};
use loupe_term::{Node, Term};
use std::collections::BTreeMap;

/// No bound is exceeded, whatever the entry: for the summary of all entries, and for one that knows something of them.
pub(crate) fn compare(checked: &mut Checked, seed: u64) {
    let mut random = Random::new(seed);
    exceeds_none(checked, &mut random);
    let Some(first) = checked.problem.variables.first().map(|variable| variable.symbol) else {
        return;
    };
    let value = checked.terms.int(random.below(5) as i64);
    let known = match random.below(3) {
        0 => checked.terms.eq(first, value),
        1 => checked.terms.le(first, value),
        _ => checked.terms.le(value, first),
    };
    checked.problem.entry.push(known);
    let mut chain = Chain::new(ChainOptions::default());
    let effort = Effort { questions: 200, ..Effort::default() };
    let found = summarise(&mut checked.terms, &mut chain, &checked.problem, &effort);
    let general = std::mem::replace(&mut checked.summary, found.expect("no errors"));
    exceeds_none(checked, &mut random);
    checked.summary = general;
    checked.problem.entry.clear();
}

fn exceeds_none(checked: &mut Checked, random: &mut Random) {
    let Checked { summary, terms, problem, .. } = checked;
    let (mut chain, limits) = (Chain::new(ChainOptions::default()), Effort::default().limits);
    let words = Words::new(terms, problem, Some(summary), &BTreeMap::new());
    let loop_of: (_, &Summary) = (&*problem, summary);
    let found = bounds(terms, &mut chain, loop_of, &words, &limits).expect("no errors");
    let iterating: Vec<usize> = problem.iterations().map(|(path, _)| path).collect();
    let mut symbols: Vec<Term> = Vec::new();
    for path in &problem.paths {
        for symbol in terms.free_symbols(path.guard) {
            let term = terms.symbol_term(symbol);
            let is_input = path.fresh.iter().any(|fresh| fresh.symbol == term);
            if !is_input && !symbols.contains(&term) {
                symbols.push(term);
            }
        }
    }
    for variable in &problem.variables {
        if !symbols.contains(&variable.symbol) {
            symbols.push(variable.symbol);
        }
    }
    let mentioned: Vec<Term> = problem
        .paths
        .iter()
        .flat_map(|path| path.updates.iter().flat_map(|update| terms.post_order(*update)))
        .filter(|part| matches!(terms.node(*part), Node::Symbol(_)))
        .collect();
    let is_fresh = |term: &Term| {
        problem.paths.iter().any(|path| path.fresh.iter().any(|fresh| fresh.symbol == *term))
    };
    for term in mentioned {
        if !is_fresh(&term) && !symbols.contains(&term) {
            symbols.push(term);
        }
    }
    for _ in 0..12 {
        let entry: Vec<(Term, Integer)> = symbols
            .iter()
            .map(|symbol| (*symbol, Integer::from(random.below(14) as i64 - 3)))
            .collect();
        let at = assignment(&checked.terms, &entry);
        if !checked.terms.all_hold(&checked.problem.entry, &at) {
            continue;
        }
        if checked.summary.tag == Tag::Exact {
            oracle::compare(checked, &entry);
        }
        let Some(Executed { exit, taken, .. }) = execute(checked, &entry, random, 300) else {
            continue;
        };
        let iterations: u64 = iterating.iter().map(|path| taken[*path]).sum();
        let within = |bound: Option<&Bound>, count: u64, what: &str| {
            let Some(bound) = bound else { return };
            let Some(limit) = number(&checked.terms, bound.term, &at) else { return };
            assert!(
                Integer::from(count) <= limit,
                "{what}: {count} of at most {limit} = {}, from {entry:?} in {}",
                bound.text,
                checked.text
            );
        };
        within(found.total.as_ref(), iterations, "iterations");
        within(found.exits[exit].as_ref(), iterations, "iterations before the exit");
        for path in &iterating {
            within(found.paths[*path].as_ref(), taken[*path], "iterations of a path");
        }
    }
}
