use super::*;
use crate::analysis::testing::{Op, REGISTERS, Sample, SampleBlock, samples};
use crate::program::BlockId;
use proptest::prelude::*;

const A: LocalId = LocalId(0);
const B: LocalId = LocalId(1);

fn at(block: u32, index: u32) -> Definition {
    Definition::At(Location::new(BlockId(block), index))
}

#[test]
fn a_use_in_a_loop_sees_both_definitions() {
    let sample = Sample(vec![
        SampleBlock { ops: vec![Op::Constant(B)], condition: A, next: vec![1] },
        SampleBlock { ops: vec![Op::Output(B), Op::Copy(B, A)], condition: A, next: vec![1, 2] },
        SampleBlock { ops: vec![Op::Update(B), Op::Output(B)], condition: A, next: vec![] },
    ]);
    let function = sample.function();
    let chains = UseDef::new(&function, &FlowGraph::new(&function));
    assert_eq!(chains.definitions(Location::new(BlockId(1), 0), B), [at(0, 0), at(1, 1)]);
    assert_eq!(chains.definitions(Location::new(BlockId(1), 1), A), [Definition::Entry]);
    assert_eq!(chains.definitions(Location::new(BlockId(2), 0), B), [at(1, 1)]);
    assert_eq!(chains.definitions(Location::new(BlockId(2), 1), B), [at(2, 0)]);
    assert_eq!(
        chains.uses(B, at(1, 1)),
        [Location::new(BlockId(1), 0), Location::new(BlockId(2), 0)]
    );
    assert_eq!(chains.uses(B, Definition::Entry), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn definitions_are_the_last_ones_on_some_path(sample in samples(6)) {
        let function = sample.function();
        let graph = FlowGraph::new(&function);
        let chains = UseDef::new(&function, &graph);
        for register in (0..REGISTERS).map(LocalId) {
            let histories = sample.histories(register);
            for location in sample.locations() {
                if !graph.is_reachable(location.block) {
                    continue;
                }
                let here = histories.iter().filter(|(place, _)| *place == location);
                let expected: BTreeSet<_> = here.map(|(_, history)| history.definition).collect();
                let found = chains.definitions(location, register);
                if sample.reads(location, register) {
                    prop_assert_eq!(found.to_vec(), expected.into_iter().collect::<Vec<_>>());
                } else {
                    prop_assert!(found.is_empty());
                }
            }
        }
        for (location, register, definitions) in chains.iter() {
            for definition in definitions {
                prop_assert!(chains.uses(register, *definition).contains(&location));
            }
        }
    }
}
