//! Structs as nodes of linked lists.

use super::{IntType, Type, TypeId, Types};

/// What a node of a linked list consists of: scalars, one of which is the link to the next node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// How many bytes a node takes.
    pub size: u64,
    /// Where each scalar starts, and its type; in the order of their places, and no two overlap.
    pub scalars: Vec<(u64, TypeId)>,
    /// Which of them links a node to the next.
    pub link: usize,
}

impl Node {
    /// The scalars without the link, in their order.
    pub fn columns(&self) -> impl Iterator<Item = (u64, TypeId)> + '_ {
        let all = self.scalars.iter().enumerate();
        all.filter(|(number, _)| *number != self.link).map(|(_, scalar)| *scalar)
    }

    /// The number of the scalar that starts at a place.
    pub fn scalar_at(&self, place: u64) -> Option<usize> {
        self.scalars.binary_search_by_key(&place, |(start, _)| *start).ok()
    }
}

/// Structs with more scalars are no nodes.
const MAX_SCALARS: usize = 64;
/// Larger structs are none either: parts of nothing are addresses of nothing.
const MAX_SIZE: u64 = 1 << 16;

impl Types {
    /// The struct as a node that is linked by this field. `None` if the field is no pointer to the struct, or a part has no bytes of its own: a bit-field,
    /// a member of a union, something without a size in bytes; or if there are very many parts.
    pub fn node(&self, record: TypeId, link: u32) -> Option<Node> {
        let Type::Record(id) = self.get(record) else { return None };
        let shape = self.record(*id);
        if shape.size > MAX_SIZE {
            return None;
        }
        let link = shape.fields.get(link as usize)?;
        if !matches!(self.get(link.ty), Type::Pointer(target) if *target == record) {
            return None;
        }
        let scalars = self.separate_scalars(record)?;
        let number = scalars.iter().position(|(start, _)| *start == link.offset)?;
        Some(Node { size: shape.size, scalars, link: number })
    }

    /// The field that links a struct to others of its kind, if there is one only, and no other part points to such a struct.
    pub fn link_of(&self, record: TypeId) -> Option<u32> {
        let Type::Record(id) = self.get(record) else { return None };
        let points_back = |ty: TypeId| matches!(self.get(ty), Type::Pointer(to) if *to == record);
        let link = self.record(*id).fields.iter().position(|field| points_back(field.ty))?;
        let link = u32::try_from(link).ok()?;
        let node = self.node(record, link)?;
        let links = node.scalars.iter().filter(|(_, ty)| points_back(*ty)).count();
        (links == 1).then_some(link)
    }

    /// The scalars of a struct, if they do not overlap and have bytes.
    fn separate_scalars(&self, record: TypeId) -> Option<Vec<(u64, TypeId)>> {
        let mut scalars = Vec::new();
        let mut open = vec![(0u64, record)];
        // Parts without scalars are counted as well, so that this ends soon.
        let mut seen = 0;
        while let Some((start, ty)) = open.pop() {
            seen += 1;
            if seen > 8 * MAX_SCALARS || scalars.len() > MAX_SCALARS {
                return None;
            }
            match self.get(ty) {
                Type::Any | Type::Bool | Type::Int(IntType::Unbounded) => return None,
                Type::Function | Type::Pointer(_) if !matches!(self.pointer_size, 4 | 8) => {
                    return None;
                }
                Type::Int(_) | Type::Float(_) | Type::Function | Type::Pointer(_) => {
                    scalars.push((start, ty));
                }
                Type::Array { element, length } => {
                    if *length > MAX_SCALARS as u64 {
                        return None;
                    }
                    let size = self.size_of(*element);
                    let places = (0..*length).map(|number| start.checked_add(number * size));
                    for place in places {
                        open.push((place?, *element));
                    }
                }
                Type::Record(id) => {
                    for field in &self.record(*id).fields {
                        if field.first_bit.is_some() {
                            return None;
                        }
                        open.push((start.checked_add(field.offset)?, field.ty));
                    }
                }
            }
        }
        scalars.sort_unstable_by_key(|(start, _)| *start);
        let end = |(start, ty): (u64, TypeId)| start.saturating_add(self.size_of(ty));
        let apart = scalars.windows(2).all(|pair| end(pair[0]) <= pair[1].0);
        let inside = scalars.last().is_none_or(|last| end(*last) <= self.size_of(record));
        (apart && inside && scalars.len() <= MAX_SCALARS).then_some(scalars)
    }
}

#[cfg(test)]
mod tests {
    use crate::text::parse;
    use crate::types::{RecordId, Type, TypeId, Types};

    /// A program with a struct, and its types.
    fn types(record: &str) -> Types {
        let text = format!(
            "pointer-size 8\n{record}\nentry @f\nfn @f() @1:1-1:2 {{\nlet p%0: ptr record 0 @1:1-1:2\nstmt #0 @1:1-1:2\nb0:\nreturn @1:1-1:2 #0\n}}"
        );
        parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}")).types
    }

    fn link(record: &str) -> Option<u32> {
        let mut types = types(record);
        let ty: TypeId = types.intern(Type::Record(RecordId(0)));
        types.link_of(ty)
    }

    #[test]
    fn one_pointer_back_is_a_link() {
        assert_eq!(link("record 0 n size 16 { v: i32 at 0, next: ptr record 0 at 8 }"), Some(1));
        assert_eq!(
            link("record 0 n size 16 { next: ptr record 0 at 0, v: [i8; 8] at 8 }"),
            Some(0)
        );
        let none = [
            "record 0 n size 4 { v: i32 at 0 }",
            "record 0 n size 16 { a: ptr record 0 at 0, b: ptr record 0 at 8 }",
            "record 0 n size 24 { a: ptr record 0 at 0, b: [ptr record 0; 2] at 8 }",
            "record 0 n size 8 { a: ptr record 0 at 0, b: i32 at 4 }",
            "record 0 n size 16 { a: ptr record 0 at 0, b: i3 at 8 bit 0 }",
            "record 0 n size 16 { a: ptr record 0 at 0, b: any at 8 }",
            "record 0 n size 73 { a: ptr record 0 at 0, b: [i8; 65] at 8 }",
        ];
        for record in none {
            assert_eq!(link(record), None, "{record}");
        }
    }

    #[test]
    fn scalars_of_nodes_are_in_the_order_of_their_places() {
        let mut types =
            types("record 0 n size 32 { v: [i16; 2] at 0, next: ptr record 0 at 8, w: f64 at 16 }");
        let ty = types.intern(Type::Record(RecordId(0)));
        let node = types.node(ty, 1);
        let places = node.map(|node| {
            let all: Vec<u64> = node.scalars.iter().map(|(start, _)| *start).collect();
            let columns: Vec<u64> = node.columns().map(|(start, _)| start).collect();
            (all, columns, node.link, node.size, node.scalar_at(8), node.scalar_at(4))
        });
        assert_eq!(places, Some((vec![0, 2, 8, 16], vec![0, 2, 16], 2, 32, Some(2), None)));
    }
}
