//! A line on the terminal that says how far a campaign is.

use crate::supervise;
use std::time::{Duration, Instant};

/// The line is written so often.
const PERIOD: Duration = Duration::from_millis(200);
/// How many characters the bar has.
const WIDTH: usize = 24;

/// How far a campaign is.
pub(super) struct Progress {
    start: Instant,
    last: Option<Instant>,
    is_shown: bool,
    /// Runs that were made before, and all.
    before: usize,
    total: usize,
    /// Runs that were made since then, and those of them that somebody has to look at.
    pub(super) made: usize,
    pub(super) wrong: usize,
    pub(super) failed: usize,
}

impl Progress {
    /// Only a terminal has one.
    pub(super) fn new(before: usize, total: usize) -> Self {
        let is_shown = supervise::has_terminal_for_messages();
        let start = Instant::now();
        Progress { start, last: None, is_shown, before, total, made: 0, wrong: 0, failed: 0 }
    }

    /// Writes the line, if it is time to.
    pub(super) fn show(&mut self) {
        let now = Instant::now();
        let is_due = self.last.is_none_or(|last| now - last >= PERIOD);
        if self.is_shown && is_due {
            self.last = Some(now);
            supervise::tell(&format!("\r\x1b[K{}", self.line(now - self.start)));
        }
    }

    /// `[######··················] 60/240 runs, 1 wrong, 0:12, about 0:36 left`
    fn line(&self, elapsed: Duration) -> String {
        let done = self.before + self.made;
        let filled = WIDTH * done / self.total.max(1);
        let bar = format!("{}{}", "#".repeat(filled), "·".repeat(WIDTH - filled));
        let mut line = format!("[{bar}] {done}/{} runs", self.total);
        for (count, word) in [(self.wrong, "wrong"), (self.failed, "failed")] {
            if count > 0 {
                line += &format!(", {count} {word}");
            }
        }
        line += &format!(", {}", clock(elapsed));
        if self.made > 0 && done < self.total {
            let left = elapsed.mul_f64((self.total - done) as f64 / self.made as f64);
            line += &format!(", about {} left", clock(left));
        }
        line
    }
}

/// `1:02:03`, or `2:03`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.last.is_some() {
            supervise::tell("\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_it_is_and_how_long_it_takes() {
        let mut progress = Progress::new(20, 240);
        progress.is_shown = false;
        assert!(progress.line(Duration::ZERO).ends_with("20/240 runs, 0:00"));
        (progress.made, progress.wrong) = (40, 1);
        assert_eq!(
            progress.line(Duration::from_secs(12)),
            "[######··················] 60/240 runs, 1 wrong, 0:12, about 0:54 left"
        );
        progress.made = 220;
        assert!(
            progress.line(Duration::from_secs(3723)).ends_with("240/240 runs, 1 wrong, 1:02:03")
        );
    }
}
