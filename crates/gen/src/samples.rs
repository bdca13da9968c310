//! Inputs that are worth trying on a program.

use crate::parameters::{InputRange, Parameters, Style};
use crate::random::Random;

/// Values at which much changes: small ones of both signs, and the ends of machine types.
const REMARKABLE: [i64; 18] = [
    0,
    1,
    -1,
    2,
    3,
    -2,
    4,
    5,
    7,
    10,
    -5,
    100,
    255,
    1_000,
    -1_000,
    i32::MAX as i64,
    i32::MIN as i64,
    u32::MAX as i64,
];

/// How many inputs a program like those of the thesis gets; it may read more.
const INPUTS_OF_A_THESIS_PROGRAM: usize = 12;

/// Input sequences for a program with these parameters, at most `limit` of them: all that make a difference, if they are
/// so few, and otherwise those with one value throughout and then random ones. The same ones every time.
pub fn sample_inputs(parameters: &Parameters, limit: usize) -> Vec<Vec<i64>> {
    let (values, length) = match (parameters.style, parameters.input_range) {
        (Style::Thesis, _) => ((-2..=8).collect(), INPUTS_OF_A_THESIS_PROGRAM),
        (Style::Usual, None) => (REMARKABLE.to_vec(), parameters.max_inputs as usize),
        (Style::Usual, Some(range)) => (spread(range), parameters.max_inputs as usize),
    };
    if let Some(count) = count_all(values.len(), length, limit) {
        return (0..count).map(|number| numbered(&values, length, number)).collect();
    }
    let mut random = Random::new(parameters.seed ^ 0x5eed_0f1a_9075);
    let mut samples: Vec<Vec<i64>> =
        values.iter().map(|value| vec![*value; length]).take(limit).collect();
    while samples.len() < limit {
        let value = |_| values[random.below(values.len())];
        samples.push((0..length).map(value).collect());
    }
    samples
}

/// The values of a range, or some of a wide one, its ends among them.
fn spread(range: InputRange) -> Vec<i64> {
    let (low, high) = (i64::from(range.low), i64::from(range.high));
    if high - low < 32 {
        return (low..=high).collect();
    }
    let inside = REMARKABLE.into_iter().filter(|value| (low..=high).contains(value));
    let mut values: Vec<i64> = inside.chain([low, low + 1, high - 1, high]).collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// How many sequences there are, if no more than `limit`.
fn count_all(values: usize, length: usize, limit: usize) -> Option<usize> {
    let mut count: usize = 1;
    for _ in 0..length {
        count = count.checked_mul(values).filter(|count| *count <= limit)?;
    }
    Some(count)
}

/// The sequence with a number, which has the last input as its lowest digit.
fn numbered(values: &[i64], length: usize, mut number: usize) -> Vec<i64> {
    let mut sequence = vec![0; length];
    for place in sequence.iter_mut().rev() {
        *place = values[number % values.len()];
        number /= values.len();
    }
    sequence
}
