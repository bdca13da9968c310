//! Names that someone may have meant.

/// Longer names are not compared: the distance costs the product of the lengths.
const LONGEST: usize = 64;

/// The name among `known` that is closest to `name`, if it is close enough to be what was meant;
/// of equally close ones the first in the alphabet.
pub(super) fn most_similar<'a>(
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    // A third of the letters may differ, and all of a single one may not.
    let limit = name.len() / 3;
    let close = known
        .filter(|other| name.len() <= LONGEST && other.len() <= LONGEST)
        .filter(|other| other.len().abs_diff(name.len()) <= limit.max(1))
        .map(|other| (distance(name, other), other))
        .filter(|(distance, other)| {
            *distance <= limit || (*distance > 0 && name.eq_ignore_ascii_case(other))
        });
    close.min().map(|(_, other)| other)
}

/// How many letters must be inserted, deleted, replaced or swapped with their neighbours to get
/// from one name to the other (optimal string alignment).
fn distance(from: &str, to: &str) -> usize {
    let (from, to) = (from.as_bytes(), to.as_bytes());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for i in 1..=from.len() {
        let mut row = vec![i];
        for j in 1..=to.len() {
            let replaced = last[j - 1] + usize::from(from[i - 1] != to[j - 1]);
            let mut best = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[to.len()]
}
