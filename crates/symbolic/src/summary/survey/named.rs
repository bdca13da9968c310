//! What the variables of a loop are called: by their names in the source, with a line where a name is taken.

use super::super::arbitrary::Arbitrary;
use super::super::{CellPlace, Extraction};
use crate::loops::Loops;
use loupe_ir::analysis::location::steps;
use loupe_ir::analysis::uses::{Access, visit_accesses};
use loupe_ir::program::{Base, BlockId, Function, LocalId, Operand, Place, Program};
use loupe_loops::Loop;
use loupe_loops::emit::Parameter;
use loupe_term::{Node, Sort, SymbolId, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// The variables of a loop by their names in the source.
pub(super) struct Named {
    /// In the order of their declarations.
    pub(super) parameters: Vec<Parameter>,
    /// Names of symbols that are no variables of the loop.
    pub(super) symbols: BTreeMap<SymbolId, String>,
    /// Where a name that is taken was declared.
    entries: BTreeMap<String, Term>,
}

/// A parameter before its name is final.
struct Candidate {
    /// Globals first, then locals by number; then as they come.
    order: (Option<LocalId>, usize),
    name: String,
    entry: Term,
    line: u32,
}

impl Named {
    pub(super) fn new(
        program: &Program,
        loops: &Loops,
        terms: &Terms,
        extraction: &Extraction,
        start: &Arbitrary,
    ) -> Self {
        let (function, _) = extraction.key;
        let code = program.function(function);
        let line_of = |local: Option<LocalId>, name: &str| match local {
            Some(local) => code.local(local).span.start.line,
            None => {
                let root = name.split(['.', '[', '-']).next().unwrap_or(name);
                let global = program.globals.iter().find(|global| global.name == root);
                global.map_or(0, |global| global.span.start.line)
            }
        };
        let mut occurring: BTreeSet<SymbolId> = BTreeSet::new();
        for path in &extraction.problem.paths {
            for term in path.updates.iter().chain([&path.guard]) {
                occurring.extend(terms.free_symbols(*term));
            }
        }
        let read = read_in(code, loops.of(function).blocks(extraction.key.1));
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut symbols = BTreeMap::new();
        let mut add = |local: Option<LocalId>, name: &str, entry: Term| {
            let line = line_of(local, name);
            let order = (local, candidates.len());
            candidates.push(Candidate { order, name: name.to_owned(), entry, line });
        };
        for declared in &start.declared {
            let Some(symbol) = symbol_of(terms, declared.symbol) else { continue };
            symbols.insert(symbol, declared.name.clone());
            let mut cells = extraction.cells.iter();
            let cell = cells.find(|cell| cell.entry == Some(declared.symbol));
            let is_named = declared.local.is_none_or(|local| code.local(local).name.is_some());
            match cell {
                Some(cell) if is_named => add(declared.local, &declared.name, cell.symbol),
                None if is_named
                    && (occurring.contains(&symbol) || read.contains(&declared.local)) =>
                {
                    add(declared.local, &declared.name, declared.symbol);
                }
                _ => {}
            }
        }
        for cell in &extraction.cells {
            let is_declared = start.declared.iter().any(|d| cell.entry == Some(d.symbol));
            let local = match cell.place {
                CellPlace::Register(local) => Some(local),
                _ => {
                    let mut locals = code.locals();
                    let root = cell.name.split(['.', '[', '-']).next().unwrap_or("");
                    locals.find(|(_, l)| l.name.as_deref() == Some(root)).map(|(id, _)| id)
                }
            };
            let is_named = match (&cell.place, local) {
                (CellPlace::Register(_), Some(local)) => code.local(local).name.is_some(),
                (CellPlace::Result, local) => local.is_some(),
                _ => !cell.name.starts_with("written("),
            };
            if !is_declared && is_named {
                // A pointer that moves is its offset.
                let is_pointer = matches!(cell.place, CellPlace::Register(_))
                    && cell.ty.is_none()
                    && local.is_some_and(|local| {
                        use loupe_ir::types::Type;
                        matches!(program.types.get(code.local(local).ty), Type::Pointer(_))
                    });
                let name =
                    if is_pointer { format!("{}.off", cell.name) } else { cell.name.clone() };
                add(local, &name, cell.symbol);
            }
        }
        for symbol in &occurring {
            let own = &terms.symbol(*symbol).name;
            let is_part =
                |name: &str| own.strip_prefix(name).is_some_and(|rest| rest.starts_with('['));
            let mut unnamed = start.unnamed.iter();
            let is_array = matches!(terms.symbol(*symbol).sort, Sort::Array(_));
            let object = unnamed.find(|object| match is_array {
                true => object.name == *own,
                false => is_part(&object.name),
            });
            let Some(object) = object else { continue };
            let mut cells =
                extraction.cells.iter().filter_map(|cell| symbol_of(terms, cell.symbol));
            if !cells.any(|cell| cell == *symbol)
                && !symbols.contains_key(symbol)
                && let Some(term) = find_symbol(terms, &extraction.problem, *symbol)
            {
                symbols.insert(*symbol, own.clone());
                add(object.local, own, term);
            }
        }
        candidates.sort_by_key(|candidate| candidate.order);
        Named::finish(candidates, symbols)
    }

    /// Gives names that are taken a line: an inner declaration hides an outer one.
    fn finish(mut candidates: Vec<Candidate>, symbols: BTreeMap<SymbolId, String>) -> Self {
        let mut taken: BTreeMap<String, Term> = BTreeMap::new();
        for candidate in candidates.iter_mut().rev() {
            if candidate.name == "exit" || taken.contains_key(&candidate.name) {
                candidate.name = format!("{}@{}", candidate.name, candidate.line);
            }
            taken.insert(candidate.name.clone(), candidate.entry);
        }
        let parameter = |c: Candidate| Parameter { name: c.name, entry: c.entry };
        Named {
            parameters: candidates.into_iter().map(parameter).collect(),
            symbols,
            entries: taken,
        }
    }

    /// A formula over the values at the header; none if it speaks of something else.
    pub(super) fn assumption(&self, terms: &mut Terms, text: &str) -> Option<Term> {
        loupe_loops::assumption::read(terms, text, &self.entries).ok()
    }
}

fn symbol_of(terms: &Terms, term: Term) -> Option<SymbolId> {
    match terms.node(term) {
        Node::Symbol(symbol) => Some(*symbol),
        _ => None,
    }
}

/// The registers that these blocks read, whether anything comes of it or not.
fn read_in(code: &Function, blocks: &[BlockId]) -> BTreeSet<Option<LocalId>> {
    let mut read = BTreeSet::new();
    for (_, step) in blocks.iter().flat_map(|block| steps(code, *block)) {
        visit_accesses(step, &mut |access| match access {
            Access::Read(Operand::Local(local)) => {
                read.insert(Some(*local));
            }
            Access::Load(Place { base: Base::Local(local), .. }) => {
                read.insert(Some(*local));
            }
            _ => {}
        });
    }
    read
}

/// The term of a symbol that occurs in a problem.
fn find_symbol(terms: &Terms, problem: &Loop, symbol: SymbolId) -> Option<Term> {
    let roots = problem.paths.iter().flat_map(|path| path.updates.iter().chain([&path.guard]));
    let mut parts = roots.flat_map(|root| terms.post_order(*root));
    parts.find(|part| symbol_of(terms, *part) == Some(symbol))
}
