//! Small random programs as trees, so that each can be printed in many ways and run by an interpreter that shares nothing with Loupe.

/// What numbers a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Byte,
    Short,
    Int,
    Unsigned,
    Long,
    /// microc: any number.
    Unbounded,
}

/// A variable, by its place in [`Program::variables`].
pub(crate) type Variable = usize;

/// How many elements the array has.
pub(crate) const LENGTH: i128 = 4;
/// The inputs that make a difference: others count as the nearer end.
pub(crate) const LOW: i128 = -2;
pub(crate) const HIGH: i128 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    Greater,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expr {
    Constant(i128),
    Variable(Variable),
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// An element of the array; the index may be anything.
    Element(Box<Expr>),
    /// An element of what was allocated.
    Cell(Box<Expr>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    pub(crate) relation: Relation,
    pub(crate) left: Expr,
    pub(crate) right: Expr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stmt {
    Set(Variable, Expr),
    Input(Variable),
    StoreElement(Expr, Expr),
    StoreCell(Expr, Expr),
    /// So many cells, all 0.
    Allocate(i128),
    Free {
        forgets: bool,
    },
    Claim(Condition),
    If(Condition, Vec<Stmt>, Vec<Stmt>),
    While(Condition, Vec<Stmt>),
    /// Leaves the innermost loop if the condition holds.
    LeaveIf(Condition),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) variables: Vec<Kind>,
    pub(crate) body: Vec<Stmt>,
}

/// What a program is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    Claims,
    Overflow,
    Memory,
    Termination,
    /// A program for microc.
    Microc,
}

impl Topic {
    pub(crate) const C: [Topic; 4] =
        [Topic::Termination, Topic::Memory, Topic::Overflow, Topic::Claims];
}

/// Numbers by chance, the same ones every time (SplitMix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % most
    }

    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }
}

/// A random program.
pub(crate) fn program(seed: u64, topic: Topic) -> Program {
    let mut grower = Grower { dice: Dice(seed.wrapping_mul(0x1234_5677)), topic, count: 0 };
    let kinds: &[Kind] = match topic {
        Topic::Microc => &[Kind::Unbounded],
        // Few states, so that those that come again do so soon.
        Topic::Termination => &[Kind::Byte, Kind::Int, Kind::Unsigned],
        Topic::Overflow => &[Kind::Int, Kind::Int, Kind::Short, Kind::Long],
        Topic::Claims => &[Kind::Byte, Kind::Short, Kind::Int, Kind::Unsigned, Kind::Long],
        Topic::Memory => &[Kind::Int, Kind::Byte],
    };
    grower.count = 3;
    let variables = (0..grower.count).map(|_| grower.dice.pick(kinds)).collect();
    let mut body = vec![Stmt::Input(0)];
    if grower.dice.one_in(2) {
        body.push(Stmt::Input(1));
    }
    if topic == Topic::Memory && !grower.dice.one_in(3) {
        let cells = 1 + grower.dice.below(4) as i128;
        body.push(Stmt::Allocate(cells));
    }
    grower.block(2, 3, &mut body);
    body.push(Stmt::While(grower.guard(), grower.iteration(1)));
    grower.block(1, 2, &mut body);
    if matches!(topic, Topic::Claims | Topic::Microc) {
        body.push(Stmt::Claim(grower.claim()));
    }
    Program { variables, body }
}

struct Grower {
    dice: Dice,
    topic: Topic,
    count: usize,
}

impl Grower {
    fn variable(&mut self) -> Variable {
        self.dice.below(self.count as u64) as usize
    }

    fn constant(&mut self) -> Expr {
        let is_extreme = self.topic == Topic::Overflow && self.dice.one_in(4);
        Expr::Constant(match is_extreme {
            true => self.dice.pick(&[i128::from(i32::MAX), 70_000, -40_000, 1 << 30]),
            false => self.dice.below(9) as i128 - 2,
        })
    }

    fn atom(&mut self) -> Expr {
        let reads_memory = matches!(self.topic, Topic::Memory | Topic::Microc);
        match self.dice.below(10) {
            0 if reads_memory => Expr::Element(Box::new(self.index())),
            1 if self.topic == Topic::Memory => Expr::Cell(Box::new(self.index())),
            0..=3 => self.constant(),
            _ => Expr::Variable(self.variable()),
        }
    }

    fn index(&mut self) -> Expr {
        match self.dice.one_in(2) {
            true => Expr::Constant(self.dice.below(5) as i128),
            false => Expr::Variable(self.variable()),
        }
    }

    fn expr(&mut self) -> Expr {
        let operator = match self.dice.below(9) {
            0..=2 => Operator::Add,
            3 | 4 => Operator::Subtract,
            5 => Operator::Multiply,
            _ => return self.atom(),
        };
        let (left, right) = (self.atom(), self.atom());
        Expr::Binary(operator, Box::new(left), Box::new(right))
    }

    fn condition(&mut self) -> Condition {
        use Relation::{Equal, Greater, Less, LessOrEqual, NotEqual};
        let relation = self.dice.pick(&[Less, LessOrEqual, Equal, NotEqual, Greater]);
        let left = Expr::Variable(self.variable());
        Condition { relation, left, right: self.atom() }
    }

    /// The condition of a loop: mostly one that some counter makes false.
    fn guard(&mut self) -> Condition {
        use Relation::{Greater, Less, LessOrEqual, NotEqual};
        let relation = self.dice.pick(&[Less, Less, LessOrEqual, NotEqual, Greater]);
        let left = Expr::Variable(self.variable());
        let right = match self.dice.one_in(2) {
            true => Expr::Constant(self.dice.pick(&[3, 5, 10, 100])),
            false => Expr::Variable(self.variable()),
        };
        Condition { relation, left, right }
    }

    fn claim(&mut self) -> Condition {
        let mut claim = self.condition();
        if self.dice.one_in(2) {
            claim.left = self.expr();
        }
        if self.dice.one_in(2) {
            claim.right = Expr::Constant(self.dice.pick(&[-3, 7, 99, 100, 101, 255]));
        }
        claim
    }

    /// The body of a loop, which mostly counts.
    fn iteration(&mut self, loops: u32) -> Vec<Stmt> {
        let mut body = Vec::new();
        self.block(loops, 2, &mut body);
        if self.topic != Topic::Microc && self.dice.one_in(4) {
            body.push(Stmt::LeaveIf(self.condition()));
        }
        if !self.dice.one_in(8) {
            let (counter, step) = (self.variable(), self.dice.pick(&[1, 1, 1, 2, 3, -1]));
            let next = (Box::new(Expr::Variable(counter)), Box::new(Expr::Constant(step)));
            body.push(Stmt::Set(counter, Expr::Binary(Operator::Add, next.0, next.1)));
        }
        body
    }

    fn block(&mut self, loops: u32, most: u64, into: &mut Vec<Stmt>) {
        for _ in 0..1 + self.dice.below(most) {
            let stmt = self.stmt(loops);
            into.push(stmt);
        }
    }

    fn stmt(&mut self, loops: u32) -> Stmt {
        let has_memory = matches!(self.topic, Topic::Memory | Topic::Microc);
        match self.dice.below(16) {
            0 if loops > 0 => Stmt::While(self.guard(), self.iteration(loops - 1)),
            1 | 2 => {
                let (mut then, mut otherwise) = (Vec::new(), Vec::new());
                self.block(0, 2, &mut then);
                if self.dice.one_in(2) {
                    self.block(0, 1, &mut otherwise);
                }
                Stmt::If(self.condition(), then, otherwise)
            }
            3 => Stmt::Input(self.variable()),
            4 | 5 if has_memory => Stmt::StoreElement(self.index(), self.atom()),
            6 | 7 if self.topic == Topic::Memory => Stmt::StoreCell(self.index(), self.atom()),
            8 if self.topic == Topic::Memory => Stmt::Free { forgets: self.dice.one_in(2) },
            9 if self.topic != Topic::Termination => Stmt::Claim(self.claim()),
            _ => Stmt::Set(self.variable(), self.expr()),
        }
    }
}
