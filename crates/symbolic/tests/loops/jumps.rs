//! Replays that go over iterations, up to a check that fails in the middle of one, against runs that make every step.

use super::Dice;
use super::c::checking;
use loupe_c::lower::Checks;
use loupe_engine::concrete::{self, Failure, Interpreter, Observer};
use loupe_ir::program::{BlockId, FunctionId, Program};
use loupe_symbolic::explore::{Exploration, Explorer, LoopMode, Options};
use loupe_symbolic::property::Property;
use loupe_symbolic::search::{Strategy, strategy};

/// How many loops are made.
const LOOPS: u64 = 24;

/// Fewer iterations are executed.
const LEAST: u64 = 1 << 14;

const MODES: [LoopMode; 3] = [LoopMode::Auto, LoopMode::Summary, LoopMode::Compact];

fn program(text: &str) -> Program {
    let (signed_overflow, uninitialised, pointer_arithmetic) = (true, false, false);
    let text = format!("extern int __VERIFIER_nondet_int(void);\n{text}");
    checking(&text, Checks { signed_overflow, uninitialised, pointer_arithmetic })
}

fn explore(text: &str, program: &Program, property: Property, mode: LoopMode) -> Exploration {
    let options = Options { property, loops: mode, ..Options::default() };
    let explorer = Explorer::new(program, options, strategy(Strategy::Dfs, program, 7, &[]));
    let found = explorer.run(&mut (), &|_, _| None);
    found.unwrap_or_else(|error| panic!("{text}\n{mode:?}: {error}"))
}

/// How often the edges back to a header were taken.
#[derive(Default)]
struct Rounds {
    back: u64,
}

impl Observer for Rounds {
    fn edge(&mut self, _function: FunctionId, from: BlockId, to: BlockId) {
        // Blocks stand in the order of the text, and there is one loop.
        self.back += u64::from(to <= from);
    }
}

/// How a run without inputs fails that makes every step, and after how many whole iterations.
fn executed(program: &Program) -> Option<(Failure, u64)> {
    let mut rounds = Rounds::default();
    let options = concrete::Options { max_steps: Some(5_000_000), ..Default::default() };
    let run = Interpreter::new(program, options).run(&mut Vec::new(), &mut rounds);
    match run.end {
        concrete::End::Failed(failure) => Some((failure, rounds.back)),
        concrete::End::Returned(_) => None,
        other => panic!("{other:?}"),
    }
}

/// A violation is found, by going over so many iterations, in all modes.
fn jumps(text: &str, property: Property, iterations: &str) {
    let program = program(text);
    for mode in MODES {
        let found = explore(text, &program, property, mode);
        let violation = found.violations.values().next();
        let violation = violation.unwrap_or_else(|| panic!("{text}\n{mode:?}\n{found:#?}"));
        let made: Vec<String> =
            violation.jumps.iter().map(|jump| jump.iterations.to_string()).collect();
        assert_eq!(made, [iterations], "{text}\n{mode:?}");
    }
}

#[test]
fn the_control_variable_changes_before_the_check() {
    let down = "int main(void) { int x = 1, y = 2147483647; while (y-- > 0) x++; return 0; }";
    jumps(down, Property::NoOverflow, "2147483646");
    let unequal = "int main(void) { int x = 1, y = 2147483647; while (y-- != 0) x++; return 0; }";
    jumps(unequal, Property::NoOverflow, "2147483646");
    let up = "int main(void) { int x = 1, y = -3; while (++y < 2147483647) x++; return 0; }";
    jumps(up, Property::NoOverflow, "2147483646");
    let inside =
        "int main(void) { int a = 2147483647, q = 1; while (a >= 1) { a -= 1; q++; } return 0; }";
    jumps(inside, Property::NoOverflow, "2147483646");
    jumps(down, Property::DefBehavior, "2147483646");
}

#[test]
fn more_iterations_than_anybody_executes() {
    let text = "int main(void) { long long x = 9223372036854775807LL - 4000000000000LL, y = 4000000000001LL;
        while (y-- > 0) x++; return 0; }";
    jumps(text, Property::NoOverflow, "4000000000000");
}

#[test]
fn what_depends_on_inputs_is_gone_over_too() {
    let text = "int main(void) { int a = __VERIFIER_nondet_int(), q = 1;
        while (a >= 1) { a -= 1; q++; } return 0; }";
    jumps(text, Property::NoOverflow, "2147483646");
    let text = "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0;
        long long x = 0; int y = 0, i = n;
        while (i-- > 0) { y = 100 / (x - 1000000000); x += 1; } return y; }";
    jumps(text, Property::NoErrors, "1000000000");
}

/// A loop of some tens of thousands of iterations in which a check may fail.
fn random(dice: &mut Dice) -> String {
    let count = 20_000 + dice.below(20_000);
    let step = 1 + dice.below(3);
    let (far, place) = (count * step, dice.below(count + count / 4) * step);
    let condition = match dice.below(5) {
        0 => "y > 0".to_owned(),
        1 => "y-- > 0".to_owned(),
        2 => "--y >= 0".to_owned(),
        3 => "y-- != 0".to_owned(),
        _ => format!("w++ < {count}"),
    };
    let check = match dice.below(4) {
        0 => format!("q = 100 / (x - {place});"),
        1 => format!("q = 7 / ({place} - x + w - w);"),
        2 => format!("z = x + (2147483647 - {place});"),
        _ => format!("z = y; z = 100 % (x - {place}) + z;"),
    };
    let mut body = vec![format!("x += {step};"), check];
    if dice.below(2) == 0 {
        body.push("z = x;".to_owned());
    }
    if dice.below(3) == 0 {
        body.push(format!("if (x == {}) break;", dice.below(far)));
    }
    if dice.below(3) == 0 {
        body.push(format!("if (x < {}) u += 2; else u -= 1;", dice.below(far)));
    }
    if condition == "y > 0" {
        body.push("y--;".to_owned());
    }
    for last in (1..body.len()).rev() {
        body.swap(last, dice.below(last as u64 + 1) as usize);
    }
    let body = body.join(" ");
    format!(
        "int main(void) {{ int x = 0, y = {count}, z = 0, w = 0, q = 0, u = 0;\n\
         while ({condition}) {{ {body} }}\nreturn x + y + z + w + q + u == 5; }}"
    )
}

#[test]
fn random_loops_fail_where_runs_do() {
    let mut dice = Dice(11);
    let (mut failed, mut far, mut jumped) = (0, 0, 0);
    for number in 0..LOOPS {
        let text = random(&mut dice);
        let program = program(&text);
        let expected = executed(&program);
        let mode = MODES[(number % 3) as usize];
        let found = explore(&text, &program, Property::DefBehavior, mode);
        let violation = found.violations.values().next();
        if found.is_safe() {
            assert!(expected.is_none(), "{text}\n{mode:?}: {expected:?}");
        }
        let Some(violation) = violation else { continue };
        let (failure, rounds) = expected.unwrap_or_else(|| panic!("{text}\n{mode:?}: it ends"));
        assert_eq!((violation.failure.kind, violation.failure.span), (failure.kind, failure.span));
        failed += 1;
        far += u64::from(rounds >= LEAST);
        if let [jump] = &violation.jumps[..] {
            assert_eq!(jump.iterations.to_string(), rounds.to_string(), "{text}\n{mode:?}");
            jumped += 1;
        }
    }
    println!("{failed} fail, {far} of them far away, {jumped} by a jump");
    assert!(failed > LOOPS / 2 && far >= 5 && 2 * jumped > far, "{failed}, {far}, {jumped}");
}
