//! What a generated program looks like, apart from chance.
//!
//! The first group is that of the thesis (section 5.1, `generateProgram`, and section 6.1); the defaults
//! are those of its first experiment on techniques (section 6.3.2). The others are ours.

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
    /// Every loop ends within [`Parameters::max_iterations`] iterations, whatever the inputs are.
    Always,
    /// A loop may run for long or for ever.
    Perhaps,
}

/// All that a program depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// The language.
    pub language: Language,
    /// Where chance begins.
    pub seed: u64,

    /// How many statements of `main` are loops with a counter (`forLoopGenProb`).
    pub for_loop_probability: Probability,
    /// How many statements are other loops (`loopGenProb`).
    pub while_loop_probability: Probability,
    /// How deep blocks nest in a function (`maxBlockDepth`).
    pub max_block_depth: u32,
    /// How many statements `main` has at most, without declarations and what prints the results
    /// (`maxTopLvlStmtsCount`).
    pub max_top_level_statements: u32,
    /// How many statements a nested block has at most (`maxStmtsWithinABlock`).
    pub max_block_statements: u32,
    /// Whether a statement that certainly fails stands at a random place (`errorGuaranteed`).
    pub guaranteed_error: bool,
    /// Whether there are divisions (`generateDivisions`).
    pub divisions: bool,

    /// How many inputs a run reads at most.
    pub max_inputs: u32,
    /// The inputs that make a difference; the program turns others into one of them right after reading,
    /// or ends. `None` for any.
    pub input_range: Option<InputRange>,
    /// Whether loops end.
    pub termination: Termination,
    /// How often a loop iterates at most, per visit, if it ends always.
    pub max_iterations: u32,
    /// How deep loops nest.
    pub max_loop_depth: u32,
    /// How many statements there are in all, from which on blocks become as short as they can.
    pub max_statements: u32,
    /// How many variables for numbers `main` has, inputs and counters excluded.
    pub max_variables: u32,
    /// How many arrays.
    pub max_arrays: u32,
    /// How many records, or structs.
    pub max_records: u32,
    /// How many pointers to numbers.
    pub max_pointers: u32,
    /// How many linked lists.
    pub max_lists: u32,
    /// How many functions besides `main`.
    pub max_functions: u32,
    /// How deep expressions nest.
    pub max_expression_depth: u32,
    /// What may go wrong.
    pub errors: ErrorKinds,
    /// How many of the operations that can fail are left without protection.
    pub error_probability: Probability,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters {
            language: Language::Microc,
            seed: 0,
            for_loop_probability: Probability::percent(15),
            while_loop_probability: Probability::percent(10),
            max_block_depth: 3,
            max_top_level_statements: 10,
            max_block_statements: 5,
            guaranteed_error: false,
            divisions: true,
            max_inputs: 3,
            input_range: Some(InputRange { low: -1, high: 3 }),
            termination: Termination::Always,
            max_iterations: 4,
            max_loop_depth: 2,
            max_statements: 40,
            max_variables: 3,
            max_arrays: 1,
            max_records: 1,
            max_pointers: 1,
            max_lists: 1,
            max_functions: 2,
            max_expression_depth: 2,
            errors: ErrorKinds::new(vec![
                ErrorKind::Division,
                ErrorKind::Bounds,
                ErrorKind::Null,
                ErrorKind::Uninitialised,
                ErrorKind::Assertion,
            ]),
            error_probability: Probability::percent(15),
        }
    }
}

/// Parameters that make no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadParameters {
    /// Not a probability.
    #[error(
        "`{0}` is no probability: a number from 0 to 1 with at most six digits behind the point"
    )]
    Probability(String),
    /// Not a range.
    #[error("`{0}` is no range of inputs like `-1..3`")]
    InputRange(String),
    /// Not a kind of error.
    #[error(
        "`{0}` is no kind of error: division, bounds, null, uninitialised, assertion, overflow"
    )]
    ErrorKind(String),
    /// The probabilities of loops add up to more than 1.
    #[error("the probabilities of loops add up to more than 1")]
    TooManyLoops,
    /// Outside of what makes sense.
    #[error("{name} must be from {least} to {greatest}, not {found}")]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// Its least value.
        least: u32,
        /// Its greatest value.
        greatest: u32,
        /// What it was.
        found: u32,
    },
}

impl Parameters {
    /// Whether they make sense.
    ///
    /// The limits keep the generator fast, and its recursion, which follows the nesting of blocks and
    /// expressions, shallow.
    ///
    /// # Errors
    ///
    /// The first thing that does not.
    pub fn check(&self) -> Result<(), BadParameters> {
        let loops =
            self.for_loop_probability.millionths() + self.while_loop_probability.millionths();
        if loops > Probability::ONE {
            return Err(BadParameters::TooManyLoops);
        }
        if let Some(range) = self.input_range
            && range.low > range.high
        {
            return Err(BadParameters::InputRange(range.to_string()));
        }
        for (name, found, least, greatest) in [
            ("max-block-depth", self.max_block_depth, 0, 30),
            ("max-top-level-statements", self.max_top_level_statements, 1, 100_000),
            ("max-block-statements", self.max_block_statements, 1, 1_000),
            ("max-inputs", self.max_inputs, 1, 1_000),
            ("max-iterations", self.max_iterations, 1, 1_000),
            ("max-loop-depth", self.max_loop_depth, 0, 10),
            ("max-statements", self.max_statements, 1, 100_000),
            ("max-variables", self.max_variables, 1, 100),
            ("max-arrays", self.max_arrays, 0, 100),
            ("max-records", self.max_records, 0, 100),
            ("max-pointers", self.max_pointers, 0, 100),
            ("max-lists", self.max_lists, 0, 100),
            ("max-functions", self.max_functions, 0, 100),
            ("max-expression-depth", self.max_expression_depth, 0, 10),
        ] {
            if !(least..=greatest).contains(&found) {
                return Err(BadParameters::OutOfRange { name, least, greatest, found });
            }
        }
        Ok(())
    }

    /// The command line that generates the program again: language, seed, and what is not as usual.
    pub fn command_line(&self) -> String {
        let usual = Parameters::default();
        let mut text = format!("loupe gen --language {} --seed {}", self.language, self.seed);
        for ((name, value), (_, usual)) in self.options().into_iter().zip(usual.options()) {
            if value == usual {
                continue;
            }
            text += &match value.as_str() {
                "true" => format!(" --{name}"),
                value => format!(" --{name} {value}"),
            };
        }
        text
    }

    /// The values as options of the command line have them. Flags are named for what is not as usual.
    fn options(&self) -> Vec<(&'static str, String)> {
        let any = || "any".to_owned();
        let endless = self.termination == Termination::Perhaps;
        vec![
            ("for-loop-probability", self.for_loop_probability.to_string()),
            ("while-loop-probability", self.while_loop_probability.to_string()),
            ("max-block-depth", self.max_block_depth.to_string()),
            ("max-top-level-statements", self.max_top_level_statements.to_string()),
            ("max-block-statements", self.max_block_statements.to_string()),
            ("guaranteed-error", self.guaranteed_error.to_string()),
            ("no-divisions", (!self.divisions).to_string()),
            ("max-inputs", self.max_inputs.to_string()),
            ("input-range", self.input_range.map_or_else(any, |range| range.to_string())),
            ("endless", endless.to_string()),
            ("max-iterations", self.max_iterations.to_string()),
            ("max-loop-depth", self.max_loop_depth.to_string()),
            ("max-statements", self.max_statements.to_string()),
            ("max-variables", self.max_variables.to_string()),
            ("max-arrays", self.max_arrays.to_string()),
            ("max-records", self.max_records.to_string()),
            ("max-pointers", self.max_pointers.to_string()),
            ("max-lists", self.max_lists.to_string()),
            ("max-functions", self.max_functions.to_string()),
            ("max-expression-depth", self.max_expression_depth.to_string()),
            ("errors", self.errors.to_string()),
            ("error-probability", self.error_probability.to_string()),
        ]
    }
}
