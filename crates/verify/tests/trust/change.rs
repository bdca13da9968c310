//! Changes of a program that do not change what it means.

use crate::print::{Loops, Scope, Style};
use crate::tree::{Condition, Dice, Expr, Kind, Program, Stmt, Variable};
use loupe_c::front::DataModel;

/// A change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Rename,
    Reorder,
    Peel,
    DeadCode,
    Loops(Loops),
    Globals,
    OtherDataModel,
    /// Several at once.
    Everything,
}

impl Change {
    /// All of them, the ones that change most first.
    pub(crate) const ALL: [Change; 11] = [
        Change::Loops(Loops::Goto),
        Change::Everything,
        Change::Peel,
        Change::OtherDataModel,
        Change::Loops(Loops::For),
        Change::DeadCode,
        Change::Reorder,
        Change::Loops(Loops::DoWhile),
        Change::Globals,
        Change::Loops(Loops::Endless),
        Change::Rename,
    ];

    /// Those that microc programs have too.
    pub(crate) const MICROC: [Change; 4] =
        [Change::Peel, Change::DeadCode, Change::Reorder, Change::Rename];

    /// The changed program and how it is written; nothing if there is nothing to change.
    pub(crate) fn apply(self, program: &Program, seed: u64) -> Option<(Program, Style, DataModel)> {
        let (mut changed, mut style, mut model) = (program.clone(), Style::USUAL, DataModel::Lp64);
        let names = [["a", "b", "c"], ["z", "y", "x"], ["a_rather_long_name", "_0", "main1"]];
        let names = names[seed as usize % names.len()];
        match self {
            Change::Rename => style.names = names,
            Change::Reorder => reorder(&mut changed.body),
            Change::Peel => changed.body = peeled(changed.body),
            Change::DeadCode => style.dead_code = Some(seed),
            Change::Loops(loops) => style.loops = loops,
            Change::Globals => style.scope = Scope::Global,
            Change::OtherDataModel => model = DataModel::Ilp32,
            Change::Everything => {
                reorder(&mut changed.body);
                changed.body = peeled(changed.body);
                let loops = [Loops::Goto, Loops::For, Loops::DoWhile, Loops::Endless];
                style = Style {
                    loops: Dice(seed).pick(&loops),
                    scope: Scope::Global,
                    names,
                    dead_code: Some(seed),
                };
            }
        }
        // Nothing but `long` has another size with another data model.
        let matters = model == DataModel::Ilp32 && program.variables.contains(&Kind::Long);
        let is_same = matches!(self, Change::Reorder | Change::Peel) && changed == *program;
        (!matters && !is_same).then_some((changed, style, model))
    }
}

/// The first iteration of every loop stands before it, unless something leaves the loop.
fn peeled(block: Vec<Stmt>) -> Vec<Stmt> {
    let leaves = |stmt: &Stmt| matches!(stmt, Stmt::LeaveIf(_));
    let peel = |stmt| match stmt {
        Stmt::While(condition, body) if !body.iter().any(leaves) => {
            let body = peeled(body);
            let again = Stmt::While(condition.clone(), body.clone());
            Stmt::If(condition, body.into_iter().chain([again]).collect(), Vec::new())
        }
        Stmt::While(condition, body) => Stmt::While(condition, peeled(body)),
        other => other,
    };
    block.into_iter().map(peel).collect()
}

/// Assignments beside each other that have nothing to do with each other change places.
fn reorder(block: &mut [Stmt]) {
    for at in 1..block.len() {
        let (before, behind) = block.split_at_mut(at);
        let (first, second) = (&mut before[at - 1], &mut behind[0]);
        if let (Stmt::Set(a, left), Stmt::Set(b, right)) = (&*first, &*second)
            && a != b
            && !reads(left, *b)
            && !reads(right, *a)
        {
            std::mem::swap(first, second);
        }
    }
    for stmt in block {
        match stmt {
            Stmt::If(_, then, otherwise) => {
                reorder(then);
                reorder(otherwise);
            }
            Stmt::While(_, body) => reorder(body),
            _ => {}
        }
    }
}

/// Whether the value of a variable matters; memory may fail, so it counts as everything.
fn reads(expr: &Expr, variable: Variable) -> bool {
    match expr {
        Expr::Constant(_) => false,
        Expr::Variable(read) => *read == variable,
        Expr::Binary(_, left, right) => reads(left, variable) || reads(right, variable),
        Expr::Element(_) | Expr::Cell(_) => true,
    }
}

/// Smaller programs that may show the same: a statement is gone, or a branch or loop is its body.
pub(crate) fn smaller(program: &Program) -> Vec<Program> {
    let blocks = smaller_blocks(&program.body);
    blocks.into_iter().map(|body| Program { body, ..program.clone() }).collect()
}

fn smaller_blocks(block: &[Stmt]) -> Vec<Vec<Stmt>> {
    let mut all = Vec::new();
    for (at, stmt) in block.iter().enumerate() {
        let mut with = |instead: Vec<Stmt>| {
            let rest = block[at + 1..].iter().cloned();
            all.push(block[..at].iter().cloned().chain(instead).chain(rest).collect::<Vec<_>>());
        };
        with(Vec::new());
        match stmt {
            Stmt::If(condition, then, otherwise) => {
                with(then.clone());
                with(otherwise.clone());
                let branch = |then, otherwise| vec![Stmt::If(condition.clone(), then, otherwise)];
                smaller_blocks(then).into_iter().for_each(|t| with(branch(t, otherwise.clone())));
                smaller_blocks(otherwise).into_iter().for_each(|o| with(branch(then.clone(), o)));
            }
            Stmt::While(condition, body) => {
                let condition: &Condition = condition;
                let again = |body| vec![Stmt::While(condition.clone(), body)];
                smaller_blocks(body).into_iter().for_each(|body| with(again(body)));
            }
            _ => {}
        }
    }
    all
}
