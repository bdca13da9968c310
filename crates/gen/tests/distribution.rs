//! How often things are in generated programs: where the parameters say, as `docs/generator.md` has it.

use loupe_gen::{Language, Parameters, Probability, Style, ThesisSet, generate};
use loupe_ir::source::FileId;
use loupe_microc::ast::{BinaryOp, ExprKind, Program, Stmt, StmtKind};

fn text(parameters: &Parameters) -> String {
    generate(parameters).expect("the parameters make sense")
}

fn microc(parameters: &Parameters) -> Program {
    let text = text(parameters);
    loupe_microc::parse(FileId(0), &text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// That a count is near what is expected, within so many percent of it.
fn check(what: &str, found: u64, expected: u64, percent: u64) {
    println!("{what}: {found}, expected {expected}");
    let near = found.abs_diff(expected) * 100 <= expected * percent;
    assert!(near, "{what}: {found} is not within {percent} % of {expected}");
}

/// What kind of loop a statement is.
fn loop_kind(program: &Program, stmt: &Stmt) -> Option<LoopKind> {
    let StmtKind::While { guard, .. } = &stmt.kind else { return None };
    let mut guard = *guard;
    // A second part of the guard ends the loop in time.
    if let ExprKind::Binary { op: BinaryOp::And, left, .. } = &program.exprs.get(guard).kind {
        guard = *left;
    }
    let counter = match &program.exprs.get(guard).kind {
        ExprKind::Binary { left, .. } => match &program.exprs.get(*left).kind {
            ExprKind::Name(name) => name.starts_with('i'),
            _ => false,
        },
        _ => false,
    };
    Some(if counter { LoopKind::Counting } else { LoopKind::Other })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LoopKind {
    Counting,
    Other,
}

/// Of the statements at the top of `main`, the right share are loops of each kind.
#[test]
fn loops_are_as_frequent_as_parameters_say() {
    const PROGRAMS: u64 = 600;
    for (counting, other) in [(15, 10), (50, 10), (15, 50), (0, 40), (40, 0)] {
        let (mut counts, mut others) = (0, 0);
        for seed in 0..PROGRAMS {
            let program = microc(&Parameters {
                seed,
                for_loop_probability: Probability::percent(counting),
                while_loop_probability: Probability::percent(other),
                max_statements: 2_000,
                max_functions: 0,
                ..Parameters::default()
            });
            for stmt in &program.functions[0].body {
                match loop_kind(&program, stmt) {
                    Some(LoopKind::Counting) => counts += 1,
                    Some(LoopKind::Other) => others += 1,
                    None => {}
                }
            }
        }
        // From 1 to 10 statements, each number as often.
        let statements = PROGRAMS * 11 / 2;
        check("counting", counts, statements * u64::from(counting) / 100, 15);
        check("other", others, statements * u64::from(other) / 100, 15);
    }
}

/// The numbers of statements in `main` are spread evenly up to the limit.
#[test]
fn numbers_of_statements_are_spread_evenly() {
    const PROGRAMS: u64 = 500;
    let mut found = [0; 10];
    for seed in 0..PROGRAMS {
        let program = microc(&Parameters {
            seed,
            for_loop_probability: Probability::percent(100),
            while_loop_probability: Probability::percent(0),
            max_block_depth: 1,
            max_statements: 2_000,
            max_functions: 0,
            ..Parameters::default()
        });
        let loops = program.functions[0].body.iter();
        let loops = loops.filter(|stmt| loop_kind(&program, stmt).is_some()).count();
        found[loops - 1] += 1;
    }
    for (index, found) in found.into_iter().enumerate() {
        check(&format!("{} statements", index + 1), found, PROGRAMS / 10, 45);
    }
}

/// Counts of statements in programs like those of the thesis, where blocks may still nest.
#[derive(Debug, Default)]
struct Kinds {
    assignments: u64,
    outputs: u64,
    branches: u64,
    blocks: u64,
    counting: u64,
    general: u64,
    /// How many blocks have so many statements, from 1 on.
    sizes: [u64; 5],
    /// How deep blocks nest.
    depth: u32,
}

impl Kinds {
    fn add(&mut self, program: &Program, stmt: &Stmt, depth: u32, max_depth: u32) {
        self.depth = self.depth.max(depth);
        let counts = if depth < max_depth { 1 } else { 0 };
        match &stmt.kind {
            StmtKind::Assign { .. } => self.assignments += counts,
            StmtKind::Output(_) => self.outputs += counts,
            StmtKind::If { then, otherwise, .. } => {
                self.branches += counts;
                self.block(program, then, depth, max_depth);
                if let Some(otherwise) = otherwise {
                    self.block(program, otherwise, depth, max_depth);
                }
            }
            StmtKind::While { guard, body } => {
                // Only an iterative loop compares so; its last statement counts.
                let iterative = matches!(
                    &program.exprs.get(*guard).kind,
                    ExprKind::Binary { op: BinaryOp::Lt, .. }
                );
                if iterative {
                    self.counting += counts;
                } else {
                    self.general += counts;
                }
                let StmtKind::Block(statements) = &body.kind else { panic!("a block") };
                let own = statements.len() - usize::from(iterative);
                self.statements(program, &statements[..own], depth, max_depth);
            }
            StmtKind::Block(_) => {
                self.blocks += counts;
                self.block(program, stmt, depth, max_depth);
            }
        }
    }

    fn block(&mut self, program: &Program, block: &Stmt, depth: u32, max_depth: u32) {
        let StmtKind::Block(statements) = &block.kind else { panic!("a block") };
        self.statements(program, statements, depth, max_depth);
    }

    fn statements(&mut self, program: &Program, all: &[Stmt], depth: u32, max_depth: u32) {
        self.sizes[all.len() - 1] += 1;
        for stmt in all {
            self.add(program, stmt, depth + 1, max_depth);
        }
    }
}

/// In programs like those of the thesis every share is what its text says: the loops', and the same for all others.
#[test]
fn thesis_programs_have_its_distribution() {
    for set in ThesisSet::ALL.iter().filter(|set| !set.guaranteed_error && !set.divisions) {
        let mut kinds = Kinds::default();
        for seed in 0..60 {
            let parameters = Parameters::thesis(set, seed);
            let program = microc(&parameters);
            let main = &program.functions[0];
            let declared: usize = main.vars.iter().map(|vars| vars.names.len()).sum();
            for stmt in &main.body[declared..] {
                kinds.add(&program, stmt, 0, set.max_block_depth);
            }
        }
        println!("{}: {kinds:?}", set.name());
        assert_eq!(kinds.depth, set.max_block_depth, "{}", set.name());
        let all = kinds.assignments + kinds.outputs + kinds.branches + kinds.blocks;
        let all = all + kinds.counting + kinds.general;
        let share = |percent: u32| all * u64::from(percent) / 100;
        check("iterative loops", kinds.counting, share(set.for_percent), 15);
        check("general loops", kinds.general, share(set.while_percent), 15);
        let rest = (all - kinds.counting - kinds.general) / 4;
        for found in [kinds.assignments, kinds.outputs, kinds.branches, kinds.blocks] {
            check("any other kind", found, rest, 15);
        }
        let blocks: u64 = kinds.sizes.iter().sum();
        for found in kinds.sizes {
            check("blocks of a size", found, blocks / 5, 15);
        }
    }
}

/// Blocks nest no deeper than the limit, and programs without divisions divide nowhere.
#[test]
fn limits_are_limits() {
    for seed in 0..80 {
        for language in [Language::Microc, Language::C] {
            let text = text(&Parameters {
                language,
                seed,
                divisions: false,
                max_block_depth: 2,
                max_functions: 0,
                ..Parameters::default()
            });
            let body = text.split_once('\n').map_or("", |(_, body)| body);
            assert!(!body.contains('/') && !body.contains("% "), "{text}");
            let deepest = body.lines().map(|line| line.len() - line.trim_start().len()).max();
            // One more for what protects a statement, such as `if (p != null) { … }`.
            assert!(deepest.is_some_and(|deepest| deepest <= 4 * 4), "{text}");
        }
    }
}

/// In programs like those of the thesis, the parameters decide about divisions and errors too.
#[test]
fn thesis_sets_differ_as_the_table_says() {
    for set in ThesisSet::ALL {
        for seed in 0..20 {
            let parameters = Parameters::thesis(&set, seed);
            assert_eq!(parameters.style, Style::Thesis);
            let program = loupe_gen::program(&parameters).expect("a set of the table");
            assert_eq!(program.planted.len(), usize::from(set.guaranteed_error));
            let body = program.text.split_once('\n').map_or("", |(_, body)| body);
            assert!(set.divisions || !body.contains('/'), "{}", program.text);
        }
    }
}
