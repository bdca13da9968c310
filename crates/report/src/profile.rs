//! What was counted in a concrete run: iterations of loops and their paths, and coverage.

use crate::run::count;
use loupe_engine::concrete::profile::{Coverage, IterationRange, LoopProfile, Profile, Tally};
use loupe_ir::analysis::loops::LoopId;
use loupe_ir::program::{BlockId, FunctionId, Program};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// So many paths of a loop are shown as text, the most frequent first.
const SHOWN_PATHS: usize = 8;

/// A loop that was counted.
struct Counted<'a> {
    function: &'a str,
    id: LoopId,
    line: u32,
    depth: u32,
    counts: LoopProfile,
}

/// All loops of the program, by function and number.
fn loops<'a>(program: &'a Program, profile: &'a Profile<'_>) -> impl Iterator<Item = Counted<'a>> {
    program.functions().flat_map(move |(id, function)| {
        profile.loops(id).map(move |(loop_id, counts)| {
            let forest = profile.forest(id);
            Counted {
                function: &function.name,
                id: loop_id,
                line: forest.get(loop_id).line(function),
                depth: forest.get(loop_id).depth,
                counts,
            }
        })
    })
}

/// The counts as text.
pub fn text(program: &Program, profile: &Profile<'_>) -> String {
    let mut out = String::new();
    for counted in loops(program, profile) {
        write_loop(&mut out, &counted);
    }
    let coverage = profile.coverage();
    let lines = program.sources.iter().map(|(file, _)| coverage.file(file));
    let lines = lines.fold(Tally { covered: 0, total: 0 }, |sum, file| Tally {
        covered: sum.covered + file.covered,
        total: sum.total + file.total,
    });
    let parts = [
        part("functions", coverage.functions),
        part("lines", lines),
        part("branches", coverage.branches),
        part("blocks", coverage.blocks),
    ];
    let _ = write!(out, "covered: {}", parts.join(", "));
    out
}

fn part(name: &str, tally: Tally) -> String {
    format!("{} of {} {name}", tally.covered, tally.total)
}

fn range(range: Option<IterationRange>) -> String {
    match range {
        None => String::new(),
        Some(IterationRange { fewest, most }) if fewest == most => format!(", per visit {fewest}"),
        Some(IterationRange { fewest, most }) => format!(", per visit {fewest} to {most}"),
    }
}

fn write_loop(out: &mut String, counted: &Counted<'_>) {
    let Counted { function, id, line, depth, counts } = counted;
    let indent = "  ".repeat(depth.saturating_sub(1) as usize);
    let _ = writeln!(
        out,
        "{indent}loop {} at line {line} in `{function}`: entered {}, {}{}",
        id.0,
        times(counts.entries),
        count(counts.iterations, "iteration"),
        range(counts.completed)
    );
    if counts.stopped > 0 {
        let stopped = counts.stopped;
        let _ = writeln!(out, "{indent}  {stopped} of the visits ended with the run");
    }
    let mut paths: Vec<_> = counts.paths.iter().enumerate().collect();
    paths.sort_by_key(|(number, path)| (std::cmp::Reverse(path.count), *number));
    for (_, path) in paths.iter().take(SHOWN_PATHS) {
        let blocks = join(&path.blocks);
        let _ = writeln!(out, "{indent}  path {blocks}: {}", times(path.count));
    }
    let others = paths.iter().skip(SHOWN_PATHS).map(|(_, path)| path.count).sum::<u64>()
        + counts.other_iterations;
    if others > 0 {
        let _ = writeln!(out, "{indent}  other paths: {}", times(others));
    }
}

fn times(count: u64) -> String {
    match count {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

fn join(blocks: &[BlockId]) -> String {
    let names: Vec<String> = blocks.iter().map(|block| format!("b{}", block.0)).collect();
    names.join(" ")
}

/// The counts as JSON.
pub fn json(program: &Program, profile: &Profile<'_>) -> Json {
    let loops: Vec<Json> = loops(program, profile).map(|counted| loop_json(&counted)).collect();
    let functions: serde_json::Map<String, Json> = program
        .functions()
        .map(|(id, function)| (function.name.clone(), function_json(profile, id)))
        .collect();
    json!({
        "loops": loops,
        "coverage": coverage_json(program, &profile.coverage()),
        "functions": functions,
    })
}

fn function_json(profile: &Profile<'_>, id: FunctionId) -> Json {
    json!({ "calls": profile.calls(id), "blocks": profile.block_counts(id) })
}

fn loop_json(counted: &Counted<'_>) -> Json {
    let counts = &counted.counts;
    let range = |range: Option<IterationRange>| {
        range.map(|range| json!({ "fewest": range.fewest, "most": range.most }))
    };
    let numbers = |blocks: &[BlockId]| blocks.iter().map(|block| block.0).collect::<Vec<_>>();
    let paths: Vec<Json> = counts
        .paths
        .iter()
        .map(|path| json!({ "blocks": numbers(&path.blocks), "count": path.count, "most": path.most }))
        .collect();
    let exits: Vec<Json> = counts
        .exits
        .iter()
        .map(|exit| {
            json!({
                "from": exit.edge.from.0,
                "to": exit.edge.to.0,
                "count": exit.count,
                "iterations": range(exit.iterations),
            })
        })
        .collect();
    let exit_paths: Vec<Json> = counts
        .exit_paths
        .iter()
        .map(|path| {
            let exit = path.exit.map(|edge| json!({ "from": edge.from.0, "to": edge.to.0 }));
            json!({ "blocks": numbers(&path.blocks), "exit": exit, "count": path.count })
        })
        .collect();
    json!({
        "function": counted.function,
        "id": counted.id.0,
        "line": counted.line,
        "depth": counted.depth,
        "header": counts.header.0,
        "entries": counts.entries,
        "iterations": counts.iterations,
        "per_visit": range(counts.completed),
        "stopped": counts.stopped,
        "exits": exits,
        "paths": paths,
        "other_iterations": counts.other_iterations,
        "exit_paths": exit_paths,
        "other_exits": counts.other_exits,
    })
}

fn coverage_json(program: &Program, coverage: &Coverage) -> Json {
    let tally = |tally: Tally| json!({ "covered": tally.covered, "total": tally.total });
    let files: Vec<Json> = program
        .sources
        .iter()
        .map(|(id, file)| {
            let lines = coverage.lines.get(&id).into_iter().flatten();
            let missed: Vec<u32> =
                lines.filter(|(_, covered)| !**covered).map(|(line, _)| *line).collect();
            json!({ "file": file.name, "lines": tally(coverage.file(id)), "missed": missed })
        })
        .collect();
    json!({
        "functions": tally(coverage.functions),
        "branches": tally(coverage.branches),
        "blocks": tally(coverage.blocks),
        "files": files,
    })
}
