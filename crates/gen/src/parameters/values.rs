//! The values that parameters have, as the command line writes them.

use super::BadParameters;
use std::fmt;
use std::str::FromStr;

/// The language of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// microc.
    Microc,
    /// C, by the conventions of SV-COMP.
    C,
}

impl Language {
    /// The usual end of the names of its files.
    pub const fn extension(self) -> &'static str {
        match self {
            Language::Microc => "uc",
            Language::C => "c",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Language::Microc => "microc",
            Language::C => "c",
        })
    }
}

/// A probability, exact to a millionth, so that nothing depends on how a machine rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Probability(u32);

impl Probability {
    /// What is certain, in millionths.
    pub const ONE: u32 = 1_000_000;

    /// So many percent; more than 100 are 100.
    pub const fn percent(percent: u32) -> Self {
        Probability(if percent < 100 { percent * (Self::ONE / 100) } else { Self::ONE })
    }

    /// In millionths.
    pub const fn millionths(self) -> u32 {
        self.0
    }
}

/// A number from 0 to 1 with at most six digits behind the point.
impl FromStr for Probability {
    type Err = BadParameters;

    fn from_str(text: &str) -> Result<Self, BadParameters> {
        let bad = || BadParameters::Probability(text.to_owned());
        let (whole, digits) = text.split_once('.').unwrap_or((text, ""));
        if digits.len() > 6 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(bad());
        }
        let whole: u32 = whole.parse().map_err(|_| bad())?;
        let part: u32 = format!("{digits:0<6}").parse().map_err(|_| bad())?;
        let millionths = whole.checked_mul(Self::ONE).and_then(|whole| whole.checked_add(part));
        match millionths {
            Some(millionths) if millionths <= Self::ONE => Ok(Probability(millionths)),
            _ => Err(bad()),
        }
    }
}

impl fmt::Display for Probability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:06}", self.0 % Self::ONE);
        let digits = digits.trim_end_matches('0');
        let point = if digits.is_empty() { "" } else { "." };
        write!(f, "{}{point}{digits}", self.0 / Self::ONE)
    }
}

/// Which inputs a program takes seriously: from `low` to `high`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputRange {
    /// The least.
    pub low: i32,
    /// The greatest.
    pub high: i32,
}

/// `-1..3`
impl FromStr for InputRange {
    type Err = BadParameters;

    fn from_str(text: &str) -> Result<Self, BadParameters> {
        let bad = || BadParameters::InputRange(text.to_owned());
        let (low, high) = text.split_once("..").ok_or_else(bad)?;
        let low = low.parse().map_err(|_| bad())?;
        let high = high.parse().map_err(|_| bad())?;
        if low > high {
            return Err(bad());
        }
        Ok(InputRange { low, high })
    }
}

impl fmt::Display for InputRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.low, self.high)
    }
}

/// What may go wrong in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ErrorKind {
    /// A division by a number that may be 0.
    Division,
    /// An index that may be outside of the array.
    Bounds,
    /// A pointer that is followed and may be null.
    Null,
    /// microc: a variable that may have no value yet.
    Uninitialised,
    /// C: an assertion, or a call of `reach_error`.
    Assertion,
    /// C: a signed sum, difference or product that may not fit.
    Overflow,
}

impl ErrorKind {
    /// All of them.
    pub const ALL: [ErrorKind; 6] = [
        ErrorKind::Division,
        ErrorKind::Bounds,
        ErrorKind::Null,
        ErrorKind::Uninitialised,
        ErrorKind::Assertion,
        ErrorKind::Overflow,
    ];

    /// As the command line has it.
    pub const fn name(self) -> &'static str {
        match self {
            ErrorKind::Division => "division",
            ErrorKind::Bounds => "bounds",
            ErrorKind::Null => "null",
            ErrorKind::Uninitialised => "uninitialised",
            ErrorKind::Assertion => "assertion",
            ErrorKind::Overflow => "overflow",
        }
    }

    /// The names of the checks that fail then, as reports have them. Behind the end of an array that is a parameter, C
    /// sees a pointer that leaves its object.
    pub const fn checks(self) -> &'static [&'static str] {
        match self {
            ErrorKind::Division => &["division-by-zero"],
            ErrorKind::Bounds => &["index-out-of-bounds", "invalid-access", "pointer-arithmetic"],
            ErrorKind::Null => &["null-dereference"],
            ErrorKind::Uninitialised => &["uninitialised-value"],
            ErrorKind::Assertion => &["assertion", "error-reached"],
            ErrorKind::Overflow => &["signed-overflow"],
        }
    }

    /// Whether programs of this language can have it.
    pub const fn is_in(self, language: Language) -> bool {
        match self {
            ErrorKind::Division | ErrorKind::Bounds | ErrorKind::Null => true,
            ErrorKind::Uninitialised => matches!(language, Language::Microc),
            ErrorKind::Assertion | ErrorKind::Overflow => matches!(language, Language::C),
        }
    }
}

/// Kinds of errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorKinds(Vec<ErrorKind>);

impl ErrorKinds {
    /// These kinds, each once.
    pub fn new(mut kinds: Vec<ErrorKind>) -> Self {
        kinds.sort_unstable();
        kinds.dedup();
        ErrorKinds(kinds)
    }

    /// Whether `kind` is one of them.
    pub fn contains(&self, kind: ErrorKind) -> bool {
        self.0.contains(&kind)
    }
}

/// `division,null`, `none` or `all`
impl FromStr for ErrorKinds {
    type Err = BadParameters;

    fn from_str(text: &str) -> Result<Self, BadParameters> {
        let kind = |name: &str| {
            let kind = ErrorKind::ALL.into_iter().find(|kind| kind.name() == name);
            kind.ok_or_else(|| BadParameters::ErrorKind(name.to_owned()))
        };
        match text {
            "none" => Ok(ErrorKinds::new(Vec::new())),
            "all" => Ok(ErrorKinds::new(ErrorKind::ALL.to_vec())),
            names => names.split(',').map(kind).collect::<Result<_, _>>().map(ErrorKinds::new),
        }
    }
}

impl fmt::Display for ErrorKinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none");
        }
        let names: Vec<_> = self.0.iter().map(|kind| kind.name()).collect();
        f.write_str(&names.join(","))
    }
}

/// Whether the loops of a program end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// Every loop ends within [`Parameters::max_iterations`](crate::Parameters::max_iterations) iterations, whatever the inputs are.
    Always,
    /// A loop may run for long or for ever.
    Perhaps,
}

/// How the paths of a loop follow each other, as a path dependency automaton has it (Proteus, section 2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LoopShape {
    /// One path, or one path after the other.
    Sequential,
    /// In rounds, each like the one before.
    Periodic,
    /// As inputs, or numbers without a pattern, decide.
    Irregular,
}

impl LoopShape {
    /// All of them.
    pub const ALL: [LoopShape; 3] =
        [LoopShape::Sequential, LoopShape::Periodic, LoopShape::Irregular];

    /// As the command line has it.
    pub const fn name(self) -> &'static str {
        match self {
            LoopShape::Sequential => "sequential",
            LoopShape::Periodic => "periodic",
            LoopShape::Irregular => "irregular",
        }
    }
}

/// What loops look like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LoopShapes {
    /// A mixture: counters, walks along lists, readers of inputs, and others.
    #[default]
    Any,
    /// Loops with one of these shapes only, whose bodies are short and do not branch otherwise.
    Of {
        /// The shapes; none stands for all.
        shapes: Vec<LoopShape>,
        /// Whether each has another one in its body, as far as loops may nest.
        nesting: Nesting,
    },
}

/// Whether loops of a shape have loops in their bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// They have none.
    Flat,
    /// They have one, as far as loops may nest.
    Nested,
}

impl LoopShapes {
    /// The shapes to choose from, and whether loops nest; `None` if there are no rules.
    pub fn rules(&self) -> Option<(&[LoopShape], Nesting)> {
        match self {
            LoopShapes::Any => None,
            LoopShapes::Of { shapes, nesting } if shapes.is_empty() => {
                Some((&LoopShape::ALL, *nesting))
            }
            LoopShapes::Of { shapes, nesting } => Some((shapes, *nesting)),
        }
    }
}

/// `any`, or some of `sequential,periodic,irregular,nested`
impl FromStr for LoopShapes {
    type Err = BadParameters;

    fn from_str(text: &str) -> Result<Self, BadParameters> {
        if text == "any" {
            return Ok(LoopShapes::Any);
        }
        let (mut found, mut nesting) = (Vec::new(), Nesting::Flat);
        for name in text.split(',') {
            match LoopShape::ALL.into_iter().find(|shape| shape.name() == name) {
                Some(shape) => found.push(shape),
                None if name == "nested" => nesting = Nesting::Nested,
                None => return Err(BadParameters::LoopShape(name.to_owned())),
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(LoopShapes::Of { shapes: found, nesting })
    }
}

impl fmt::Display for LoopShapes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LoopShapes::Of { shapes, nesting } = self else { return f.write_str("any") };
        let mut names: Vec<_> = shapes.iter().map(|shape| shape.name()).collect();
        if *nesting == Nesting::Nested {
            names.push("nested");
        }
        f.write_str(&names.join(","))
    }
}

/// Whose idea of a random program it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Ours: ranges protect what can fail, unless an error is planned.
    #[default]
    Usual,
    /// That of the thesis (section 6.1): one function, every kind of statement and of expression as likely as the
    /// others, nothing protected, and loops that may never end.
    Thesis,
}

impl Style {
    /// As the command line has it.
    pub const fn name(self) -> &'static str {
        match self {
            Style::Usual => "usual",
            Style::Thesis => "thesis",
        }
    }
}
