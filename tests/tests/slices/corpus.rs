//! The loops of the corpus: every one has a slice, and figures like those of Proteus, section 5.2.

use crate::oracle::{Tally, check_program};
use crate::read;
use loupe_c::front::DataModel;
use loupe_ir::analysis::dominators::Dominators;
use loupe_ir::analysis::graph::FlowGraph;
use loupe_ir::analysis::loop_paths::count_paths;
use loupe_ir::analysis::loops::LoopForest;
use loupe_ir::analysis::slice::{Criterion, Inputs, Slicer, apply};
use loupe_ir::analysis::traversals::traversals;
use loupe_ir::program::Program;
use loupe_ir::validate::validate;
use loupe_tests::corpus::{check_all, folder};
use loupe_tests::{files_below, tell};
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What came of one loop.
struct Sliced {
    simpler: bool,
    instructions: (usize, usize),
    branches: (usize, usize),
    paths: (u128, u128),
    cannot_stop: bool,
    traversal: bool,
    time: Duration,
}

fn files() -> Vec<PathBuf> {
    let Some(folder) = folder("") else { return Vec::new() };
    let is_c = |path: &PathBuf| path.extension().is_some_and(|name| name == "c" || name == "i");
    files_below(&folder).into_iter().filter(is_c).collect()
}

#[test]
fn every_loop_has_a_slice() {
    let files = files();
    if files.is_empty() {
        return;
    }
    let all = Mutex::new(Vec::new());
    check_all("files with sliced loops", &files, |file| {
        let text = fs::read(file).map_err(|error| error.to_string())?;
        let name = file.to_string_lossy();
        let program = read::c_for(DataModel::Ilp32, &name, text)?;
        let found = slices(&program).map_err(|error| format!("{name}: {error}"))?;
        all.lock().expect("no check panics").extend(found);
        Ok(())
    });
    let all = all.into_inner().expect("no check panics");
    tell(&figures(&all));
    assert!(all.iter().filter(|slice| slice.simpler).count() * 2 > all.len());
}

/// Slices the user's loops for their bounds.
fn slices(program: &Program) -> Result<Vec<Sliced>, String> {
    let mut all = Vec::new();
    let slicer = Slicer::new(program);
    let criterion = Criterion::exits().with_inputs(Inputs::Fresh);
    for (id, function) in program.functions() {
        if !program.sources.is_users(function.span) {
            continue;
        }
        let graph = FlowGraph::new(function);
        let forest = LoopForest::new(&graph, &Dominators::new(&graph));
        let walks = traversals(&slicer, id);
        for (number, _) in forest.iter() {
            let start = Instant::now();
            let slice = slicer.slice(id, number, &criterion).map_err(|error| error.to_string())?;
            let time = start.elapsed();
            let sliced = apply(program, &slice).map_err(|error| error.to_string())?;
            validate(&sliced.program).map_err(|violation| violation.to_string())?;
            let new_graph = FlowGraph::new(sliced.program.function(sliced.function));
            let new_forest = LoopForest::new(&new_graph, &Dominators::new(&new_graph));
            let new_number = new_forest.headed_by(sliced.header).ok_or("the slice is no loop")?;
            let before = count_paths(&graph, &forest, number);
            let after = count_paths(&new_graph, &new_forest, new_number);
            all.push(Sliced {
                simpler: slice.is_simpler(),
                instructions: (slice.instructions.all, slice.instructions.kept),
                branches: (slice.branches.all, slice.branches.kept),
                paths: (before, after),
                cannot_stop: slice.dropped.cannot_stop(),
                traversal: walks.iter().any(|walk| walk.loop_id == number),
                time,
            });
        }
    }
    Ok(all)
}

fn figures(all: &[Sliced]) -> String {
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    let count = |wanted: &dyn Fn(&Sliced) -> bool| all.iter().filter(|slice| wanted(slice)).count();
    let sum = |pair: &dyn Fn(&Sliced) -> (usize, usize)| {
        all.iter().map(pair).fold((0, 0), |sum, next| (sum.0 + next.0, sum.1 + next.1))
    };
    let gone = |(before, after): (usize, usize)| share(before - after, before);
    // One loop with very many paths would be all that is seen of the sum.
    let pruned: f64 = all.iter().map(|s| 1.0 - s.paths.1 as f64 / s.paths.0 as f64).sum();
    let small = |slice: &Sliced| {
        if slice.paths.0 > 1000 { (0, 0) } else { (slice.paths.0 as usize, slice.paths.1 as usize) }
    };
    let mut times: Vec<Duration> = all.iter().map(|slice| slice.time).collect();
    times.sort();
    let time = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)];
    format!(
        "{} loops: {:.1}% simplified, {:.1}% with fewer branches, {:.1}% with fewer paths, {:.1}% lose \
         nothing that may stop\n\
         dropped: {:.1}% of instructions, {:.1}% of branches, {:.1}% of paths (loops of up to 1000), \
         {:.1}% of the paths of a loop on average\n\
         {} walk along lists or texts\n\
         time for a loop: median {:.1?}, 99% {:.1?}, slowest {:.1?}",
        all.len(),
        share(count(&|slice| slice.simpler), all.len()),
        share(count(&|slice| slice.branches.1 < slice.branches.0), all.len()),
        share(count(&|slice| slice.paths.1 < slice.paths.0), all.len()),
        share(count(&|slice| slice.cannot_stop), all.len()),
        gone(sum(&|slice| slice.instructions)),
        gone(sum(&|slice| slice.branches)),
        gone(sum(&small)),
        100.0 * pruned / all.len().max(1) as f64,
        count(&|slice| slice.traversal),
        time(50),
        time(99),
        time(100),
    )
}

/// One file of five, run.
#[test]
fn slices_of_the_corpus_run_as_the_loops() {
    let files: Vec<PathBuf> = files().into_iter().step_by(5).collect();
    if files.is_empty() {
        return;
    }
    let tally = Mutex::new(Tally::default());
    check_all("files whose slices run as the loops", &files, |file| {
        let text = fs::read(file).map_err(|error| error.to_string())?;
        let name = file.to_string_lossy();
        let program = read::c_for(DataModel::Ilp32, &name, text)?;
        let found = check_program(&program, 1).map_err(|error| format!("{name}: {error}"))?;
        tally.lock().expect("no check panics").add(&found);
        Ok(())
    });
    tell(&format!("slices, corpus: {}", tally.into_inner().expect("no check panics")));
}
