//! Terms from s-expressions, with a stack of what is still to be done.
//!
//! Functions that a script defines are expanded by evaluating their bodies again, with the arguments
//! for the parameters. Each expansion is remembered. So that expansions can be found again, variables
//! of binders at the same depth are the same symbol while they are read, and so are parameters at the
//! same position: reading what was printed takes as many steps as the text is long.

mod expand;

use super::Note;
use super::builtin::{self, Builtin};
use super::error::{ReadError, ReadErrorKind};
use super::globals::{Global, Globals};
use super::tree::{Id, Kind, Tree, shortened};
use crate::arena::{Origin, Terms};
use crate::node::{FunctionId, Node, Quantifier, Sort, Term};
use crate::smtlib::operation::Operation;
use loupe_integer::Integer;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What a local name stands for.
#[derive(Clone, Copy)]
enum Local {
    Term(Term),
    /// The variable of a binder, while its bounds are read, in which it must not occur.
    Hidden,
}

/// What is applied to arguments.
enum Head {
    Builtin(Builtin),
    Operation(Operation),
    Function(FunctionId),
    Macro(usize),
    /// `(as const …)` of an array with these dimensions.
    Constant(u8),
    /// `(_ divisible n)`.
    Divisible(Integer),
}

/// What is still to be done. Values of terms are on a stack of their own.
enum Task<'s> {
    Evaluate(Id),
    /// Applies the head to the values on top, as many as there are arguments.
    Apply(Id, Head, usize),
    /// Gives the values on top to the names of a `let`, and goes on with the body.
    Let(Vec<&'s str>, Id),
    /// Forgets so many local names.
    Forget(usize),
    /// The bounds of a quantifier have been read: now its variable stands for itself.
    Open(&'s str),
    /// Binds the variable in the values on top: low, high, body.
    Quantify(Id, Quantifier),
    /// The end of an expansion of a macro with these arguments.
    Expanded(Id, Expansion),
    /// Gives the value on top a global name as well.
    Name(Id, &'s str),
}

struct Expansion {
    number: usize,
    arguments: Vec<Term>,
    /// The frame that it was in.
    outer: u64,
}

/// Work that a text may stand for, beyond a multiple of its length.
const MAX_WORK: usize = 10_000_000;

/// The state of reading.
pub(super) struct Evaluator<'t, 's> {
    pub(super) terms: &'t mut Terms,
    pub(super) tree: &'t Tree<'s>,
    pub(super) globals: Globals<'s>,
    /// Where divisions were fixed.
    fixed: BTreeSet<Id>,
    values: Vec<Term>,
    tasks: Vec<Task<'s>>,
    /// Local names, each with the frame that it belongs to: one for each macro being expanded. Only
    /// those of the current frame are seen.
    locals: FxHashMap<&'s str, Vec<(u64, Local)>>,
    /// Local names in the order in which they came.
    trail: Vec<&'s str>,
    frame: u64,
    frames: u64,
    /// How many binders are around.
    depth: usize,
    variables: Vec<Term>,
    parameters: BTreeMap<(usize, Sort), Term>,
    work: usize,
}

impl<'t, 's> Evaluator<'t, 's> {
    pub(super) fn new(terms: &'t mut Terms, tree: &'t Tree<'s>) -> Self {
        Evaluator {
            terms,
            tree,
            globals: Globals::default(),
            fixed: BTreeSet::new(),
            values: Vec::new(),
            tasks: Vec::new(),
            locals: FxHashMap::default(),
            trail: Vec::new(),
            frame: 0,
            frames: 0,
            depth: 0,
            variables: Vec::new(),
            parameters: BTreeMap::new(),
            work: MAX_WORK.saturating_add(tree.len().saturating_mul(20)),
        }
    }

    pub(super) fn notes(&self) -> Vec<Note> {
        let positions = self.tree.positions(self.fixed.iter().copied());
        positions.into_iter().map(Note::DivisionFixed).collect()
    }

    pub(super) fn error(&self, id: Id, kind: ReadErrorKind) -> ReadError {
        ReadError { position: self.tree.position(id), kind }
    }

    pub(super) fn unexpected(&self, id: Id, expected: &'static str) -> ReadError {
        let found = shortened(self.tree.text(id));
        self.error(id, ReadErrorKind::Unexpected { expected, found })
    }

    pub(super) fn unsupported(&self, id: Id, what: &str) -> ReadError {
        self.error(id, ReadErrorKind::Unsupported(what.to_owned()))
    }

    /// The term of an s-expression, which must have a sort.
    pub(super) fn term_of(&mut self, id: Id, sort: Sort) -> Result<Term, ReadError> {
        let term = self.term(id)?;
        self.terms.require(term, sort).map_err(|e| self.error(id, builtin::misuse(e)))?;
        Ok(term)
    }

    /// The term of an s-expression.
    pub(super) fn term(&mut self, id: Id) -> Result<Term, ReadError> {
        self.tasks.push(Task::Evaluate(id));
        self.run(id)
    }

    /// The value of a macro for symbols that stand for its parameters, and these symbols.
    pub(super) fn instance(
        &mut self,
        id: Id,
        number: usize,
    ) -> Result<(Vec<Term>, Term), ReadError> {
        let sorts = self.globals.macros.get(number).map(|it| it.parameters.clone());
        let mut arguments = Vec::new();
        for (position, (name, sort)) in sorts.unwrap_or_default().into_iter().enumerate() {
            let terms = &mut *self.terms;
            let fresh = || terms.fresh(name, sort, Origin::default());
            arguments.push(*self.parameters.entry((position, sort)).or_insert_with(fresh));
        }
        self.expand(id, number, arguments.clone())?;
        Ok((arguments, self.run(id)?))
    }

    fn run(&mut self, id: Id) -> Result<Term, ReadError> {
        while let Some(task) = self.tasks.pop() {
            self.step(task)?;
        }
        self.values.pop().ok_or_else(|| self.unexpected(id, "a term"))
    }

    fn step(&mut self, task: Task<'s>) -> Result<(), ReadError> {
        match task {
            Task::Evaluate(id) => {
                self.spend(id, 1)?;
                self.evaluate(id)
            }
            Task::Apply(id, head, count) => {
                let arguments = self.values.split_off(self.values.len().saturating_sub(count));
                self.apply(id, head, arguments)
            }
            Task::Let(names, body) => {
                let values = self.values.split_off(self.values.len().saturating_sub(names.len()));
                self.tasks.extend([Task::Forget(names.len()), Task::Evaluate(body)]);
                for (name, value) in names.into_iter().zip(values) {
                    self.bind(name, Local::Term(value));
                }
                Ok(())
            }
            Task::Forget(count) => {
                self.forget(count);
                Ok(())
            }
            Task::Open(name) => {
                self.forget(1);
                let variable = self.open_binder();
                self.bind(name, Local::Term(variable));
                Ok(())
            }
            Task::Quantify(id, quantifier) => self.quantify(id, quantifier),
            Task::Expanded(id, expansion) => self.expanded(id, expansion),
            Task::Name(id, name) => {
                let named = self.values.last().copied().map(Global::Term);
                if named.is_some_and(|meaning| !self.globals.declare(name, meaning)) {
                    return Err(self.error(id, ReadErrorKind::Redeclared(name.to_owned())));
                }
                Ok(())
            }
        }
    }

    fn spend(&mut self, id: Id, work: usize) -> Result<(), ReadError> {
        match self.work.checked_sub(work) {
            Some(left) => self.work = left,
            None => return Err(self.error(id, ReadErrorKind::TooLarge)),
        }
        Ok(())
    }

    fn bind(&mut self, name: &'s str, local: Local) {
        self.locals.entry(name).or_default().push((self.frame, local));
        self.trail.push(name);
    }

    fn forget(&mut self, count: usize) {
        for name in self.trail.split_off(self.trail.len().saturating_sub(count)) {
            if let Some(meanings) = self.locals.get_mut(name) {
                meanings.pop();
            }
        }
    }

    fn local(&self, name: &str) -> Option<Local> {
        // The current frame is the newest one: what it binds is on top.
        let (frame, local) = self.locals.get(name)?.last()?;
        (*frame == self.frame).then_some(*local)
    }

    fn evaluate(&mut self, id: Id) -> Result<(), ReadError> {
        match self.tree.kind(id) {
            Kind::Numeral => {
                let value: Integer =
                    self.tree.text(id).parse().map_err(|_| self.unexpected(id, "a numeral"))?;
                let value = self.terms.int(value);
                self.values.push(value);
                Ok(())
            }
            Kind::Symbol | Kind::Quoted => self.evaluate_symbol(id),
            Kind::List => self.evaluate_list(id),
            Kind::Literal => Err(self.unsupported(id, "a literal that is no integer")),
            Kind::String => Err(self.unsupported(id, "a string")),
            Kind::Keyword => Err(self.unexpected(id, "a term")),
        }
    }

    fn evaluate_symbol(&mut self, id: Id) -> Result<(), ReadError> {
        let name = self.tree.text(id);
        let value = match (self.local(name), self.globals.get(name)) {
            (Some(Local::Term(term)), _) => term,
            (Some(Local::Hidden), _) => {
                let what = "a bound of a variable that depends on the variable";
                return Err(self.unsupported(id, what));
            }
            (None, Some(Global::Term(term))) => term,
            (None, Some(Global::Macro(number))) => return self.expand(id, number, Vec::new()),
            (None, Some(Global::Function(function))) => {
                return self.apply(id, Head::Function(function), Vec::new());
            }
            (None, None) => match name {
                "true" => self.terms.bool(true),
                "false" => self.terms.bool(false),
                _ => return Err(self.error(id, ReadErrorKind::Undeclared(name.to_owned()))),
            },
        };
        self.values.push(value);
        Ok(())
    }

    fn evaluate_list(&mut self, id: Id) -> Result<(), ReadError> {
        let parts = self.tree.parts(id);
        let Some((head, arguments)) = parts.split_first() else {
            return Err(self.unexpected(id, "a term"));
        };
        if self.tree.kind(*head) == Kind::Symbol {
            match self.tree.text(*head) {
                "let" => return self.evaluate_let(id, arguments),
                "forall" => return self.evaluate_quantifier(id, Quantifier::Forall, arguments),
                "exists" => return self.evaluate_quantifier(id, Quantifier::Exists, arguments),
                "!" => return self.evaluate_annotation(id, arguments),
                word @ ("_" | "as" | "match" | "par" | "lambda") => {
                    return Err(self.unsupported(id, &format!("a term with `{word}`")));
                }
                _ => {}
            }
        }
        let resolved = self.head(*head)?;
        self.tasks.push(Task::Apply(id, resolved, arguments.len()));
        self.tasks.extend(arguments.iter().rev().map(|argument| Task::Evaluate(*argument)));
        Ok(())
    }

    /// What a function is.
    fn head(&self, id: Id) -> Result<Head, ReadError> {
        let Some(name) = self.tree.symbol(id) else {
            return self.indexed_head(id);
        };
        if let Some(builtin) = Builtin::named(name) {
            return Ok(Head::Builtin(builtin));
        }
        match self.globals.get(name) {
            Some(Global::Function(function)) => Ok(Head::Function(function)),
            Some(Global::Macro(number)) => Ok(Head::Macro(number)),
            Some(Global::Term(_)) => Err(self.unexpected(id, "a function")),
            None => match Operation::named(name) {
                Some(operation) => Ok(Head::Operation(operation)),
                None => Err(self.error(id, ReadErrorKind::Undeclared(name.to_owned()))),
            },
        }
    }

    /// `(as const sort)` and `(_ divisible n)`.
    fn indexed_head(&self, id: Id) -> Result<Head, ReadError> {
        let tree = self.tree;
        match &tree.parts(id)[..] {
            [word, name, sort] if tree.is_word(*word, "as") && tree.is_symbol(*name, "const") => {
                match self.sort(*sort)? {
                    Sort::Array(dimensions) => Ok(Head::Constant(dimensions)),
                    Sort::Int | Sort::Bool => Err(self.unexpected(*sort, "the sort of an array")),
                }
            }
            [word, name, index]
                if tree.is_word(*word, "_") && tree.is_symbol(*name, "divisible") =>
            {
                let divisor: Option<Integer> = tree.text(*index).parse().ok();
                match divisor.filter(|divisor| *divisor > Integer::ZERO) {
                    Some(divisor) => Ok(Head::Divisible(divisor)),
                    None => Err(self.unexpected(*index, "a positive numeral")),
                }
            }
            _ => Err(self.unsupported(id, "this function")),
        }
    }

    /// The sort that an s-expression is.
    pub(super) fn sort(&self, id: Id) -> Result<Sort, ReadError> {
        let (mut inner, mut dimensions) = (id, 0u8);
        loop {
            match &self.tree.parts(inner)[..] {
                [array, index, element] if self.tree.is_symbol(*array, "Array") => {
                    if !self.tree.is_symbol(*index, "Int") {
                        return Err(self.unsupported(*index, "an index that is no integer"));
                    }
                    inner = *element;
                    dimensions = dimensions
                        .checked_add(1)
                        .ok_or_else(|| self.unsupported(id, "an array of so many dimensions"))?;
                }
                _ => break,
            }
        }
        match (self.tree.symbol(inner), dimensions) {
            (Some("Int"), 0) => Ok(Sort::Int),
            (Some("Int"), _) => Ok(Sort::Array(dimensions)),
            (Some("Bool"), 0) => Ok(Sort::Bool),
            _ => Err(self.unsupported(inner, &format!("sort {}", self.tree.text(inner)))),
        }
    }

    fn evaluate_let(&mut self, id: Id, arguments: &[Id]) -> Result<(), ReadError> {
        let [bindings, body] = arguments else {
            return Err(self.unexpected(id, "`(let (bindings) term)`"));
        };
        if self.tree.kind(*bindings) != Kind::List {
            return Err(self.unexpected(*bindings, "a list of bindings"));
        }
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for binding in self.tree.parts(*bindings) {
            match &self.tree.parts(binding)[..] {
                [name, value] if self.tree.symbol(*name).is_some() => {
                    names.push(self.tree.text(*name));
                    values.push(Task::Evaluate(*value));
                }
                _ => return Err(self.unexpected(binding, "`(name term)`")),
            }
        }
        if names.iter().collect::<BTreeSet<_>>().len() < names.len() {
            return Err(self.unexpected(*bindings, "different names"));
        }
        self.tasks.push(Task::Let(names, *body));
        self.tasks.extend(values.into_iter().rev());
        Ok(())
    }

    fn evaluate_annotation(&mut self, id: Id, arguments: &[Id]) -> Result<(), ReadError> {
        let Some((term, attributes)) = arguments.split_first() else {
            return Err(self.unexpected(id, "`(! term attributes)`"));
        };
        let pairs = attributes.iter().zip(attributes.iter().skip(1));
        let named = |(keyword, _): &(&Id, &Id)| {
            self.tree.kind(**keyword) == Kind::Keyword && self.tree.text(**keyword) == ":named"
        };
        if let Some((_, name)) = pairs.into_iter().find(named) {
            let Some(text) = self.tree.symbol(*name) else {
                return Err(self.unexpected(*name, "a name"));
            };
            if !self.trail.is_empty() || self.frame != 0 {
                return Err(self.unsupported(id, "a named term in the scope of a variable"));
            }
            self.tasks.push(Task::Name(*name, text));
        }
        self.tasks.push(Task::Evaluate(*term));
        Ok(())
    }

    fn apply(&mut self, id: Id, head: Head, arguments: Vec<Term>) -> Result<(), ReadError> {
        let size = |term: &Term| match self.terms.node(*term) {
            Node::Sum(sum) => sum.summands.len(),
            Node::And(parts) | Node::Or(parts) => parts.len(),
            _ => 1,
        };
        let work = arguments.iter().map(size).sum();
        self.spend(id, work)?;
        let result = match head {
            Head::Builtin(builtin) => {
                if builtin.fixes_division(self.terms, &arguments) {
                    self.fixed.insert(id);
                }
                builtin.apply(self.terms, &arguments)
            }
            Head::Operation(operation) => builtin::operate(self.terms, &operation, &arguments),
            Head::Function(function) => {
                self.terms.apply(function, &arguments).map_err(builtin::misuse)
            }
            Head::Macro(number) => return self.expand(id, number, arguments),
            Head::Constant(dimensions) => self.constant(dimensions, &arguments),
            Head::Divisible(divisor) => {
                let divides = Operation::Divides(divisor);
                builtin::operate(self.terms, &divides, &arguments)
            }
        };
        let result = result.map_err(|kind| self.blame(id, &arguments, kind))?;
        self.values.push(result);
        Ok(())
    }

    /// An error in an application: at the argument that has a wrong sort, or at the whole.
    fn blame(&self, id: Id, arguments: &[Term], kind: ReadErrorKind) -> ReadError {
        let ReadErrorKind::Sort { found, .. } = kind else {
            return self.error(id, kind);
        };
        let position = arguments.iter().position(|argument| self.terms.sort(*argument) == found);
        let parts = self.tree.parts(id);
        let culprit = position.and_then(|position| parts.get(position + 1));
        self.error(culprit.copied().unwrap_or(id), kind)
    }

    /// `((as const sort) value)`, where the value is an element: of several dimensions, only the same
    /// integer everywhere is supported.
    fn constant(&mut self, dimensions: u8, arguments: &[Term]) -> Result<Term, ReadErrorKind> {
        let [value] = *arguments else {
            let needed = "1 argument".to_owned();
            return Err(ReadErrorKind::Arity { needed, found: arguments.len() });
        };
        let element = Sort::Array(dimensions).element().unwrap_or(Sort::Int);
        builtin::require_all(self.terms, &[value], element)?;
        let integer = match (element, self.terms.node(value)) {
            (Sort::Int, _) => value,
            (_, Node::ConstantArray(_, integer)) => *integer,
            _ => {
                let what = "the same array everywhere, unless it is constant itself";
                return Err(ReadErrorKind::Unsupported(what.to_owned()));
            }
        };
        self.terms.constant_array(dimensions, integer).map_err(builtin::misuse)
    }
}
