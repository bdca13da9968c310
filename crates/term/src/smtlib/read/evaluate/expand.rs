//! Binders, and functions that a script defines.

use super::{Evaluator, Expansion, Local, Task};
use crate::arena::Origin;
use crate::node::{Quantifier, Sort, Term};
use crate::smtlib::read::builtin;
use crate::smtlib::read::error::{ReadError, ReadErrorKind};
use crate::smtlib::read::globals::Macro;
use crate::smtlib::read::tree::Id;

impl<'s> Evaluator<'_, 's> {
    /// The symbol for the variable of a binder here.
    pub(super) fn open_binder(&mut self) -> Term {
        self.depth += 1;
        while self.variables.len() < self.depth {
            let variable = self.terms.fresh("t", Sort::Int, Origin::default());
            self.variables.push(variable);
        }
        self.variable()
    }

    /// The symbol of the innermost binder around.
    pub(super) fn variable(&mut self) -> Term {
        let innermost = self.depth.checked_sub(1).and_then(|last| self.variables.get(last));
        innermost.copied().unwrap_or_else(|| self.terms.int(0))
    }

    pub(super) fn evaluate_quantifier(
        &mut self,
        id: Id,
        quantifier: Quantifier,
        arguments: &[Id],
    ) -> Result<(), ReadError> {
        let Some((name, [low, high, body])) = self.bounded(quantifier, arguments) else {
            let what = "a quantifier that is not over one integer with a lower and an upper bound";
            return Err(self.unsupported(id, what));
        };
        self.bind(name, Local::Hidden);
        self.tasks.extend([
            Task::Quantify(id, quantifier),
            Task::Evaluate(body),
            Task::Open(name),
            Task::Evaluate(high),
            Task::Evaluate(low),
        ]);
        Ok(())
    }

    /// The variable of a quantifier, its bounds and its body, if it has the form that is printed.
    fn bounded(&self, quantifier: Quantifier, arguments: &[Id]) -> Option<(&'s str, [Id; 3])> {
        let tree = self.tree;
        let list = |id: Id, word: &str| {
            let parts = tree.parts(id);
            parts.first().is_some_and(|first| tree.is_symbol(*first, word)).then_some(parts)
        };
        let [variables, guarded] = arguments else { return None };
        let [variable] = tree.parts(*variables)[..] else { return None };
        let [name, sort] = tree.parts(variable)[..] else { return None };
        let name = tree.symbol(name).filter(|_| tree.is_symbol(sort, "Int"))?;
        let connective = match quantifier {
            Quantifier::Forall => "=>",
            Quantifier::Exists => "and",
        };
        let [_, guard, body] = list(*guarded, connective)?[..] else { return None };
        let [_, lower, upper] = list(guard, "and")?[..] else { return None };
        let [_, low, above] = list(lower, "<=")?[..] else { return None };
        let [_, below, high] = list(upper, "<")?[..] else { return None };
        let both = tree.is_symbol(above, name) && tree.is_symbol(below, name);
        both.then_some((name, [low, high, body]))
    }

    pub(super) fn quantify(&mut self, id: Id, quantifier: Quantifier) -> Result<(), ReadError> {
        let variable = self.variable();
        self.forget(1);
        self.depth = self.depth.saturating_sub(1);
        let parts = self.values.split_off(self.values.len().saturating_sub(3));
        let [low, high, body] = parts[..] else {
            return Err(self.unexpected(id, "a quantifier"));
        };
        let result = self.terms.quantify(quantifier, variable, [low, high], body);
        let result = result.map_err(|misuse| self.error(id, builtin::misuse(misuse)))?;
        self.values.push(result);
        Ok(())
    }

    /// Starts the expansion of a macro.
    pub(super) fn expand(
        &mut self,
        id: Id,
        number: usize,
        arguments: Vec<Term>,
    ) -> Result<(), ReadError> {
        let Some(Macro { parameters, body, argument, known, .. }) = self.globals.macros.get(number)
        else {
            return Err(self.unexpected(id, "a function"));
        };
        if let Some(value) = known.get(&arguments) {
            self.values.push(*value);
            return Ok(());
        }
        if parameters.len() != arguments.len() {
            let needed = format!("{} arguments", parameters.len());
            return Err(self.error(id, ReadErrorKind::Arity { needed, found: arguments.len() }));
        }
        for ((_, sort), given) in parameters.iter().zip(&arguments) {
            self.terms.require(*given, *sort).map_err(|e| self.error(id, builtin::misuse(e)))?;
        }
        let (body, argument, parameters) = (*body, *argument, parameters.clone());
        let Some(body) = body else {
            return Err(self.unexpected(id, "an array that is defined before"));
        };
        let outer = self.frame;
        self.frames += 1;
        self.frame = self.frames;
        for ((name, _), value) in parameters.iter().zip(&arguments) {
            self.bind(name, Local::Term(*value));
        }
        if let Some(name) = argument {
            let variable = self.open_binder();
            self.bind(name, Local::Term(variable));
        }
        let expansion = Expansion { number, arguments, outer };
        self.tasks.extend([Task::Expanded(id, expansion), Task::Evaluate(body)]);
        Ok(())
    }

    pub(super) fn expanded(&mut self, id: Id, expansion: Expansion) -> Result<(), ReadError> {
        let Expansion { number, arguments, outer } = expansion;
        let variable = self.variable();
        self.frame = outer;
        let Some(value) = self.values.pop() else {
            return Err(self.unexpected(id, "a term"));
        };
        let Some(expanded) = self.globals.macros.get_mut(number) else {
            return Err(self.unexpected(id, "a function"));
        };
        let (body, result, is_array) =
            (expanded.body, expanded.result, expanded.argument.is_some());
        let value = if is_array { self.terms.lambda(variable, value) } else { Ok(value) };
        let checked = value.and_then(|value| self.terms.require(value, result).map(|()| value));
        let value = match checked {
            Ok(value) => value,
            Err(misuse) => return Err(self.error(body.unwrap_or(id), builtin::misuse(misuse))),
        };
        let bound = arguments.len();
        expanded.known.insert(arguments, value);
        self.forget(bound + usize::from(is_array));
        self.depth = self.depth.saturating_sub(usize::from(is_array));
        self.values.push(value);
        Ok(())
    }
}
