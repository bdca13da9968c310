//! How many runs succeed within how much time.

use super::axis::Scale;
use super::canvas::{Anchor, Canvas, Point, WIDTH, shortened};
use super::{Plot, colour};
use crate::results::Results;
use crate::table::summary;

const LEFT: f64 = 70.0;
const RIGHT: f64 = WIDTH - 210.0;
const TOP: f64 = 45.0;
const BOTTOM: f64 = 400.0;
const GRID: &str = "#dddddd";
const EDGE: &str = "#444444";

/// The quantile plot: a point (n, t) says that n runs succeed in t seconds or less each.
pub(super) fn plot(results: &Results) -> Plot {
    let title = "Runs with success, each within the time";
    let mut canvas = Canvas::new(title);
    let configurations = &results.campaign.configurations;
    let summaries: Vec<_> = (configurations.iter())
        .map(|configuration| (&configuration.name, summary(results, None, &configuration.name)))
        .collect();
    let most = summaries.iter().map(|(_, summary)| summary.runs).max().unwrap_or(0);
    let all = summaries.iter().flat_map(|(_, summary)| &summary.times).copied();
    let least = all.fold(results.campaign.limits.seconds, f64::min);
    let (across, up) =
        (Scale::linear(most as f64), Scale::logarithmic(least, results.campaign.limits.seconds));
    let at = |count: f64, seconds: f64| -> Point {
        let (x, y) = (across.place(count), up.place(seconds));
        (LEFT + x * (RIGHT - LEFT), BOTTOM - y * (BOTTOM - TOP))
    };
    for (value, name) in across.marks() {
        let (x, _) = at(value, 1.0);
        canvas.line((x, TOP), (x, BOTTOM), GRID);
        canvas.text((x, BOTTOM + 16.0), Anchor::Middle, &name);
    }
    for (value, name) in up.marks() {
        let (_, y) = at(0.0, value);
        canvas.line((LEFT, y), (RIGHT, y), GRID);
        canvas.text((LEFT - 6.0, y + 4.0), Anchor::End, &name);
    }
    canvas.line((LEFT, BOTTOM), (RIGHT, BOTTOM), EDGE);
    canvas.line((LEFT, TOP), (LEFT, BOTTOM), EDGE);
    canvas.text(((LEFT + RIGHT) / 2.0, BOTTOM + 34.0), Anchor::Middle, "runs with success");
    canvas.upright((18.0, (TOP + BOTTOM) / 2.0), "seconds for each run");
    for (number, (name, summary)) in summaries.iter().enumerate() {
        let steps = (1..).zip(&summary.times).map(|(count, time)| at(f64::from(count), *time));
        let points: Vec<Point> = steps.collect();
        canvas.path(&points, colour(number));
        for point in points.iter().filter(|_| points.len() == 1) {
            canvas.dot(*point, colour(number), name);
        }
        let y = TOP + 18.0 * number as f64;
        canvas.bar((RIGHT + 14.0, y), (12.0, 12.0), colour(number));
        let counted = format!("{} ({}/{})", shortened(name), summary.successes(), summary.runs);
        canvas.text((RIGHT + 32.0, y + 10.0), Anchor::Start, &counted);
    }
    let height = (TOP + 18.0 * summaries.len() as f64).max(BOTTOM + 44.0);
    canvas.finish("quantile", title, &results.provenance(), height)
}
