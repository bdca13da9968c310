//! What a generated program looks like, apart from chance.
//!
//! The first group is that of the thesis (section 5.1, `generateProgram`, and section 6.1); the defaults
//! are those of its first experiment on techniques (section 6.3.2). The others are ours.

mod values;

use crate::thesis::ThesisSet;

pub use values::{
    ErrorKind, ErrorKinds, InputRange, Language, LoopShape, LoopShapes, Nesting, Probability,
    Style, Termination,
};

/// All that a program depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// The language.
    pub language: Language,
    /// Where chance begins.
    pub seed: u64,
    /// Whose idea of a random program it is. That of the thesis heeds the first group of parameters, the
    /// numbers of variables, arrays, records and pointers, and how deep expressions nest.
    pub style: Style,

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
    /// What loops look like.
    pub loops: LoopShapes,
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
    /// For large programs with many places that can fail and few that do (section 7.1 of the thesis): there are
    /// many such operations, with computed divisors and indices, and so many of them are left without
    /// protection, whatever `error_probability` says.
    pub error_rate: Option<Probability>,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters {
            language: Language::Microc,
            seed: 0,
            style: Style::Usual,
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
            loops: LoopShapes::Any,
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
            error_rate: None,
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
    /// Not a shape of loops.
    #[error("`{0}` is no shape of loops: any, or some of sequential, periodic, irregular, nested")]
    LoopShape(String),
    /// The thesis has microc programs only.
    #[error("programs like those of the thesis are microc programs")]
    ThesisInC,
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
    /// Those of a set of programs of the thesis (Table 6.16). Where the table is silent, there are at most 10 statements at the
    /// top and 5 in a block, as in the other experiments with small programs.
    pub fn thesis(set: &ThesisSet, seed: u64) -> Self {
        Parameters {
            seed,
            style: Style::Thesis,
            for_loop_probability: Probability::percent(set.for_percent),
            while_loop_probability: Probability::percent(set.while_percent),
            max_block_depth: set.max_block_depth,
            max_top_level_statements: 10,
            max_block_statements: 5,
            guaranteed_error: set.guaranteed_error,
            divisions: set.divisions,
            ..Parameters::default()
        }
    }

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
        if self.style == Style::Thesis && self.language == Language::C {
            return Err(BadParameters::ThesisInC);
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

    /// The values as options of the command line have them, but for language and seed. Flags are named for what is
    /// not as usual.
    pub fn options(&self) -> Vec<(&'static str, String)> {
        let (any, none) = (|| "any".to_owned(), || "none".to_owned());
        let may_diverge = self.termination == Termination::Perhaps;
        vec![
            ("like", self.style.name().to_owned()),
            ("for-loop-probability", self.for_loop_probability.to_string()),
            ("while-loop-probability", self.while_loop_probability.to_string()),
            ("max-block-depth", self.max_block_depth.to_string()),
            ("max-top-level-statements", self.max_top_level_statements.to_string()),
            ("max-block-statements", self.max_block_statements.to_string()),
            ("guaranteed-error", self.guaranteed_error.to_string()),
            ("no-divisions", (!self.divisions).to_string()),
            ("max-inputs", self.max_inputs.to_string()),
            ("input-range", self.input_range.map_or_else(any, |range| range.to_string())),
            ("may-diverge", may_diverge.to_string()),
            ("max-iterations", self.max_iterations.to_string()),
            ("max-loop-depth", self.max_loop_depth.to_string()),
            ("loops", self.loops.to_string()),
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
            ("error-rate", self.error_rate.map_or_else(none, |rate| rate.to_string())),
        ]
    }
}
