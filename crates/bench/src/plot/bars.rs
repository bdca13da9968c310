//! How many states and queries each configuration takes.

use super::axis::{Scale, name};
use super::canvas::{Anchor, Canvas, WIDTH, shortened};
use super::{Plot, colour};
use crate::results::Results;
use crate::table::summary;

const LEFT: f64 = 200.0;
const RIGHT: f64 = WIDTH - 90.0;
const TOP: f64 = 70.0;
/// The height of a bar and of what is between two.
const BAR: f64 = 18.0;
const STEP: f64 = 24.0;
/// Between two groups.
const GAP: f64 = 64.0;
/// Where counts differ by more, bars are as long as their logarithms.
const RATIO: f64 = 100.0;
const GRID: &str = "#dddddd";

/// The bars: for each configuration all states and all queries of its runs; since not every task has every configuration, they say how many runs these are.
pub(super) fn plot(results: &Results) -> Plot {
    let title = "States and queries";
    let mut canvas = Canvas::new(title);
    let configurations = &results.campaign.configurations;
    let summaries: Vec<_> = (configurations.iter())
        .map(|configuration| {
            let summary = summary(results, None, &configuration.name);
            (format!("{}, {} runs", shortened(&configuration.name), summary.runs), summary)
        })
        .collect();
    let of = |count: fn(&crate::Summary) -> u64| -> Vec<(&str, u64)> {
        summaries.iter().map(|(name, summary)| (name.as_str(), count(summary))).collect()
    };
    let groups =
        [("states", of(|summary| summary.states)), ("queries", of(|summary| summary.queries))];
    let mut y = TOP;
    for (what, counts) in groups {
        y = draw_group(&mut canvas, what, &counts, y) + GAP;
    }
    canvas.finish("bars", title, &results.provenance(), y - GAP + 30.0)
}

/// Draws a group from this height on; where it ends.
fn draw_group(canvas: &mut Canvas, what: &str, counts: &[(&str, u64)], top: f64) -> f64 {
    let greatest = counts.iter().map(|(_, count)| *count).max().unwrap_or(0) as f64;
    let least = counts.iter().map(|(_, count)| *count).filter(|count| *count > 0).min();
    let least = least.unwrap_or(1) as f64;
    let (scale, words) = match greatest / least > RATIO {
        true => (Scale::logarithmic(1.0, greatest), format!("{what} (logarithmic)")),
        false => (Scale::linear(greatest), what.to_owned()),
    };
    let bottom = top + STEP * counts.len() as f64;
    for (value, mark) in scale.marks() {
        let x = LEFT + scale.place(value) * (RIGHT - LEFT);
        canvas.line((x, top - 4.0), (x, bottom), GRID);
        canvas.text((x, bottom + 14.0), Anchor::Middle, &mark);
    }
    canvas.text((LEFT, top - 12.0), Anchor::Start, &words);
    for (number, (configuration, count)) in counts.iter().enumerate() {
        let y = top + STEP * number as f64;
        let width = if *count == 0 { 0.0 } else { scale.place(*count as f64) * (RIGHT - LEFT) };
        canvas.bar((LEFT, y), (width, BAR), colour(number));
        canvas.text((LEFT - 8.0, y + 13.0), Anchor::End, configuration);
        canvas.text((LEFT + width + 6.0, y + 13.0), Anchor::Start, &exact(*count));
    }
    bottom
}

/// Large numbers in short.
fn exact(count: u64) -> String {
    match count {
        0..=99_999 => count.to_string(),
        _ => name((count as f64 / 1e3).round() * 1e3),
    }
}
