//! Generated programs.

use super::{compare, microc, vectors};
use loupe_gen::{Parameters, generate};
use loupe_symbolic::explore::{LoopMode, Stop};

/// So many inputs are tried.
const VECTORS: usize = 16;

/// How many programs are compared.
const PROGRAMS: u64 = 6;

#[test]
fn generated_programs_are_the_same_with_summaries() {
    let (mut passed, mut compared) = (0, 0);
    for seed in 0..PROGRAMS {
        let parameters = Parameters { seed, max_inputs: 2, ..Parameters::default() };
        let text = generate(&parameters).expect("parameters that make sense");
        let program = microc(&text);
        let range = parameters.input_range.expect("small inputs");
        let vectors = vectors(2, i64::from(range.low)..=i64::from(range.high));
        let step = vectors.len().div_ceil(VECTORS);
        let vectors: Vec<_> = vectors.into_iter().step_by(step).collect();
        let unrolled = compare(&text, &program, &vectors, LoopMode::Unroll);
        for mode in [LoopMode::Auto, LoopMode::Summary, LoopMode::Compact] {
            let found = compare(&text, &program, &vectors, mode);
            passed += found.loops.values().map(|figures| figures.passed).sum::<u64>();
            let is_whole = unrolled.stop == Stop::Complete
                && found.stop == Stop::Complete
                && unrolled.unsure.is_empty()
                && found.unsure.is_empty();
            if is_whole {
                let errors: Vec<_> = unrolled.violations.keys().collect();
                let same: Vec<_> = found.violations.keys().collect();
                assert_eq!(errors, same, "{text}\n{mode:?}");
                compared += 1;
            }
        }
    }
    println!("{passed} loops passed, {compared} compared");
    assert!(passed > 2 && compared > 2, "{passed} {compared}");
}
