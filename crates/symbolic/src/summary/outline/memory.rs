//! Places in memory, by their addresses.

use super::effects::Kind;
use super::walk::{Run, Value};
use super::{Outliner, Source, Trust, effects};
use crate::domain::Outcome;
use loupe_integer::Integer;
use loupe_ir::analysis::location::{Step, steps};
use loupe_ir::analysis::uses::{Access, visit_accesses};
use loupe_ir::program::{
    Base, BlockId, Function, GlobalId, InstructionKind, LocalId, Operand, Place, Projection,
    Storage,
};
use loupe_ir::types::{Type, TypeId};
use loupe_ir::validate::place_type;
use loupe_term::{Node, Term};
use std::collections::BTreeSet;

/// The function of glibc that gives its table of classes, and the class of control characters in it.
const CLASSES: &str = "__ctype_b_loc";
const CONTROL: i64 = 2;

/// A variable in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Object {
    Local(LocalId),
    Global(GlobalId),
}

impl Outliner<'_, '_> {
    fn code(&self) -> &Function {
        self.machine.program.function(self.key.0)
    }

    /// The address of a variable in memory.
    pub(super) fn object(&mut self, object: Object) -> Term {
        if let Some(known) = self.objects.get(&object) {
            return *known;
        }
        let name = match object {
            Object::Local(local) => self.code().local(local).name.clone().unwrap_or_default(),
            Object::Global(global) => self.program().globals[global.index()].name.clone(),
        };
        let term = self.machine.domain.terms.int_symbol(&format!("&{name}"));
        if let Some(symbol) = self.symbol_of(term) {
            self.names.insert(symbol, format!("&{name}"));
        }
        self.objects.insert(object, term);
        term
    }

    /// The address of a place, and what one would call it; none for parts of bytes and of dynamic values.
    pub(super) fn address(
        &mut self,
        run: &mut Run,
        place: &Place,
    ) -> Outcome<Option<(Term, String)>> {
        let program = self.program();
        let mut prefix = Place { base: place.base, projections: Vec::new() };
        let mut projections = place.projections.iter();
        let (mut address, mut name) = match place.base {
            Base::Local(local) if self.code().local(local).storage == Storage::Register => {
                let Some(Projection::Deref) = projections.next() else { return Ok(None) };
                prefix.projections.push(Projection::Deref);
                let Value::Address(address) = self.local(run, local) else { return Ok(None) };
                let name = self.code().local(local).name.clone();
                let name =
                    name.or_else(|| self.known_name(address)).unwrap_or_else(|| "?".to_owned());
                (address, format!("*{name}"))
            }
            Base::Local(local) => {
                let name = self.code().local(local).name.clone().unwrap_or_default();
                (self.object(Object::Local(local)), name)
            }
            Base::Global(global) => {
                let name = program.globals[global.index()].name.clone();
                (self.object(Object::Global(global)), name)
            }
        };
        for projection in projections {
            let code = program.function(self.key.0);
            let Ok(ty) = place_type(program, code, &prefix) else { return Ok(None) };
            match projection {
                Projection::Deref => {
                    let kind = effects::kind_of(program, code, &prefix);
                    let Value::Address(target) = self.load_from(run, (address, ty), &name, kind)
                    else {
                        return Ok(None);
                    };
                    address = target;
                    name = format!("*{name}");
                }
                Projection::Field(field) => {
                    let Type::Record(record) = program.types.get(ty) else { return Ok(None) };
                    let Some(field) = program.types.record(*record).fields.get(*field as usize)
                    else {
                        return Ok(None);
                    };
                    if field.first_bit.is_some() {
                        return Ok(None);
                    }
                    let terms = &mut self.machine.domain.terms;
                    let offset = terms.int(Integer::from(field.offset));
                    address = terms.add(address, offset);
                    name = match name.strip_prefix('*') {
                        Some(pointer) => format!("{pointer}->{}", field.name),
                        None => format!("{name}.{}", field.name),
                    };
                }
                Projection::Index(index) => {
                    let Type::Array { element, .. } = program.types.get(ty) else {
                        return Ok(None);
                    };
                    let size = program.types.size_of(*element);
                    let Value::Int(index) = self.operand(run, index) else { return Ok(None) };
                    let terms = &mut self.machine.domain.terms;
                    address = terms.add_scaled(address, index, &Integer::from(size));
                    name = format!("{name}[…]");
                }
                Projection::Named(_) => return Ok(None),
            }
            prefix.projections.push(projection.clone());
        }
        Ok(Some((address, name)))
    }

    fn known_name(&self, term: Term) -> Option<String> {
        self.symbol_of(term).and_then(|symbol| self.names.get(&symbol)).cloned()
    }

    /// What stands at a place.
    pub(super) fn load(&mut self, run: &mut Run, place: &Place, ty: TypeId) -> Outcome<Value> {
        let kind = effects::kind_of(self.program(), self.code(), place);
        Ok(match self.address(run, place)? {
            Some((address, name)) => {
                let value = self.load_from(run, (address, ty), &name, kind);
                self.note_class(run, address, value);
                value
            }
            None => self.fresh(ty, "loaded", None),
        })
    }

    /// Notes what the library's table of classes of characters says of zero: that it is a control character, and nothing else.
    fn note_class(&mut self, run: &mut Run, address: Term, value: Value) {
        let Value::Int(value) = value else { return };
        let table =
            self.machine.domain.terms.free_symbols(address).into_iter().find_map(|symbol| {
                let table = self.machine.domain.terms.symbol_term(symbol);
                let Some(Source::Load(from)) = self.sources.get(&table) else { return None };
                let Some(Source::Call(name)) = self.sources.get(from) else { return None };
                (name == CLASSES).then_some(table)
            });
        let Some(table) = table else { return };
        let terms = &mut self.machine.domain.terms;
        let control = terms.int(CONTROL);
        let (other, same) = (terms.ne(address, table), terms.eq(value, control));
        let known = terms.or([other, same]);
        run.guard.insert(known);
    }

    /// What stands at an address.
    pub(super) fn load_from(
        &mut self,
        run: &Run,
        (address, ty): super::Cell,
        name: &str,
        kind: Option<Kind>,
    ) -> Value {
        let cell = (address, ty);
        if let Some(known) = run.cells.get(&cell) {
            return *known;
        }
        if self.is_fixed(address) {
            return self.cell(cell, name, kind);
        }
        let version = run.version_of(ty);
        let key = (address, ty, version);
        if let Some(known) = self.loads.get(&key) {
            return *known;
        }
        let source = (run.version == 0).then_some(Source::Load(address));
        let value = self.fresh(ty, name, source);
        self.loads.insert(key, value);
        value
    }

    /// Something is stored to a place.
    pub(super) fn store(&mut self, run: &mut Run, place: &Place, value: Value) -> Outcome<()> {
        let program = self.program();
        let code = program.function(self.key.0);
        let kind = effects::kind_of(program, code, place);
        let address = self.address(run, place)?;
        let Ok(ty) = place_type(program, code, place) else {
            self.forget_all(run);
            return Ok(());
        };
        let size = program.types.size_of(ty);
        let named = self.named_object(place);
        let cells: Vec<super::Cell> = self.cells.keys().copied().collect();
        for cell in cells {
            // A place that is another one in every iteration has no value of its own.
            let is_same = address
                .as_ref()
                .is_some_and(|(address, _)| (*address, ty) == cell && self.is_fixed(*address));
            let apart = match (&address, named) {
                (Some((address, _)), _) => self.are_apart((*address, size), cell),
                (None, Some(object)) => self.is_apart_from(object, cell.0),
                (None, None) => self.is_private(cell.0),
            };
            let at = address.as_ref().map(|(address, _)| *address);
            let is_hit = match at {
                Some(at) => self.overlap((at, size), cell),
                None => named.is_some() && self.object_of(cell.0) == named,
            };
            if !is_same && !apart && (is_hit || !self.is_believed(at, kind, cell)) {
                self.forget(run, cell);
            }
        }
        if let Some((address, name)) = address
            && self.is_fixed(address)
        {
            let cell = (address, ty);
            self.cell(cell, &name, kind);
            run.cells.insert(cell, value);
        }
        self.change_version(run);
        self.change_version_of(run, ty);
        Ok(())
    }

    /// Loads from elsewhere may have other values from now on.
    pub(super) fn change_version(&mut self, run: &mut Run) {
        if self.trust == Trust::Nothing {
            self.versions += 1;
            run.version = self.versions;
        }
    }

    /// Loads of a type from elsewhere may have other values from now on, whatever is believed of others.
    fn change_version_of(&mut self, run: &mut Run, ty: TypeId) {
        let version = run.version_of(ty);
        // What nobody has loaded before is loaded for the first time.
        let is_loaded = self.loads.keys().any(|(_, of, at)| (*of, *at) == (ty, version));
        if is_loaded && self.trust != Trust::Nothing {
            self.versions += 1;
            run.typed.insert(ty, self.versions);
        }
    }

    /// Any value may stand there now.
    pub(super) fn forget(&mut self, run: &mut Run, cell: super::Cell) {
        let value = self.fresh(cell.1, "any", None);
        run.cells.insert(cell, value);
    }

    /// Any value may stand wherever others can write.
    pub(super) fn forget_all(&mut self, run: &mut Run) {
        let cells: Vec<super::Cell> = self.cells.keys().copied().collect();
        for cell in cells {
            if !self.is_private(cell.0) {
                self.forget(run, cell);
            }
        }
        self.change_version(run);
    }

    /// The variable that an address leads into: the only thing in it that is an address. Where there are several, as in `p + (&a[3] - q)`, nobody knows.
    pub(super) fn object_of(&self, address: Term) -> Option<Object> {
        let terms = &self.machine.domain.terms;
        let symbols = terms.free_symbols(address);
        let is_inside = |term: &Term| match terms.node(*term) {
            Node::Symbol(symbol) => symbols.contains(symbol),
            _ => false,
        };
        if self.pointees.keys().any(is_inside) {
            return None;
        }
        let mut found = self.objects.iter().filter(|(_, term)| is_inside(term));
        match (found.next(), found.next()) {
            (Some((object, _)), None) => Some(*object),
            _ => None,
        }
    }

    /// Whether the address of a variable occurs in another one.
    pub(super) fn mentions(&self, address: Term, object: Object) -> bool {
        let own = self.objects.get(&object).and_then(|term| self.symbol_of(*term));
        own.is_some_and(|own| self.machine.domain.terms.free_symbols(address).contains(&own))
    }

    /// The variable that a place is in, by name.
    fn named_object(&self, place: &Place) -> Option<Object> {
        match place.base {
            _ if place.projections.contains(&Projection::Deref) => None,
            Base::Local(local) => Some(Object::Local(local)),
            Base::Global(global) => Some(Object::Global(global)),
        }
    }

    /// Whether an address does not lead into a variable.
    fn is_apart_from(&self, object: Object, address: Term) -> bool {
        match (object, self.object_of(address)) {
            (one, Some(other)) => one != other,
            (_, None) if self.mentions(address, object) => false,
            (Object::Local(local), None) => !self.ground.exposed.contains(&local),
            (Object::Global(global), None) => effects::is_constant(self.program(), global),
        }
    }

    /// Whether nobody but the function itself can write there, by name; or nobody at all.
    pub(super) fn is_private(&self, address: Term) -> bool {
        match self.object_of(address) {
            Some(Object::Local(local)) => !self.ground.exposed.contains(&local),
            Some(Object::Global(global)) => effects::is_constant(self.program(), global),
            None => false,
        }
    }

    /// Whether a store of so many bytes does not touch a cell.
    fn are_apart(&mut self, (address, size): (Term, u64), cell: super::Cell) -> bool {
        let other = self.program().types.size_of(cell.1);
        let terms = &mut self.machine.domain.terms;
        let distance = terms.sub(address, cell.0);
        if let Some(distance) = terms.as_int(distance) {
            let after = *distance >= Integer::from(other);
            let before = *distance <= Integer::from(size).neg();
            return after || before;
        }
        match (self.object_of(address), self.object_of(cell.0)) {
            (Some(object), _) => self.is_apart_from(object, cell.0),
            (None, Some(object)) => self.is_apart_from(object, address),
            (None, None) => false,
        }
    }

    /// Whether a store of so many bytes certainly touches a cell, of which it may be a part.
    fn overlap(&mut self, (address, size): (Term, u64), cell: super::Cell) -> bool {
        let other = self.program().types.size_of(cell.1);
        let terms = &mut self.machine.domain.terms;
        let distance = terms.sub(address, cell.0);
        terms.as_int(distance).is_some_and(|distance| {
            *distance < Integer::from(other) && *distance > Integer::from(size).neg()
        })
    }

    /// Whether a store of a kind, to an address if that is known, is believed to leave a cell alone.
    fn is_believed(&self, address: Option<Term>, kind: Option<Kind>, cell: super::Cell) -> bool {
        match self.trust {
            Trust::Nothing => return false,
            Trust::Apart => return true,
            Trust::Memory | Trust::Numbers => {}
        }
        let is_elsewhere = self.object_of(cell.0).is_some()
            && address.is_none_or(|address| self.object_of(address).is_none());
        let is_other = match (kind, self.kinds.get(&cell)) {
            (Some(kind), Some(own)) => kind != *own,
            _ => false,
        };
        is_elsewhere || is_other
    }

    /// A place that is followed, with its value at the header.
    fn cell(&mut self, cell: super::Cell, name: &str, kind: Option<Kind>) -> Value {
        if let Some(kind) = kind {
            self.kinds.entry(cell).or_insert(kind);
        }
        if let Some(known) = self.cells.get(&cell) {
            return *known;
        }
        let value = self.symbol(cell.1, name);
        self.cells.insert(cell, value);
        value
    }

    /// A call has returned, or something like it has been done, with pointers to these places.
    pub(super) fn called(
        &mut self,
        run: &mut Run,
        callee: Option<&Operand>,
        (pointers, given): (&[Term], &BTreeSet<Object>),
    ) {
        if self.trust == Trust::Nothing {
            if callee.is_none_or(|callee| self.writes.may_write(callee)) {
                self.forget_all(run);
            }
            return;
        }
        let kinds =
            callee.and_then(|callee| self.writes.kinds(callee)).cloned().unwrap_or_default();
        let cells: Vec<super::Cell> = self.cells.keys().copied().collect();
        for cell in cells {
            let object = self.object_of(cell.0);
            // It was handed out to be written.
            let is_given = matches!(object, Some(Object::Local(_)))
                && object.is_some_and(|object| {
                    given.contains(&object)
                        || pointers.iter().any(|pointer| self.mentions(*pointer, object))
                });
            let kind = self.kinds.get(&cell).copied();
            let is_stored = match (object, callee) {
                _ if self.trust == Trust::Apart => false,
                (Some(Object::Global(global)), Some(callee)) => {
                    self.writes.writes_global(callee, global, kind)
                }
                _ => kind.is_some_and(|kind| kinds.contains(&kind)),
            };
            if (is_given || is_stored) && !self.is_private(cell.0) {
                self.forget(run, cell);
            }
        }
        if self.trust != Trust::Apart {
            for (ty, _) in kinds {
                self.change_version_of(run, ty);
            }
        }
    }

    /// The variables of the function whose addresses are among what a call is given, whether these are followed or not.
    pub(super) fn given<'a>(
        &self,
        arguments: impl IntoIterator<Item = &'a Operand>,
    ) -> BTreeSet<Object> {
        let registers = arguments.into_iter().filter_map(|argument| match argument {
            Operand::Local(local) => self.ground.handed.get(local),
            Operand::Const(_) => None,
        });
        registers.flatten().map(|local| Object::Local(*local)).collect()
    }

    /// What a loop inside may have stored.
    pub(super) fn stored_inside(&mut self, run: &mut Run, blocks: &[BlockId]) {
        let code = self.machine.program.function(self.key.0);
        let mut is_any = false;
        let mut places: Vec<(Option<Object>, Option<Kind>)> = Vec::new();
        // What was handed out to be written.
        let mut given: BTreeSet<Object> = BTreeSet::new();
        for block in blocks {
            for (_, step) in steps(code, *block) {
                visit_accesses(step, &mut |access| match access {
                    Access::Store(place) => {
                        let object = match place.base {
                            _ if place.projections.contains(&Projection::Deref) => None,
                            Base::Local(local) => Some(Object::Local(local)),
                            Base::Global(global) => Some(Object::Global(global)),
                        };
                        places.push((object, effects::kind_of(self.machine.program, code, place)));
                    }
                    Access::Live(local) | Access::Dead(local) => {
                        places.push((Some(Object::Local(local)), None));
                    }
                    Access::StoreRange | Access::Free => is_any = true,
                    _ => {}
                });
                let Step::Instruction(instruction) = step else { continue };
                match &instruction.kind {
                    InstructionKind::Call { arguments, .. }
                    | InstructionKind::Intrinsic { arguments, .. } => {
                        given.extend(self.given(arguments));
                    }
                    InstructionKind::Copy { to, .. } | InstructionKind::Fill { to, .. } => {
                        given.extend(self.given([to]));
                    }
                    _ => {}
                }
                let InstructionKind::Call { callee, .. } = &instruction.kind else { continue };
                is_any |= self.writes.may_write(callee);
                for kind in self.writes.kinds(callee).into_iter().flatten() {
                    places.push((None, Some(*kind)));
                }
            }
        }
        let cells: Vec<super::Cell> = self.cells.keys().copied().collect();
        for cell in cells {
            let own = self.object_of(cell.0);
            let is_hit = places.iter().any(|(object, kind)| match (object, own) {
                (Some(object), Some(own)) => *object == own,
                (Some(object), None) if self.mentions(cell.0, *object) => true,
                (Some(Object::Local(local)), None) if !self.ground.exposed.contains(local) => false,
                _ => !self.is_private(cell.0) && !self.is_believed(None, *kind, cell),
            });
            let is_spoiled = is_any && self.trust == Trust::Nothing && !self.is_private(cell.0);
            let is_given = own.is_some_and(|own| given.contains(&own));
            if is_hit || is_spoiled || is_given {
                self.forget(run, cell);
            }
        }
        if is_any || !places.is_empty() {
            self.change_version(run);
        }
        for (ty, _) in places.iter().filter_map(|(_, kind)| *kind) {
            self.change_version_of(run, ty);
        }
    }
}
