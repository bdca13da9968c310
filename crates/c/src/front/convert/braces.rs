//! Where braces stand in initialisers.

use rucc_ast::{Ast, Decl, DeclId, Expr, ExprId, Init, InitId, InitItem};
use rucc_base::Idx;
use rucc_diag::Span;

/// A list in braces.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    /// Its values and what designates it.
    span: Span,
    /// The list around it.
    outer: Option<usize>,
    pub(super) role: Role,
}

impl List {
    /// Whether a value is written in the braces.
    pub(super) fn contains(&self, value: Span) -> bool {
        contains(self.span, value)
    }
}

/// What a list in braces is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A whole object.
    Object,
    /// The part that so many designators lead to.
    Designated(usize),
    /// The part behind the value before.
    Next,
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.lo <= inner.lo && inner.lo < outer.hi
}

/// All lists in braces of a program, in the order in which they start.
#[derive(Debug, Default)]
pub(super) struct Lists {
    lists: Vec<List>,
}

impl Lists {
    /// The lists of a program that can replace something: none, where nobody designates one.
    pub(super) fn new(ast: &Ast) -> Lists {
        let mut lists = Vec::new();
        for number in 0..ast.counts().decls {
            let id: DeclId = Idx::from_usize(number);
            if let Decl::Var { declarators, .. } = ast[id] {
                let inits = ast[declarators].iter().filter_map(|declarator| declarator.init);
                inits.for_each(|init| collect(ast, init, &mut lists));
            }
        }
        for number in 0..ast.counts().exprs {
            let id: ExprId = Idx::from_usize(number);
            if let Expr::CompoundLiteral { init, .. } = ast[id] {
                collect(ast, init, &mut lists);
            }
        }
        if !lists.iter().any(|list| matches!(list.role, Role::Designated(_))) {
            return Lists::default();
        }
        lists.sort_by_key(|list| (list.span.lo, std::cmp::Reverse(list.span.hi)));
        let mut open: Vec<usize> = Vec::new();
        for number in 0..lists.len() {
            let span = lists[number].span;
            while open.pop_if(|outer| !contains(lists[*outer].span, span)).is_some() {}
            lists[number].outer = open.last().copied();
            open.push(number);
        }
        Lists { lists }
    }

    /// The innermost list that a value is written in.
    pub(super) fn around(&self, value: Span) -> Option<usize> {
        let mut list =
            self.lists.partition_point(|list| list.span.lo <= value.lo).checked_sub(1)?;
        while !contains(self.lists[list].span, value) {
            list = self.lists[list].outer?;
        }
        Some(list)
    }

    /// The lists for parts of an object that a value is written in, from the outside in.
    pub(super) fn parts_around(&self, innermost: Option<usize>) -> Vec<usize> {
        let mut lists = Vec::new();
        let mut next = innermost;
        while let Some(number) = next
            && self.lists[number].role != Role::Object
        {
            lists.push(number);
            next = self.lists[number].outer;
        }
        lists.reverse();
        lists
    }

    pub(super) fn list(&self, number: usize) -> List {
        self.lists[number]
    }
}

/// Adds the lists of one initialiser.
fn collect(ast: &Ast, init: InitId, lists: &mut Vec<List>) {
    let Init::List(items) = ast[init] else { return };
    let items = &ast[items];
    if let (Some(first), Some(last)) = (items.first(), items.last()) {
        push(lists, (first.span.lo, last.span.hi), Role::Object);
    }
    let mut waiting: Vec<&[InitItem]> = vec![items];
    while let Some(items) = waiting.pop() {
        for item in items {
            if let Init::List(inner) = ast[item.init] {
                let role = match ast[item.designators].len() {
                    0 => Role::Next,
                    steps => Role::Designated(steps),
                };
                push(lists, (item.span.lo, item.span.hi), role);
                waiting.push(&ast[inner]);
            }
        }
    }
}

/// Adds a list, if its place makes sense: that of one that macros made may not.
fn push(lists: &mut Vec<List>, (start, end): (u32, u32), role: Role) {
    if start < end {
        lists.push(List { span: Span::new(start, end), outer: None, role });
    }
}
