//! Statements that use memory as such: functions on bytes and strings, the heap, arrays of variable
//! length.

use super::Generator;
use super::scope::Shape;
use super::types::IntType;

impl Generator {
    /// An array whose length is known when the program runs.
    pub(super) fn variable_length_array(&mut self) {
        if !self.can_afford(24) {
            return self.assignment();
        }
        let (ty, name, length, index) =
            (self.int_type(), self.fresh("a"), self.fresh("n"), self.fresh("k"));
        let (size, value) = (self.expr(1).text, self.expr(1).text);
        self.open("");
        self.line(&format!("int {length} = ((int){size} & 7) + 1;"));
        self.line(&format!("{} {name}[{length}];", ty.name()));
        self.line(&format!("for (int {index} = 0; {index} < {length}; {index}++) {name}[{index}] = {value} + {index};"));
        self.pay(8);
        let (at, place) = (self.expr(1).text, self.writable());
        if let Some(place) = place {
            self.line(&format!("{} ^= {name}[(unsigned){at} % {length}];", place.text));
        }
        if let Some(place) = self.place_to_store() {
            self.line(&format!("{place} = sizeof {name};"));
        }
        self.close("");
    }

    /// `memset`, `memcpy`, `memmove` and string functions.
    pub(super) fn bytes(&mut self) {
        let array = self.find_writable(|variable| matches!(variable.shape, Shape::Array(..)));
        let Some(array) = array else { return self.assignment() };
        let Shape::Array(ty, length) = array.shape else { return };
        let name = &array.name;
        match self.random.below(5) {
            0 => {
                let byte = self.expr(1).text;
                // A byte of a _Bool must be 0 or 1.
                let mask = if ty == IntType::Bool { 1 } else { 511 };
                self.line(&format!("memset({name}, (int){byte} & {mask}, sizeof {name});"));
            }
            1 => {
                let half = length / 2;
                let (from, to) = (self.random.below(half + 1), self.random.below(half + 1));
                self.line(&format!(
                    "memmove({name} + {to}, {name} + {from}, {half} * sizeof *{name});"
                ));
            }
            2 => {
                let other = self.find(|other| {
                    other.name != *name
                        && matches!(other.shape, Shape::Array(own, size) if own == ty && size == length)
                });
                match other {
                    Some(other) => {
                        self.line(&format!("memcpy({name}, {}, sizeof {name});", other.name));
                    }
                    None => self.line(&format!("memset({name}, 0, {length});")),
                }
            }
            3 => self.heap(),
            _ => self.string(),
        }
    }

    fn string(&mut self) {
        let (name, index) = (self.fresh("s"), self.index(8));
        let word = self.random.pick(&["abc", "", "loupe", "\\xff\\1z"]);
        self.open("");
        self.line(&format!("char {name}[16] = \"{word}\";"));
        self.line(&format!("strcat({name}, \"tail\");"));
        self.line(&format!("{name}[{index}] = 'q';"));
        if let Some(place) = self.place_to_store() {
            self.line(&format!("{place} = (int)strlen({name}) * 16 + {name}[2];"));
        }
        if let Some(place) = self.place_to_store() {
            self.line(&format!("{place} ^= (strcmp({name}, \"abq\") > 0) + !strchr({name}, 'l');"));
        }
        self.close("");
    }

    /// A block that is allocated, used and given back.
    fn heap(&mut self) {
        if !self.can_afford(12) {
            return self.assignment();
        }
        self.pay(6);
        let (ty, name, index) = (self.int_type(), self.fresh("h"), self.fresh("k"));
        let (value, at) = (self.expr(1).text, self.index(4));
        let allocation = self.random.pick(&["malloc(4 * sizeof *", "calloc(4, sizeof *"]);
        self.open("");
        self.line(&format!("{} *{name} = {allocation}{name});", ty.name()));
        self.line(&format!(
            "for (int {index} = 0; {index} < 4; {index}++) {name}[{index}] = {value} - {index};"
        ));
        self.line(&format!("{name} = realloc({name}, 8 * sizeof *{name});"));
        self.line(&format!("{name}[7] = {name}[{at}];"));
        if let Some(place) = self.place_to_store() {
            self.line(&format!("{place} ^= {name}[7] + *{name};"));
        }
        self.line(&format!("free({name});"));
        self.close("");
    }
}
