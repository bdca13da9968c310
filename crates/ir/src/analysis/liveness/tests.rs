use super::*;
use crate::analysis::testing::{Op, REGISTERS, Sample, SampleBlock, samples};
use proptest::prelude::*;

const A: LocalId = LocalId(0);
const B: LocalId = LocalId(1);

#[test]
fn a_variable_of_a_loop_is_live_around_it() {
    let sample = Sample(vec![
        SampleBlock { ops: vec![Op::Constant(B)], condition: A, next: vec![1] },
        SampleBlock { ops: vec![], condition: A, next: vec![2, 3] },
        SampleBlock { ops: vec![Op::Output(B), Op::Constant(B)], condition: A, next: vec![1] },
        SampleBlock { ops: vec![], condition: A, next: vec![] },
    ]);
    let function = sample.function();
    let liveness = Liveness::new(&function, &FlowGraph::new(&function));
    assert_eq!(liveness.live_in(BlockId(0)).collect::<Vec<_>>(), [A]);
    assert_eq!(liveness.live_out(BlockId(0)).collect::<Vec<_>>(), [A, B]);
    assert!(liveness.is_live_out(BlockId(2), B) && !liveness.is_live_in(BlockId(3), B));
    assert_eq!(liveness.live_before(Location::new(BlockId(2), 1)), BTreeSet::from([A]));
    let mut seen = Vec::new();
    liveness.walk_back(BlockId(2), |location, _, live| seen.push((location.index, live.len())));
    assert_eq!(seen, [(2, 2), (1, 2), (0, 1)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn liveness_is_a_path_to_a_read(sample in samples(6)) {
        let function = sample.function();
        let graph = FlowGraph::new(&function);
        let liveness = Liveness::new(&function, &graph);
        for location in sample.locations() {
            if !graph.is_reachable(location.block) {
                continue;
            }
            let found = liveness.live_before(location);
            for register in (0..REGISTERS).map(LocalId) {
                let expected = sample.is_live(location, register);
                prop_assert_eq!(found.contains(&register), expected, "{} {:?}", location, register);
                if location.index == 0 {
                    prop_assert_eq!(liveness.is_live_in(location.block, register), expected);
                }
            }
        }
    }
}
