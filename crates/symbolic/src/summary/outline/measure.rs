//! Sizes of what a loop walks along: the nodes of a list, the elements up to a zero, the rest of a stream.
//!
//! Each is an argument about the paths of an outline, all of which must agree to it:
//! - *Text.* On a path, a pointer goes on by some elements, each of which was seen not to be zero; or it stays, on a path that something else bounds. As long as the text has an
//!   end and nobody changes it, there are as many iterations as elements.
//! - *List.* On a path, a pointer becomes what it, as it was, points to somewhere, and was not null. So every iteration comes to another node, if the list has no cycle and nobody changes it.
//! - *Calls.* On every path, the same function has returned something that is not what ends the loop: there are as many iterations as it gives such things in a row. That says no more than that, and reports tell it from the rest.
//! - *Stream.* On a path, a function that reads from a stream has returned what it does not return at the end. Every iteration consumes something.

use super::Outline;
use super::Source;
use crate::domain::Symbolic;
use crate::domain::{Feasible, Outcome};
use loupe_integer::Integer;
use loupe_loops::Path;
use loupe_term::{Context, Node, SymbolId, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Assumptions that what calls give has an end begin so.
pub(crate) const GIVEN: &str = "what is given by";

/// What bounds a loop.
#[derive(Clone, Debug)]
pub(crate) struct Size {
    /// `size(p)`, `strlen(s)`, `input()`.
    pub(crate) text: String,
    /// What must hold for it.
    pub(crate) assumptions: Vec<String>,
}

/// What functions of the library return at the end of what they read.
#[derive(Clone, Copy)]
enum AtEnd {
    /// A negative number.
    Negative,
    /// Null.
    Null,
    /// Zero or less.
    NotPositive,
}

/// Functions of the library that read from a stream, and consume something of it unless they return this.
const READERS: [(&str, AtEnd); 40] = [
    ("getc", AtEnd::Negative),
    ("fgetc", AtEnd::Negative),
    ("getchar", AtEnd::Negative),
    ("_IO_getc", AtEnd::Negative),
    ("getc_unlocked", AtEnd::Negative),
    ("fgetc_unlocked", AtEnd::Negative),
    ("getchar_unlocked", AtEnd::Negative),
    ("getwc", AtEnd::Negative),
    ("fgetwc", AtEnd::Negative),
    ("getline", AtEnd::Negative),
    ("getdelim", AtEnd::Negative),
    ("__getdelim", AtEnd::Negative),
    ("getopt", AtEnd::Negative),
    ("getopt_long", AtEnd::Negative),
    ("getopt_long_only", AtEnd::Negative),
    ("rpl_getopt_long", AtEnd::Negative),
    ("fgets", AtEnd::Null),
    ("fgets_unlocked", AtEnd::Null),
    ("gets", AtEnd::Null),
    ("readdir", AtEnd::Null),
    ("readdir64", AtEnd::Null),
    ("strtok", AtEnd::Null),
    ("strtok_r", AtEnd::Null),
    ("__strtok_r", AtEnd::Null),
    ("strsep", AtEnd::Null),
    ("getpwent", AtEnd::Null),
    ("getgrent", AtEnd::Null),
    ("getmntent", AtEnd::Null),
    ("getutent", AtEnd::Null),
    ("getutxent", AtEnd::Null),
    ("gethostent", AtEnd::Null),
    ("getservent", AtEnd::Null),
    ("fread", AtEnd::NotPositive),
    ("fread_unlocked", AtEnd::NotPositive),
    ("read", AtEnd::NotPositive),
    ("pread", AtEnd::NotPositive),
    ("recv", AtEnd::NotPositive),
    ("recvfrom", AtEnd::NotPositive),
    ("readlink", AtEnd::NotPositive),
    ("gzread", AtEnd::NotPositive),
];

/// Which elements of a text are seen on the way from one to the next: all but the last, or all but the first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Before,
    Behind,
}

/// What bounds an outline by what it walks along.
pub(crate) fn size(domain: &mut Symbolic, outline: &Outline) -> Outcome<Option<Size>> {
    if outline.problem.paths.is_empty() {
        return Ok(None);
    }
    let unchanged = "the loop does not change what it walks along".to_owned();
    for (number, variable) in outline.problem.variables.iter().enumerate() {
        if !outline.pointers.contains_key(&variable.symbol) {
            continue;
        }
        let name = &variable.name;
        let mut search = Search { domain, outline, number };
        for (seen, offset) in search.elements() {
            if search.on_all_paths(|search, path| search.is_step_in_text(path, seen, offset))? {
                let end = "the text ends with a zero".to_owned();
                let text = match seen {
                    Seen::Before => format!("strlen({name})"),
                    Seen::Behind => format!("strlen({name} + 1)"),
                };
                return Ok(Some(Size { text, assumptions: vec![end, unchanged] }));
            }
        }
        for offset in search.carried() {
            if search.on_all_paths(|search, path| search.is_carried_step(path, offset))? {
                let end = "the text ends with a zero".to_owned();
                let text = format!("strlen({name}) + 1");
                return Ok(Some(Size { text, assumptions: vec![end, unchanged] }));
            }
        }
        if search.on_all_paths(Search::is_step_in_list)? {
            let acyclic = "the list has an end, which the loop finds, and no cycle".to_owned();
            let text = format!("size({name})");
            return Ok(Some(Size { text, assumptions: vec![acyclic, unchanged] }));
        }
    }
    let mut search = Search { domain, outline, number: 0 };
    if search.on_all_paths(Search::reads)? {
        let assumption = "what is read has an end, and nothing is put back".to_owned();
        return Ok(Some(Size { text: "size(input)".to_owned(), assumptions: vec![assumption] }));
    }
    search.given()
}

struct Search<'s> {
    domain: &'s mut Symbolic,
    outline: &'s Outline,
    /// The variable that moves.
    number: usize,
}

impl Search<'_> {
    fn on_all_paths(
        &mut self,
        mut holds: impl FnMut(&mut Self, &Path) -> Outcome<bool>,
    ) -> Outcome<bool> {
        let outline = self.outline;
        for path in &outline.problem.paths {
            if !holds(self, path)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a condition follows from the guard of a path.
    fn follows(&mut self, path: &Path, claim: Term) -> Outcome<bool> {
        let mut known = Context::new();
        known.assume(&mut self.domain.terms, path.guard);
        if let Some(truth) = known.decide(&self.domain.terms, claim) {
            return Ok(truth);
        }
        let opposite = self.domain.terms.not(claim);
        let mut all = self.outline.problem.facts.clone();
        all.extend([path.guard, opposite]);
        Ok(matches!(self.domain.ask(&all)?, Feasible::No))
    }

    fn is_not_zero(&mut self, path: &Path, term: Term) -> Outcome<bool> {
        let zero = self.domain.terms.int(0);
        let claim = self.domain.terms.ne(term, zero);
        self.follows(path, claim)
    }

    /// Whether something that stands at an address was seen not to be zero.
    fn was_seen(&mut self, path: &Path, address: Term) -> Outcome<bool> {
        for (term, source) in &self.outline.sources {
            if matches!(source, Source::Load(at) if *at == address)
                && self.is_not_zero(path, *term)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What may be zero at the end: elements, or what stands somewhere in each of them.
    fn elements(&mut self) -> Vec<(Seen, Term)> {
        let start = self.outline.problem.variables[self.number].symbol;
        let size = self.outline.pointers.get(&start).copied().unwrap_or(0);
        let size = Integer::from(size);
        let mut found: Vec<(Seen, Term)> = Vec::new();
        for source in self.outline.sources.values() {
            let Source::Load(at) = source else { continue };
            let distance = self.domain.terms.sub(*at, start);
            let Some(distance) = self.domain.terms.as_int(distance).cloned() else { continue };
            // Before or behind where the pointer stands.
            for seen in [Seen::Before, Seen::Behind] {
                let offset = match seen {
                    Seen::Before => distance.clone(),
                    Seen::Behind => distance.sub(&size),
                };
                if !offset.is_negative() && offset < size {
                    let offset = self.domain.terms.int(offset);
                    if !found.contains(&(seen, offset)) {
                        found.push((seen, offset));
                    }
                }
            }
        }
        found
    }

    /// Whether the pointer goes on over elements of its own size that were seen not to be zero, at this place in each.
    fn is_step_in_text(&mut self, path: &Path, seen: Seen, offset: Term) -> Outcome<bool> {
        let start = self.outline.problem.variables[self.number].symbol;
        let size = self.outline.pointers.get(&start).copied().filter(|size| *size > 0);
        let Some(size) = size else { return Ok(false) };
        let size = self.domain.terms.int(Integer::from(size));
        let mut at = path.updates[self.number];
        // From the end back to the start.
        for step in 0..16 {
            if at == start {
                return Ok(step > 0);
            }
            let before = self.domain.terms.sub(at, size);
            let element = if seen == Seen::Before { before } else { at };
            let element = self.domain.terms.add(element, offset);
            if !self.was_seen(path, element)? {
                return Ok(false);
            }
            at = before;
        }
        Ok(false)
    }

    /// Whether the pointer becomes what stands at a fixed distance from where it has pointed to, perhaps several times, and is not null, before or afterwards.
    fn is_step_in_list(&mut self, path: &Path) -> Outcome<bool> {
        let start = self.outline.problem.variables[self.number].symbol;
        let after = path.updates[self.number];
        let mut at = after;
        for _ in 0..4 {
            let Some(Source::Load(from)) = self.outline.sources.get(&at) else { return Ok(false) };
            let distance = self.domain.terms.sub(*from, start);
            if self.domain.terms.as_int(distance).is_some() {
                return Ok(self.is_not_zero(path, start)?
                    || self.is_not_zero(path, after)?
                    || self.is_not_last(path, start)
                    || self.is_not_last(path, after));
            }
            // From a node that was loaded itself.
            let nodes: Vec<Term> = self.outline.sources.keys().copied().collect();
            let node = nodes.into_iter().find(|node| {
                let distance = self.domain.terms.sub(*from, *node);
                self.domain.terms.as_int(distance).is_some()
            });
            let Some(node) = node else { return Ok(false) };
            at = node;
        }
        Ok(false)
    }

    /// A function that decides with what it returns, in every iteration, whether there is another one: as often as it gives something.
    fn given(&mut self) -> Outcome<Option<Size>> {
        let mut all: Option<BTreeSet<String>> = None;
        for path in &self.outline.problem.paths {
            let here = self.deciding(path);
            all = Some(match all {
                None => here,
                Some(all) => all.intersection(&here).cloned().collect(),
            });
        }
        let name = all.into_iter().flatten().next().or_else(|| self.given_before());
        Ok(name.map(|name| Size {
            text: format!("size({name})"),
            assumptions: vec![format!("{GIVEN} `{name}` has an end")],
        }))
    }

    /// The same for what a variable was given in the iteration before: `while (c != EOF) { …; c = getc(f); }`.
    fn given_before(&mut self) -> Option<String> {
        let outline = self.outline;
        for (number, variable) in outline.problem.variables.iter().enumerate() {
            let mut names = BTreeSet::new();
            let mut decides = true;
            for path in &outline.problem.paths {
                let Some(Source::Call(name)) = outline.sources.get(&path.updates[number]) else {
                    decides = false;
                    break;
                };
                names.insert(name.clone());
                decides &= self.decides(path, variable.symbol);
            }
            if let (true, 1, Some(name)) = (decides, names.len(), names.first()) {
                return Some(name.clone());
            }
        }
        None
    }

    /// Whether some condition of a path is about a value and nothing else, other than that it is equal to something.
    fn decides(&self, path: &Path, value: Term) -> bool {
        let terms = &self.domain.terms;
        let own = terms.free_symbols(value);
        self.conditions(path).into_iter().any(|part| terms.free_symbols(part) == own)
    }

    /// The functions whose results some condition of a path is about, and nothing else, other than that they are equal to something.
    fn deciding(&mut self, path: &Path) -> BTreeSet<String> {
        let sources = self.outline.sources.iter().filter_map(|(term, source)| match source {
            Source::Call(name) => Some((*term, name)),
            Source::Load(_) => None,
        });
        sources
            .filter(|(term, _)| self.decides(path, *term))
            .map(|(_, name)| name.clone())
            .collect()
    }

    /// The conditions of a path that do not say that something is equal to something: `while (!f())` waits for something, and nobody knows what there would be an end of.
    fn conditions(&self, path: &Path) -> Vec<Term> {
        let terms = &self.domain.terms;
        let mut found = Vec::new();
        let mut open = vec![path.guard];
        while let Some(part) = open.pop() {
            match terms.node(part) {
                Node::And(parts) => open.extend(parts),
                Node::Zero(_) | Node::Or(_) => {}
                Node::Not(inner) if !matches!(terms.node(*inner), Node::Zero(_)) => {}
                _ => found.push(part),
            }
        }
        found
    }

    /// Whether a path is taken only where a pointer is not the one with which a list ends: something that does not change.
    fn is_not_last(&mut self, path: &Path, pointer: Term) -> bool {
        let terms = &mut self.domain.terms;
        let literals = match terms.node(path.guard).clone() {
            Node::And(parts) => parts.to_vec(),
            _ => vec![path.guard],
        };
        let mut moving: BTreeSet<SymbolId> = BTreeSet::new();
        let variables = self.outline.problem.variables.iter().map(|variable| variable.symbol);
        for symbol in variables.chain(path.fresh.iter().map(|fresh| fresh.symbol)) {
            moving.extend(terms.free_symbols(symbol));
        }
        literals.into_iter().any(|literal| {
            let Node::Not(inner) = *terms.node(literal) else { return false };
            let Node::Zero(compared) = *terms.node(inner) else { return false };
            // `p - e ≠ 0` or `e - p ≠ 0`.
            let (one, other) = (terms.sub(pointer, compared), terms.add(pointer, compared));
            [one, other].into_iter().any(|end| {
                let symbols = terms.free_symbols(end);
                !symbols.is_empty() && symbols.is_disjoint(&moving)
            })
        })
    }

    /// At which distances from the pointer, as it is afterwards, some variable is loaded that the next iteration looks at.
    fn carried(&mut self) -> Vec<(usize, Term)> {
        let mut found = Vec::new();
        let Some(path) = self.outline.problem.paths.first() else { return found };
        for (number, update) in path.updates.iter().enumerate() {
            if let Some(Source::Load(at)) = self.outline.sources.get(update) {
                let distance = self.domain.terms.sub(*at, path.updates[self.number]);
                if self.domain.terms.as_int(distance).is_some() {
                    found.push((number, distance));
                }
            }
        }
        found
    }

    /// Whether the pointer goes on by one element, and a variable, which is not zero here, becomes what stands at a distance from there: so from the second iteration on, all elements were not zero.
    fn is_carried_step(
        &mut self,
        path: &Path,
        (carrier, distance): (usize, Term),
    ) -> Outcome<bool> {
        let start = self.outline.problem.variables[self.number].symbol;
        let variable = self.outline.problem.variables[carrier].symbol;
        let Some(size) = self.outline.pointers.get(&start).copied() else { return Ok(false) };
        let size = self.domain.terms.int(Integer::from(size));
        let next = self.domain.terms.add(start, size);
        let at = self.domain.terms.add(next, distance);
        let is_loaded = matches!(
            self.outline.sources.get(&path.updates[carrier]),
            Some(Source::Load(from)) if *from == at
        );
        Ok(path.updates[self.number] == next
            && start != next
            && is_loaded
            && self.is_not_zero(path, variable)?)
    }

    /// Whether something was read from a stream.
    fn reads(&mut self, path: &Path) -> Outcome<bool> {
        let calls: BTreeMap<Term, AtEnd> = self
            .outline
            .sources
            .iter()
            .filter_map(|(term, source)| {
                let Source::Call(name) = source else { return None };
                let known = READERS.iter().find(|(reader, _)| reader == name);
                known.map(|(_, end)| (*term, *end))
            })
            .collect();
        for (term, end) in calls {
            let (zero, minus_one) = (self.domain.terms.int(0), self.domain.terms.int(-1));
            let claim = match end {
                AtEnd::Negative => self.domain.terms.ne(term, minus_one),
                AtEnd::Null => self.domain.terms.ne(term, zero),
                AtEnd::NotPositive => self.domain.terms.lt(zero, term),
            };
            let is_here = path.fresh.iter().any(|fresh| fresh.symbol == term);
            if is_here && self.follows(path, claim)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
