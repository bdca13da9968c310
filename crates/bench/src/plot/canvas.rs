//! What is drawn on.

use super::Plot;
use crate::page::escaped;
use std::fmt::Write;

/// The width of all plots.
pub(super) const WIDTH: f64 = 760.0;
/// So many letters of the smallest size are as wide as a plot.
const LETTERS: usize = 130;
/// Longer names are cut off.
const LONGEST: usize = 20;
/// The height of a line of that size.
const LINE: f64 = 13.0;
/// The sizes of letters.
const SMALL: u32 = 10;
const USUAL: u32 = 12;
const LARGE: u32 = 15;

/// Where a text is held.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    const fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// A point.
pub(super) type Point = (f64, f64);

/// A plot that is being drawn.
#[derive(Default)]
pub(super) struct Canvas {
    body: String,
}

impl Canvas {
    /// A canvas with a title.
    pub(super) fn new(title: &str) -> Self {
        let mut canvas = Canvas::default();
        canvas.add(format_args!("<title>{}</title>", escaped(title)));
        canvas.add(format_args!("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"));
        canvas.letters((WIDTH / 2.0, 24.0), Anchor::Middle, title, LARGE);
        canvas
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.body, "{element}");
    }

    fn letters(&mut self, (x, y): Point, anchor: Anchor, text: &str, size: u32) {
        let (anchor, text) = (anchor.name(), escaped(text));
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{text}</text>"
        ));
    }

    /// A text.
    pub(super) fn text(&mut self, at: Point, anchor: Anchor, text: &str) {
        self.letters(at, anchor, text, USUAL);
    }

    /// A text that is read from the bottom to the top.
    pub(super) fn upright(&mut self, (x, y): Point, text: &str) {
        let text = escaped(text);
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" font-size=\"{USUAL}\" \
             transform=\"rotate(-90 {x:.1} {y:.1})\">{text}</text>"
        ));
    }

    /// A straight line.
    pub(super) fn line(&mut self, (x1, y1): Point, (x2, y2): Point, colour: &str) {
        self.add(format_args!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
        ));
    }

    /// A line through several points.
    pub(super) fn path(&mut self, points: &[Point], colour: &str) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let points = points.join(" ");
        self.add(format_args!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        ));
    }

    /// A dot, with what is shown to whoever points at it.
    pub(super) fn dot(&mut self, (x, y): Point, colour: &str, about: &str) {
        let about = escaped(about);
        self.add(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\" fill-opacity=\"0.6\"><title>{about}</title></circle>"
        ));
    }

    /// A bar from a corner, so wide and so high.
    pub(super) fn bar(&mut self, (x, y): Point, (width, height): Point, colour: &str) {
        let width = width.max(0.0);
        self.add(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>"
        ));
    }

    /// The plot, with its provenance below this height.
    pub(super) fn finish(mut self, name: &str, title: &str, provenance: &str, height: f64) -> Plot {
        let mut y = height;
        for line in wrapped(provenance) {
            y += LINE;
            self.letters((10.0, y), Anchor::Start, &line, SMALL);
        }
        let size = (WIDTH as u32, (y + LINE).ceil() as u32);
        Plot { name: name.to_owned(), title: title.to_owned(), body: self.body, size }
    }
}

/// A name that has room beside a plot.
pub(super) fn shortened(name: &str) -> String {
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// The lines of a text.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < LETTERS => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
