use super::*;
use crate::analysis::testing::{Op, REGISTERS, Sample, SampleBlock, samples};
use crate::program::BlockId;
use proptest::prelude::*;

const A: LocalId = LocalId(0);
const B: LocalId = LocalId(1);

fn redundant(sample: &Sample) -> Vec<Location> {
    let function = sample.function();
    definitely_initialised(&function, &FlowGraph::new(&function)).redundant_checks()
}

fn block(ops: &[Op], next: &[u32]) -> SampleBlock {
    SampleBlock { ops: ops.to_vec(), condition: A, next: next.to_vec() }
}

#[test]
fn one_side_of_a_branch_is_not_enough() {
    let sides = |second: &[Op]| {
        let end = [Op::Check(B)];
        Sample(vec![
            block(&[Op::Declare(B)], &[1, 2]),
            block(&[Op::Constant(B)], &[3]),
            block(second, &[3]),
            block(&end, &[]),
        ])
    };
    assert_eq!(redundant(&sides(&[])), []);
    assert_eq!(redundant(&sides(&[Op::Constant(B)])), [Location::new(BlockId(3), 0)]);
}

#[test]
fn a_declaration_in_a_loop_starts_anew() {
    let body = [Op::Declare(B), Op::Check(B), Op::Check(B), Op::Constant(B)];
    let sample =
        Sample(vec![block(&[Op::Constant(B)], &[1]), block(&body, &[1, 2]), block(&[], &[])]);
    assert_eq!(redundant(&sample), [Location::new(BlockId(1), 2)]);
}

#[test]
fn parameters_are_initialised() {
    let sample = Sample(vec![block(&[Op::Check(A), Op::Check(B)], &[])]);
    assert_eq!(redundant(&sample), [Location::new(BlockId(0), 0)]);
}

#[test]
fn an_undefined_value_does_not_count() {
    let sample = Sample(vec![block(&[Op::Constant(B), Op::Undefined(B), Op::Check(B)], &[])]);
    assert_eq!(redundant(&sample), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_is_initialised_is_so_on_every_path(sample in samples(6)) {
        let function = sample.function();
        let initialised = definitely_initialised(&function, &FlowGraph::new(&function));
        let mut checks = Vec::new();
        for register in (0..REGISTERS).map(LocalId) {
            let histories = sample.histories(register);
            for location in sample.locations() {
                let mut here = histories.iter().filter(|(place, _)| *place == location);
                let unreached = here.clone().next().is_none();
                let expected = here.all(|(_, history)| history.initialised);
                let found = initialised.is_initialised(location, register);
                prop_assert!(!found || expected || unreached, "{} {:?}", location, register);
                if sample.reads(location, register) && !unreached {
                    prop_assert_eq!(found, expected, "{} {:?}", location, register);
                }
                let is_check = matches!(sample.op(location), Some(Op::Check(r)) if r == register);
                if is_check && found {
                    checks.push(location);
                }
            }
        }
        checks.sort_unstable();
        prop_assert_eq!(initialised.redundant_checks(), checks);
    }
}
