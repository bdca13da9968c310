//! Programs that were made by chance.

use super::{Figures, compare, compile, inputs};
use loupe_c::front::DataModel;
use loupe_gen::{InputRange, Language, Parameters, generate};
use loupe_symbolic::domain::SymbolicIndex;

const PROGRAMS: u64 = 200;

#[test]
fn generated_programs_are_explored_as_they_run() {
    let worlds = inputs(2, -1..=2);
    let mut all = Figures::default();
    for seed in 0..PROGRAMS {
        let parameters = Parameters {
            language: Language::C,
            seed,
            max_inputs: 2,
            input_range: Some(InputRange { low: -1, high: 2 }),
            max_iterations: 3,
            ..Parameters::default()
        };
        let text = generate(&parameters).expect("parameters that make sense");
        let program = compile(&text, DataModel::Lp64);
        let index = if seed % 2 == 0 { SymbolicIndex::Ite } else { SymbolicIndex::Fork };
        let (_, figures) = compare(&text, &program, &worlds, index);
        all.compared += figures.compared;
        all.given_up += figures.given_up;
    }
    println!("{all:?}");
    assert!(all.compared > 9 * all.given_up, "{all:?}");
}
