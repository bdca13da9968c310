//! Two configurations, task by task.

use super::axis::Scale;
use super::canvas::{Anchor, Canvas, Point, WIDTH, shortened};
use super::{Plot, colour};
use crate::record::{Grade, Record};
use crate::results::Results;
use crate::table::seconds;
use std::collections::BTreeMap;

const LEFT: f64 = 80.0;
const SIZE: f64 = 430.0;
const TOP: f64 = 45.0;
const GRID: &str = "#dddddd";
const EDGE: &str = "#444444";
/// Runs without success lie on the far edge, so many times behind the limit.
const BEHIND: f64 = 2.0;

/// Seconds, and whether it was a success.
type Measured = (f64, bool);

/// What became of a task in both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Both,
    First,
    Second,
    Neither,
}

/// The scatter plot: a point (s, t) is a task that takes s seconds in the first configuration and t in the second. Nothing if they have no task in common.
pub(super) fn plot(
    results: &Results,
    (first, second): (&str, &str),
    number: usize,
) -> Option<Plot> {
    let mut pairs: BTreeMap<&str, [Option<Measured>; 2]> = BTreeMap::new();
    for (run, record, grade) in results.graded() {
        let place = [first, second].iter().position(|name| *name == run.configuration.name);
        if let Some(place) = place {
            pairs.entry(&run.task.name).or_default()[place] = Some(measured(record, grade));
        }
    }
    let pairs: Vec<(&str, Measured, Measured)> =
        pairs.into_iter().filter_map(|(name, [one, other])| Some((name, one?, other?))).collect();
    if pairs.is_empty() {
        return None;
    }
    let title = format!("Seconds for each program: {first} and {second}");
    let mut canvas = Canvas::new(&title);
    let limit = results.campaign.limits.seconds;
    let least = pairs.iter().flat_map(|(_, one, other)| [one.0, other.0]).fold(limit, f64::min);
    let scale = Scale::logarithmic(least, limit * BEHIND);
    let edge = scale.end();
    draw_grid(&mut canvas, scale, (first, second));
    let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
    for (name, one, other) in &pairs {
        let kind = match (one.1, other.1) {
            (true, true) => Kind::Both,
            (true, false) => Kind::First,
            (false, true) => Kind::Second,
            (false, false) => Kind::Neither,
        };
        *counts.entry(kind).or_default() += 1;
        let shown = |(time, is_success): Measured| if is_success { time } else { edge };
        let words = |(time, is_success): Measured| match is_success {
            true => format!("{} s", seconds(time)),
            false => "without success".to_owned(),
        };
        let about = format!("{name}: {first} {}, {second} {}", words(*one), words(*other));
        canvas.dot(at(scale, shown(*one), shown(*other)), colour(kind as usize), &about);
    }
    draw_legend(&mut canvas, &counts, (first, second));
    let name = format!("scatter-{number}");
    Some(canvas.finish(&name, &title, &results.provenance(), TOP + SIZE + 48.0))
}

fn measured(record: &Record, grade: Grade) -> Measured {
    (record.seconds, grade.is_success())
}

fn at(scale: Scale, across: f64, up: f64) -> Point {
    (LEFT + scale.place(across) * SIZE, TOP + (1.0 - scale.place(up)) * SIZE)
}

fn draw_grid(canvas: &mut Canvas, scale: Scale, (first, second): (&str, &str)) {
    let bottom = TOP + SIZE;
    for (value, name) in scale.marks() {
        let (x, _) = at(scale, value, value);
        let (_, y) = at(scale, value, value);
        canvas.line((x, TOP), (x, bottom), GRID);
        canvas.line((LEFT, y), (LEFT + SIZE, y), GRID);
        let name = if value == scale.end() { "none".to_owned() } else { name };
        canvas.text((x, bottom + 16.0), Anchor::Middle, &name);
        canvas.text((LEFT - 6.0, y + 4.0), Anchor::End, &name);
    }
    canvas.line((LEFT, bottom), (LEFT + SIZE, TOP), EDGE);
    canvas.line((LEFT, bottom), (LEFT + SIZE, bottom), EDGE);
    canvas.line((LEFT, TOP), (LEFT, bottom), EDGE);
    canvas.text((LEFT + SIZE / 2.0, bottom + 36.0), Anchor::Middle, &format!("{first}, seconds"));
    canvas.upright((20.0, TOP + SIZE / 2.0), &format!("{second}, seconds"));
}

fn draw_legend(canvas: &mut Canvas, counts: &BTreeMap<Kind, usize>, (first, second): (&str, &str)) {
    let x = (LEFT + SIZE + 24.0).min(WIDTH - 230.0);
    for (number, (kind, count)) in counts.iter().enumerate() {
        let y = TOP + 18.0 * number as f64;
        let words = match kind {
            Kind::Both => "both succeed".to_owned(),
            Kind::First => format!("only {}", shortened(first)),
            Kind::Second => format!("only {}", shortened(second)),
            Kind::Neither => "neither succeeds".to_owned(),
        };
        canvas.bar((x, y), (12.0, 12.0), colour(*kind as usize));
        canvas.text((x + 18.0, y + 10.0), Anchor::Start, &format!("{words} ({count})"));
    }
}
