//! Names that SMT-LIB allows, all different.

use super::Statement;
use super::sharing::{self, Sharing};
use crate::arena::Terms;
use crate::node::{FunctionId, SymbolId, Term};
use crate::smtlib::operation::{LAMBDA, PREFIX};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Words that are no symbols unless they are quoted.
const RESERVED: &[&str] = &[
    "!",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "let",
    "match",
    "par",
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "define-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
    "echo",
    "exit",
    "get-assertions",
    "get-assignment",
    "get-info",
    "get-model",
    "get-option",
    "get-proof",
    "get-unsat-assumptions",
    "get-unsat-core",
    "get-value",
    "pop",
    "push",
    "reset",
    "reset-assertions",
    "set-info",
    "set-logic",
    "set-option",
    "lambda",
];

/// Names of functions and sorts of the theories, also those of solvers beyond the standard, and words
/// that solvers take for the reserved ones even if they are quoted.
const TAKEN: &[&str] = &[
    "_",
    "as",
    "forall",
    "exists",
    "true",
    "false",
    "not",
    "and",
    "or",
    "xor",
    "=>",
    "=",
    "distinct",
    "ite",
    "+",
    "-",
    "*",
    "/",
    "<",
    "<=",
    ">",
    ">=",
    "div",
    "mod",
    "abs",
    "divisible",
    "to_real",
    "to_int",
    "is_int",
    "select",
    "store",
    "const",
    "Int",
    "Bool",
    "Real",
    "Array",
    "BitVec",
    "String",
    "RegLan",
    "RoundingMode",
    "Set",
    "Bag",
    "Seq",
    "Tuple",
    "concat",
    "extract",
    "repeat",
    "int2bv",
    "bv2nat",
    "int_to_bv",
    "ubv_to_int",
    "sbv_to_int",
    "iff",
    "implies",
    "if",
    "rem",
    "^",
    "**",
    "exp",
    "sin",
    "cos",
    "tan",
    "csc",
    "sec",
    "cot",
    "arcsin",
    "arccos",
    "arctan",
    "arccsc",
    "arcsec",
    "arccot",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "sqrt",
    "pi",
    "real.pi",
    "iand",
    "piand",
    "int.pow2",
    "int.log2",
    "fp",
    "tuple",
    "bag",
    "set",
    "map",
    "sep",
    "pto",
    "wand",
    "nil",
    "union",
    "default",
    "as-array",
    "is",
    "update",
    "root-obj",
    "RNE",
    "RNA",
    "RTP",
    "RTN",
    "RTZ",
    "NaN",
    "+oo",
    "-oo",
    "+zero",
    "-zero",
    "eqrange",
    "witness",
];

/// Beginnings of names of theories.
const TAKEN_BEGINNINGS: &[&str] =
    &["bv", "str.", "re.", "seq.", "set.", "bag.", "int.", "fp.", "rel.", "ff.", "char.", "tuple."];

/// A symbol as it is written: quoted unless it is a plain word.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let starts_plain = name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    if starts_plain && name.chars().all(plain) && !RESERVED.contains(&name) {
        name.to_owned()
    } else {
        format!("|{name}|")
    }
}

/// A name like the wished one that solvers do not take for something else.
fn allowed(wish: &str) -> String {
    let allowed = |c: char| if c == '|' || c == '\\' || c.is_control() { '_' } else { c };
    let mut name: String = wish.chars().map(allowed).collect();
    // Names with these beginnings belong to solvers.
    if name.starts_with(['@', '.']) || name.is_empty() {
        name.insert(0, '_');
    }
    if let Some(rest) = name.strip_prefix(PREFIX) {
        name = format!("loupe_{rest}");
    }
    if TAKEN_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)) {
        name.insert(0, '_');
    }
    name
}

/// What everything in a script is called.
pub(super) struct Registry {
    used: FxHashSet<String>,
    /// The last number that a name was tried with.
    numbers: FxHashMap<String, u64>,
    /// As they are written.
    symbols: BTreeMap<SymbolId, String>,
    functions: BTreeMap<FunctionId, String>,
    bound: BTreeMap<u32, String>,
    named: BTreeMap<Term, String>,
    defined: Vec<String>,
    meanings: (BTreeMap<String, SymbolId>, BTreeMap<String, FunctionId>),
}

impl Registry {
    pub(super) fn new(
        terms: &Terms,
        statements: &[Statement],
        sharing: &Sharing,
        given: &BTreeMap<SymbolId, String>,
    ) -> Self {
        let mut names = Registry {
            used: TAKEN.iter().map(|name| (*name).to_owned()).collect(),
            numbers: FxHashMap::default(),
            symbols: BTreeMap::new(),
            functions: BTreeMap::new(),
            bound: BTreeMap::new(),
            named: BTreeMap::new(),
            defined: Vec::new(),
            meanings: Default::default(),
        };
        for statement in statements {
            if let Statement::Define { name, .. } | Statement::Relation { name, .. } = statement {
                let name = names.claim(name);
                names.defined.push(quoted(&name));
            }
        }
        let (chosen, own): (Vec<SymbolId>, Vec<SymbolId>) =
            sharing.symbols.iter().partition(|symbol| given.contains_key(symbol));
        let (global, local): (Vec<SymbolId>, Vec<SymbolId>) =
            chosen.into_iter().partition(|symbol| sharing.declared.contains(symbol));
        let wish = |symbol| given.get(&symbol).unwrap_or(&terms.symbol(symbol).name);
        for symbol in global {
            names.claim_for(symbol, wish(symbol));
        }
        names.name_locals(statements, &local, wish);
        for symbol in own {
            names.claim_for(symbol, wish(symbol));
        }
        for function in &sharing.functions {
            let name = names.claim(&terms.function_info(*function).name);
            names.functions.insert(*function, quoted(&name));
            names.meanings.1.insert(name, *function);
        }
        for height in &sharing.heights {
            let name = names.claim(&format!("t!{height}"));
            names.bound.insert(*height, quoted(&name));
        }
        let (mut lambdas, mut parts) = (0, 0);
        for term in &sharing.named {
            let name = if sharing.is_lambda(terms, *term) {
                lambdas += 1;
                format!("{LAMBDA}{lambdas}") // nobody else's name starts like this
            } else {
                parts += 1;
                quoted(&names.claim(&format!("part!{parts}")))
            };
            names.named.insert(*term, name);
        }
        names
    }

    fn claim_for(&mut self, symbol: SymbolId, wish: &str) {
        let name = self.claim(wish);
        self.symbols.insert(symbol, quoted(&name));
        self.meanings.0.insert(name, symbol);
    }

    /// Names symbols that are only ever variables. Two have the same name only if no function has both; so
    /// a name means one thing wherever it stands. What is named later has none of these names.
    fn name_locals<'w>(
        &mut self,
        statements: &[Statement],
        symbols: &[SymbolId],
        wish: impl Fn(SymbolId) -> &'w String,
    ) {
        let mut scopes: FxHashMap<SymbolId, Vec<usize>> = FxHashMap::default();
        let roots = statements.iter().flat_map(sharing::roots);
        for (scope, (_, variables)) in roots.enumerate() {
            variables.into_iter().for_each(|symbol| scopes.entry(symbol).or_default().push(scope));
        }
        let global = self.used.clone();
        let mut taken: FxHashSet<(usize, String)> = FxHashSet::default();
        for symbol in symbols {
            let scopes = scopes.get(symbol).map_or(&[][..], Vec::as_slice);
            let base = allowed(wish(*symbol));
            let numbered = (1_u64..).map(|number| format!("{base}!{number}"));
            let mut candidates = std::iter::once(base.clone()).chain(numbered);
            let free = |name: &String| {
                let here = |scope: &usize| taken.contains(&(*scope, name.clone()));
                !global.contains(name) && !scopes.iter().any(here)
            };
            // The candidates do not end, and only finitely many are taken.
            let name = candidates.find(free).unwrap_or_default();
            taken.extend(scopes.iter().map(|scope| (*scope, name.clone())));
            self.used.insert(name.clone());
            self.symbols.insert(*symbol, quoted(&name));
            self.meanings.0.insert(name, *symbol);
        }
    }

    /// A name like the wished one that is allowed and different from all others.
    fn claim(&mut self, wish: &str) -> String {
        let name = allowed(wish);
        let mut candidate = name.clone();
        while !self.used.insert(candidate.clone()) {
            let number = self.numbers.entry(name.clone()).or_insert(0);
            *number += 1;
            candidate = format!("{name}!{number}");
        }
        candidate
    }

    pub(super) fn symbol(&self, id: SymbolId) -> &str {
        self.symbols.get(&id).map_or("", String::as_str)
    }

    pub(super) fn function(&self, id: FunctionId) -> &str {
        self.functions.get(&id).map_or("", String::as_str)
    }

    pub(super) fn bound(&self, height: u32) -> &str {
        self.bound.get(&height).map_or("", String::as_str)
    }

    /// The name of a part that is defined on its own.
    pub(super) fn named(&self, term: Term) -> &str {
        self.named.get(&term).map_or("", String::as_str)
    }

    /// The names of the functions of the script, in order.
    pub(super) fn defined(&self) -> &[String] {
        &self.defined
    }

    /// Which names stand for what, without quotes.
    pub(super) fn meanings(&self) -> (BTreeMap<String, SymbolId>, BTreeMap<String, FunctionId>) {
        self.meanings.clone()
    }
}
