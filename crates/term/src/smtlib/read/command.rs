//! The commands of a script.

use super::error::{ReadError, ReadErrorKind};
use super::evaluate::Evaluator;
use super::globals::{Global, Macro};
use super::tree::{Id, Kind, Tree};
use super::{Command, Script, Vocabulary};
use crate::arena::{Origin, Terms};
use crate::node::{Node, Sort, SymbolId};
use crate::smtlib::operation::{Dialect, LAMBDA, Operation, PREFIX};
use rustc_hash::FxHashMap;

/// Reads all commands of a tree.
pub(super) fn read(
    terms: &mut Terms,
    tree: &Tree<'_>,
    vocabulary: &Vocabulary,
) -> Result<Script, ReadError> {
    let evaluator = Evaluator::new(terms, tree);
    let mut reader = Reader { evaluator, vocabulary, script: Script::default() };
    for id in tree.roots() {
        reader.command(id)?;
        if reader.script.commands.last() == Some(&Command::Exit) {
            break;
        }
    }
    reader.script.notes = reader.evaluator.notes();
    Ok(reader.script)
}

struct Reader<'t, 's> {
    evaluator: Evaluator<'t, 's>,
    vocabulary: &'t Vocabulary,
    script: Script,
}

impl<'s> Reader<'_, 's> {
    fn tree(&self) -> &Tree<'s> {
        self.evaluator.tree
    }

    fn command(&mut self, id: Id) -> Result<(), ReadError> {
        let parts = self.tree().parts(id);
        let Some((head, arguments)) = parts.split_first() else {
            return Err(self.evaluator.unexpected(id, "a command"));
        };
        let tree = self.evaluator.tree;
        let text = |id: &Id| tree.text(*id).to_owned();
        let command = match (tree.text(*head), arguments) {
            ("set-logic", [name]) => Command::SetLogic(text(name)),
            ("set-info", [keyword]) => Command::SetInfo(text(keyword), String::new()),
            ("set-info", [keyword, value]) => Command::SetInfo(text(keyword), text(value)),
            ("set-option", [keyword, value]) => Command::SetOption(text(keyword), text(value)),
            ("declare-const", [name, sort]) => return self.declare(id, *name, &[], *sort),
            ("declare-fun", [name, parameters, sort]) => {
                self.require_list(*parameters)?;
                return self.declare(id, *name, &tree.parts(*parameters), *sort);
            }
            ("define-fun" | "define-fun-rec", [name, ..]) if self.is_operation(*name) => {
                return self.check_definition(id, tree.text(*name));
            }
            ("define-fun", [name, parameters, sort, body]) => {
                self.require_list(*parameters)?;
                self.define(*name, &tree.parts(*parameters), *sort, *body)?
            }
            ("define-const", [name, sort, body]) => self.define(*name, &[], *sort, *body)?,
            ("assert", [formula]) => match self.axiom(*formula) {
                Some(name) if name.starts_with(LAMBDA) => return self.lambda(name, *formula),
                Some(name) => return self.check_definition(id, name),
                None => Command::Assert(self.evaluator.term_of(*formula, Sort::Bool)?),
            },
            ("check-sat", []) => Command::CheckSat,
            ("get-model", []) => Command::GetModel,
            ("get-value", [list]) => {
                self.require_list(*list)?;
                let parts = tree.parts(*list);
                let terms = parts.into_iter().map(|part| self.evaluator.term(part));
                Command::GetValue(terms.collect::<Result<_, _>>()?)
            }
            ("push", count) => Command::Push(self.levels(id, count)?),
            ("pop", count) => Command::Pop(self.levels(id, count)?),
            ("echo", [string]) if tree.kind(*string) == Kind::String => {
                Command::Echo(text(string).replace("\"\"", "\""))
            }
            ("exit", []) => Command::Exit,
            (name, _) if KNOWN.contains(&name) => {
                return Err(self.evaluator.unexpected(id, "other arguments of this command"));
            }
            _ if tree.symbol(*head).is_some() => {
                return Err(self.evaluator.unsupported(id, &format!("command `{}`", text(head))));
            }
            _ => return Err(self.evaluator.unexpected(id, "a command")),
        };
        self.scope(id, &command)?;
        self.script.commands.push(command);
        Ok(())
    }

    fn require_list(&self, id: Id) -> Result<(), ReadError> {
        match self.tree().kind(id) {
            Kind::List => Ok(()),
            _ => Err(self.evaluator.unexpected(id, "a list")),
        }
    }

    /// How many scopes are opened or closed.
    fn levels(&self, id: Id, arguments: &[Id]) -> Result<u32, ReadError> {
        match arguments {
            [] => Ok(1),
            [count] => {
                let number = self.tree().text(*count).parse().ok();
                // More scopes are a slip, and would be opened one by one.
                let number = number.filter(|number| *number <= 1_000_000);
                number.ok_or_else(|| self.evaluator.unexpected(*count, "a small numeral"))
            }
            _ => Err(self.evaluator.unexpected(id, "at most one numeral")),
        }
    }

    fn scope(&mut self, id: Id, command: &Command) -> Result<(), ReadError> {
        match command {
            Command::Push(count) => (0..*count).for_each(|_| self.evaluator.globals.push()),
            Command::Pop(count) => {
                for _ in 0..*count {
                    if !self.evaluator.globals.pop() {
                        return Err(self.evaluator.unexpected(id, "a `push` before"));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether a name is that of one of Loupe's operations.
    fn is_operation(&self, id: Id) -> bool {
        self.tree().symbol(id).is_some_and(|name| Operation::named(name).is_some())
    }

    /// A name that can be declared.
    fn name(&self, id: Id) -> Result<&'s str, ReadError> {
        match self.tree().symbol(id) {
            Some(name) if name.starts_with(PREFIX) => {
                Err(self.evaluator.unexpected(id, "a name that does not start with `loupe.`"))
            }
            Some(name) => Ok(name),
            None => Err(self.evaluator.unexpected(id, "a name")),
        }
    }

    fn declare(&mut self, id: Id, name: Id, parameters: &[Id], sort: Id) -> Result<(), ReadError> {
        let text = self.tree().text(name);
        if self.is_operation(name) {
            return self.check_definition(id, text);
        }
        let result = self.evaluator.sort(sort)?;
        if self.tree().symbol(name).is_some_and(|name| name.starts_with(LAMBDA)) {
            let parameters = parameters.iter().map(|sort| Ok(("", self.evaluator.sort(*sort)?)));
            let parameters = parameters.collect::<Result<Vec<_>, ReadError>>()?;
            let (body, argument, known) = (None, None, FxHashMap::default());
            let added = Macro { parameters, result, body, argument, known };
            let number = self.evaluator.globals.add_macro(added);
            return self.give_name(name, text, Global::Macro(number));
        }
        let text = self.name(name)?;
        if parameters.is_empty() && !self.vocabulary.functions.contains_key(text) {
            return self.declare_symbol(name, text, result);
        }
        for parameter in parameters.iter().chain([&sort]) {
            if self.evaluator.sort(*parameter)? != Sort::Int {
                let what = "a function of something else than integers to integers";
                return Err(self.evaluator.unsupported(*parameter, what));
            }
        }
        let terms = &mut *self.evaluator.terms;
        let known = self.vocabulary.functions.get(text).copied();
        let fits = |id: &_| terms.function_info(*id).arity == parameters.len();
        let function = match known.filter(fits) {
            Some(function) => function,
            None => terms.function(text, parameters.len()),
        };
        self.give_name(name, text, Global::Function(function))?;
        self.script.functions.insert(text.to_owned(), function);
        self.script.commands.push(Command::DeclareFunction(function));
        Ok(())
    }

    fn declare_symbol(&mut self, id: Id, name: &'s str, sort: Sort) -> Result<(), ReadError> {
        let terms = &mut *self.evaluator.terms;
        let known = self.vocabulary.symbols.get(name).copied();
        let term = match known.filter(|symbol| terms.symbol(*symbol).sort == sort) {
            Some(symbol) => terms.intern(Node::Symbol(symbol)),
            None => terms.fresh(name, sort, Origin::default()),
        };
        let symbol: Option<SymbolId> = match terms.node(term) {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        };
        self.give_name(id, name, Global::Term(term))?;
        self.script.symbols.extend(symbol.map(|symbol| (name.to_owned(), symbol)));
        self.script.commands.push(Command::Declare(term));
        Ok(())
    }

    fn give_name(&mut self, id: Id, name: &'s str, meaning: Global) -> Result<(), ReadError> {
        match self.evaluator.globals.declare(name, meaning) {
            true => Ok(()),
            false => Err(self.evaluator.error(id, ReadErrorKind::Redeclared(name.to_owned()))),
        }
    }

    fn define(
        &mut self,
        name: Id,
        parameters: &[Id],
        sort: Id,
        body: Id,
    ) -> Result<Command, ReadError> {
        let text = self.name(name)?;
        let parameters = self.variables(parameters)?;
        let result = self.evaluator.sort(sort)?;
        let known = FxHashMap::default();
        let added = Macro { parameters, result, body: Some(body), argument: None, known };
        let number = self.evaluator.globals.add_macro(added);
        // Read before it has its name, so that it cannot use itself.
        let (parameters, body) = self.evaluator.instance(body, number)?;
        self.give_name(name, text, Global::Macro(number))?;
        Ok(Command::Define { name: text.to_owned(), parameters, body })
    }

    /// A list of names with sorts.
    fn variables(&self, list: &[Id]) -> Result<Vec<(&'s str, Sort)>, ReadError> {
        let mut variables: Vec<(&'s str, Sort)> = Vec::new();
        for variable in list {
            let [name, sort] = self.tree().parts(*variable)[..] else {
                return Err(self.evaluator.unexpected(*variable, "`(name sort)`"));
            };
            let text = self.name(name)?;
            if variables.iter().any(|(known, _)| *known == text) {
                return Err(self.evaluator.error(name, ReadErrorKind::Redeclared(text.to_owned())));
            }
            variables.push((text, self.evaluator.sort(sort)?));
        }
        Ok(variables)
    }

    /// Which of Loupe's names `∀…. (select name …) = …` or `∀…. (select (name …) …) = …` speaks of.
    fn axiom(&self, formula: Id) -> Option<&'s str> {
        let tree = self.tree();
        let [forall, _, equation] = tree.parts(formula)[..] else { return None };
        let [equals, element, _] = tree.parts(equation)[..] else { return None };
        let [select, array, _] = tree.parts(element)[..] else { return None };
        let all = tree.is_word(forall, "forall")
            && tree.is_symbol(equals, "=")
            && tree.is_symbol(select, "select");
        let name = match tree.kind(array) {
            Kind::List => tree.parts(array).first().and_then(|first| tree.symbol(*first)),
            _ => tree.symbol(array),
        };
        name.filter(|name| all && name.starts_with(PREFIX))
    }

    /// The definition of an array by a formula:
    /// `(forall (parameters… (index Int)) (= (select (name parameters…) index) body))`.
    fn lambda(&mut self, name: &'s str, formula: Id) -> Result<(), ReadError> {
        let Some(Global::Macro(number)) = self.evaluator.globals.get(name) else {
            let kind = ReadErrorKind::Undeclared(name.to_owned());
            return Err(self.evaluator.error(formula, kind));
        };
        let other = |reader: &Self| {
            reader.evaluator.error(formula, ReadErrorKind::OtherDefinition(name.to_owned()))
        };
        let tree = self.evaluator.tree;
        let [_, variables, equation] = tree.parts(formula)[..] else { return Err(other(self)) };
        let mut parameters = self.variables(&tree.parts(variables))?;
        let [_, element, body] = tree.parts(equation)[..] else { return Err(other(self)) };
        let [_, array, index] = tree.parts(element)[..] else { return Err(other(self)) };
        let Some((argument, Sort::Int)) = parameters.pop() else { return Err(other(self)) };
        let given = tree.parts(array);
        let given = given.iter().skip(1).map(|part| tree.symbol(*part));
        let same_names = given.eq(parameters.iter().map(|(name, _)| Some(*name)));
        let Some(declared) = self.evaluator.globals.macros.get(number) else {
            return Err(other(self));
        };
        let sorts = |list: &[(&str, Sort)]| list.iter().map(|(_, sort)| *sort).collect::<Vec<_>>();
        let fits = same_names
            && tree.is_symbol(index, argument)
            && declared.body.is_none()
            && sorts(&parameters) == sorts(&declared.parameters);
        if !fits {
            return Err(other(self));
        }
        let (result, known) = (declared.result, FxHashMap::default());
        let (argument, inner) = (Some(argument), Some(body));
        let added = Macro { parameters, result, body: inner, argument, known };
        let added = self.evaluator.globals.add_macro(added);
        // Read while the name is not defined, so that the body cannot use it.
        self.evaluator.instance(body, added)?;
        self.evaluator.globals.macros.swap(number, added);
        Ok(())
    }

    /// Checks that a command is one of those that define one of Loupe's operations.
    fn check_definition(&self, id: Id, name: &str) -> Result<(), ReadError> {
        let same = |operation: &Operation, dialect| {
            operation.definition(dialect).iter().any(|text| match Tree::parse(text) {
                Ok(tree) => tree.roots().any(|root| self.tree().same(id, &tree, root)),
                Err(_) => false,
            })
        };
        let dialects = [Dialect::Portable, Dialect::Conversions];
        match Operation::named(name) {
            Some(operation) if dialects.into_iter().any(|dialect| same(&operation, dialect)) => {
                Ok(())
            }
            _ => {
                let kind = ReadErrorKind::OtherDefinition(name.to_owned());
                Err(self.evaluator.error(id, kind))
            }
        }
    }
}

/// Commands that are read, but not with all arguments.
const KNOWN: &[&str] = &[
    "set-logic",
    "set-info",
    "set-option",
    "declare-const",
    "declare-fun",
    "define-fun",
    "define-const",
    "assert",
    "check-sat",
    "get-model",
    "get-value",
    "echo",
    "exit",
];
