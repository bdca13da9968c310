//! Plots as SVG: text that says where lines and letters are, for a page or a file of its own.
//!
//! Each plot carries its provenance, because plots travel without the page that they come from.

mod axis;
mod bars;
mod canvas;
mod quantile;
mod scatter;

use crate::results::Results;

/// A plot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// The name of its file, without the end.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Its elements.
    body: String,
    /// Its size.
    size: (u32, u32),
}

impl Plot {
    /// For a file of its own.
    pub fn file(&self) -> String {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}",
            self.element(" xmlns=\"http://www.w3.org/2000/svg\"")
        )
    }

    /// For a page.
    pub fn inline(&self) -> String {
        self.element("")
    }

    fn element(&self, namespace: &str) -> String {
        let (width, height) = self.size;
        format!(
            "<svg{namespace} viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
             font-family=\"sans-serif\">\n{}</svg>\n",
            self.body
        )
    }
}

/// More configurations than this are not put side by side in pairs.
const MOST_PAIRS: usize = 6;

/// The plots of a campaign: the quantile plot, a scatter plot of the first configuration with each of the others, and bars.
pub fn all(results: &Results) -> Vec<Plot> {
    let mut plots = vec![quantile::plot(results)];
    let configurations = &results.campaign.configurations;
    if let Some((first, others)) = configurations.split_first() {
        let pairs = others.iter().take(MOST_PAIRS).enumerate();
        let pairs = pairs.filter_map(|(number, other)| {
            scatter::plot(results, (&first.name, &other.name), number + 1)
        });
        plots.extend(pairs);
    }
    plots.push(bars::plot(results));
    plots
}

/// The colours of configurations in turn; they differ for everybody (after Okabe and Ito).
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#666666", "#b8a800"];

fn colour(number: usize) -> &'static str {
    COLOURS[number % COLOURS.len()]
}

#[cfg(test)]
mod tests;
