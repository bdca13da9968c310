//! Sets of generated programs.

use super::Origin;
use crate::campaign::Task;
use loupe_gen::{BadParameters, Parameters, Probability, Style, generate};
use serde::Deserialize;

/// A set, by what the thesis says of its programs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Generated {
    name: String,
    /// How many programs it has.
    programs: u32,
    /// Probabilities in percent.
    for_loops: u32,
    while_loops: u32,
    max_block_depth: u32,
    #[serde(default = "top_level_statements")]
    max_top_level_statements: u32,
    #[serde(default = "block_statements")]
    max_block_statements: u32,
    guaranteed_error: bool,
    divisions: bool,
    /// The names of its configurations; none means all.
    #[serde(default)]
    configurations: Vec<String>,
}

/// Where the thesis is silent: as in its section 6.3.2.
fn top_level_statements() -> u32 {
    10
}

fn block_statements() -> u32 {
    5
}

impl Generated {
    /// Its programs; a larger scale gives the same ones and others behind them.
    pub(super) fn tasks(
        &self,
        scale: f64,
        seed: u64,
    ) -> Result<Vec<(Task, Origin)>, BadParameters> {
        let count = (f64::from(self.programs) * scale).round().max(1.0) as u64;
        (0..count).map(|number| self.task(number, seed)).collect()
    }

    fn task(&self, number: u64, seed: u64) -> Result<(Task, Origin), BadParameters> {
        let parameters = self.parameters(seed.wrapping_add(number));
        let name = format!("{}/{number:03}.{}", self.name, parameters.language.extension());
        let text = generate(&parameters)?;
        let configurations = self.configurations.clone();
        let task = Task { configurations, ..Task::new(&name, &self.name, "") };
        Ok((task, Origin::Text(name, text)))
    }

    /// Programs as section 6.1 of the thesis describes them.
    fn parameters(&self, seed: u64) -> Parameters {
        Parameters {
            seed,
            style: Style::Thesis,
            for_loop_probability: Probability::percent(self.for_loops),
            while_loop_probability: Probability::percent(self.while_loops),
            max_block_depth: self.max_block_depth,
            max_top_level_statements: self.max_top_level_statements,
            max_block_statements: self.max_block_statements,
            guaranteed_error: self.guaranteed_error,
            divisions: self.divisions,
            ..Parameters::default()
        }
    }
}
