//! All loops of a program, each looked at alone: from a state at its header in which everything is arbitrary.
//!
//! This is what `loupe loops` shows: type, summary, bounds, automaton and relation of each loop, in the words of the program.

mod named;
mod outlined;
mod study;

pub use study::{
    CaseText, EndlessText, ExitText, Known, Limit, Measure, Outlined, PathText, Reduced, Sliced,
    Study,
};

use super::arbitrary::Stage;
use super::arrival::arrival;
use super::outline::Writes;
use super::{Context, ExitKind, ExitPlace, Extraction, Limits, Request, Tables, WhyNot, extract};
use crate::domain::{DomainOptions, Symbolic, SymbolicIndex};
use crate::halt::Halt;
use crate::loops::{LoopKey, Loops, Region};
use loupe_engine::domain::{BEYOND_ADDRESSES, InternalError};
use loupe_engine::semantics::Machine;
use loupe_ir::analysis::liveness::Liveness;
use loupe_ir::analysis::slice::{Count, Criterion, SliceError, Slicer, Variable, apply};
use loupe_ir::analysis::traversals::{Assumption, traversals};
use loupe_ir::program::{FunctionId, GlobalId, Program};
use loupe_ir::source::Span;
use loupe_loops::bounds::{Bounds, bounds};
use loupe_loops::certificate::Obligation;
use loupe_loops::classify::classify;
use loupe_loops::emit::{CannotPrint, Described, Parameter, script};
use loupe_loops::pda::Pda;
use loupe_loops::show::Words;
use loupe_loops::{Effort, End, Loop, Rest, Summary, Tag};
use loupe_solver::{ChainOptions, Limits as SolverLimits};
use loupe_term::{Term, Terms};
use named::Named;
use std::rc::Rc;

/// How loops are looked at.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How much work the extraction of a loop may be.
    pub extraction: Limits,
    /// How much work its summary may be.
    pub effort: Effort,
}

impl Options {
    /// The usual options with so many percent of the usual work for each loop.
    pub fn with_effort(percent: u32) -> Self {
        let Options { mut extraction, mut effort } = Options::default();
        let part = |whole: u64| (whole * u64::from(percent) / 100).max(1);
        extraction.work = part(extraction.work);
        effort.work = part(effort.work);
        effort.limits.work = part(effort.limits.work).max(LEAST_WORK);
        if percent < 100 {
            // Many paths are many questions.
            extraction.paths = extraction.paths.min(MOST_PATHS);
            extraction.steps = part(extraction.steps).max(LEAST_STEPS);
            effort.questions = (effort.questions * percent as usize / 100).max(LEAST_QUESTIONS);
        }
        Options { extraction, effort }
    }
}

/// However little work a loop may be, a question may be so much.
const LEAST_WORK: u64 = 2_000;
/// And so many may be asked.
const LEAST_QUESTIONS: usize = 100;
/// And so many instructions of a body may be executed.
const LEAST_STEPS: u64 = 4_000;
/// So many paths a body may have where loops may be less work than usual.
const MOST_PATHS: usize = 16;

/// The loops of a program.
pub struct Survey<'p> {
    machine: Machine<'p, Symbolic>,
    loops: Loops,
    slicer: Slicer<'p>,
    writes: Writes,
    /// The function that was looked at last, with what is live in it.
    liveness: Option<(FunctionId, Rc<Liveness<'p>>)>,
    stage: Stage,
    options: Options,
    kept: Vec<Kept>,
}

/// A loop that can be printed as a relation.
struct Kept {
    obligations: Vec<Obligation>,
    name: Name,
    comment: String,
    problem: Loop,
    summary: Summary,
    parameters: Vec<Parameter>,
    exits: Vec<String>,
}

/// What a relation is called by: the line, and the column where two loops share one.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Name {
    line: u32,
    column: u32,
}

/// A loop of a program.
#[derive(Clone, Debug)]
pub struct Found {
    /// Which one.
    pub key: LoopKey,
    /// The function that it is in.
    pub function: String,
    /// Where it is.
    pub span: Span,
    /// In which file: one that is included, perhaps.
    pub file: String,
    /// How many loops its header is in: 1 for an outermost loop.
    pub depth: u32,
    /// Whether there are loops in it.
    pub is_nested: bool,
}

/// What is asked about a loop beside all that is always found out.
#[derive(Clone, Debug, Default)]
pub struct Questions<'q> {
    /// What holds at entry, as text; loops without the names in it do not know of it.
    pub assume: Option<&'q str>,
    /// The variables whose values are shown; all if there are none.
    pub interest: &'q [String],
}

impl<'p> Survey<'p> {
    /// A survey of a valid program.
    ///
    /// # Errors
    ///
    /// If Loupe is broken.
    pub fn new(program: &'p Program, options: Options) -> Result<Self, InternalError> {
        let domain = DomainOptions {
            chain: ChainOptions::default(),
            limits: options.effort.limits.clone(),
            symbolic_index: SymbolicIndex::Ite,
        };
        let mut machine = Machine::new(program, Symbolic::new(program, domain));
        let stage = Stage::new(&mut machine).map_err(|halt| broken(&halt))?;
        let (loops, slicer) = (Loops::new(program), Slicer::new(program));
        let writes = Writes::new(program);
        Ok(Survey {
            machine,
            loops,
            slicer,
            writes,
            liveness: None,
            stage,
            options,
            kept: Vec::new(),
        })
    }

    /// How much the solver has done.
    pub fn work(&self) -> u64 {
        self.machine.domain.work()
    }

    /// The loops of the user's functions, by place.
    pub fn loops(&self) -> Vec<Found> {
        let program = self.machine.program;
        let mut all = Vec::new();
        for (function, code) in program.functions() {
            if !program.sources.is_users(code.span) || code.name.starts_with(Program::START) {
                continue;
            }
            let forest = self.loops.of(function);
            all.extend(forest.iter().map(|(id, own)| Found {
                key: (function, id),
                function: code.name.clone(),
                span: own.span(code),
                file: program.sources.name(own.span(code).file).to_owned(),
                depth: own.depth,
                is_nested: !own.children.is_empty(),
            }));
        }
        all.sort_by_key(|found| (found.span.file, found.span.start, found.depth, found.key));
        all
    }

    /// Cycles that are entered at several places, which are no loops: where they are.
    pub fn irreducible(&self) -> Vec<(FunctionId, Span)> {
        let program = self.machine.program;
        let users = program.functions().filter(|(_, code)| program.sources.is_users(code.span));
        let regions = users.flat_map(|(function, code)| {
            let regions = self.loops.of(function).irreducible.iter();
            regions.filter_map(move |region| {
                let first = region.entries.first()?;
                Some((function, code.block(*first).terminator.span))
            })
        });
        regions.collect()
    }

    /// Finds out what can be known of a loop.
    ///
    /// # Errors
    ///
    /// If Loupe is broken; a loop that cannot be solved is none.
    pub fn study(&mut self, found: &Found, asked: &Questions<'_>) -> Result<Study, InternalError> {
        let mut assumptions = Vec::new();
        let interest = self.variables(found, asked);
        if !interest.is_empty() {
            // Only some variables matter: then the slice is what is asked for.
            let criterion = Criterion::variables(interest);
            if let Some(known) = self.slice(found, asked, &criterion, &mut assumptions)? {
                let outcome = Ok(known);
                return Ok(Study {
                    found: found.clone(),
                    outcome,
                    slice: None,
                    measure: None,
                    outlined: None,
                    reduced: None,
                    assumptions,
                });
            }
        }
        let outlined = self.outlined(found)?;
        let outcome = self.known(found, asked, &mut assumptions)?;
        let is_bounded = outcome.as_ref().is_ok_and(|known| known.bound.is_some());
        let mut slice = None;
        let is_outlined = outlined.as_ref().is_some_and(|outlined| outlined.bound.is_some());
        if !is_bounded && !is_outlined {
            let mut more = Vec::new();
            slice = self.slice(found, asked, &Criterion::exits(), &mut more)?;
            slice = slice.filter(|slice| slice.bound.is_some() || outcome.is_err());
            if slice.is_some() {
                assumptions.extend(more);
            }
        }
        let is_bounded =
            is_bounded || is_outlined || slice.as_ref().is_some_and(|slice| slice.bound.is_some());
        let measure = if is_bounded { None } else { self.measure(found) };
        let outcome = outcome.map(Box::new);
        let reduced = self.reduced(found)?;
        Ok(Study { found: found.clone(), outcome, slice, measure, outlined, reduced, assumptions })
    }

    /// The variables of interest that a loop can see.
    fn variables(&self, found: &Found, asked: &Questions<'_>) -> Vec<Variable> {
        let program = self.machine.program;
        let code = program.function(found.key.0);
        let mut all: Vec<Variable> = Vec::new();
        for name in asked.interest {
            let root = name.split(['.', '[', '-']).next().unwrap_or(name);
            let own = code.locals().filter(|(_, local)| local.name.as_deref() == Some(root));
            all.extend(own.map(|(id, _)| Variable::Local(id)));
            let globals = (0..).map(GlobalId).zip(&program.globals);
            let globals = globals.filter(|(_, global)| global.name == root);
            all.extend(globals.map(|(id, _)| Variable::Global(id)));
        }
        all
    }

    /// What is known of the slice of a loop, if it is simpler.
    fn slice(
        &mut self,
        found: &Found,
        asked: &Questions<'_>,
        criterion: &Criterion,
        assumptions: &mut Vec<String>,
    ) -> Result<Option<Box<Known>>, InternalError> {
        let (function, id) = found.key;
        let wrong = |error: SliceError| InternalError(error.to_string());
        let slice = self.slicer.slice(function, id, criterion).map_err(wrong)?;
        if !slice.is_simpler() {
            return Ok(None);
        }
        let sliced = apply(self.machine.program, &slice).map_err(wrong)?;
        let mut survey = Survey::new(&sliced.program, self.options.clone())?;
        let Some(id) = survey.loops.of(sliced.function).headed_by(sliced.header) else {
            return Ok(None);
        };
        let own = Found { key: (sliced.function, id), ..found.clone() };
        let Ok(mut known) = survey.known(&own, asked, assumptions)? else { return Ok(None) };
        let is_harmless = slice.dropped.cannot_stop();
        if !is_harmless && matches!(known.tag, Tag::Exact | Tag::Template) {
            known.tag = Tag::Over;
            known.reasons.push("what was sliced away may fail or not end".to_owned());
        }
        let Count { all, kept } = slice.instructions;
        known.sliced = Some(Sliced { all, kept, is_harmless });
        Ok(Some(Box::new(known)))
    }

    /// The size of the data structure that a loop walks along.
    fn measure(&self, found: &Found) -> Option<Measure> {
        let (function, id) = found.key;
        let program = self.machine.program;
        let all = traversals(&self.slicer, function);
        let traversal = all.into_iter().find(|traversal| traversal.loop_id == id)?;
        let text = traversal.measure(program, program.function(function));
        let assumption = |assumption: &Assumption| match assumption {
            Assumption::Acyclic => "the list has no cycle",
            Assumption::Terminated => "the text ends with a zero",
            Assumption::Unchanged => "the loop does not change what it walks along",
            Assumption::NoWrap => "the index does not wrap around",
        };
        let assumptions = traversal.assumptions.iter().map(|a| assumption(a).to_owned());
        Some(Measure { text, assumptions: assumptions.collect() })
    }

    fn known(
        &mut self,
        found: &Found,
        asked: &Questions<'_>,
        assumptions: &mut Vec<String>,
    ) -> Result<Result<Known, WhyNot>, InternalError> {
        let start = self.stage.at(&mut self.machine, &self.loops, found.key);
        let start = match start.map_err(|halt| broken(&halt))? {
            Ok(start) => start,
            // Perhaps the program itself shows what there is.
            Err(why) => match arrival(&mut self.machine, &self.loops, found.key) {
                Ok(Some(start)) => start,
                Err(halt) if matches!(*halt, Halt::Internal(_)) => return Err(broken(&halt)),
                Ok(None) | Err(_) => return Ok(Err(why)),
            },
        };
        assumptions.extend(start.assumptions.iter().cloned());
        let request = Request {
            state: &start.state,
            region: Region::Loop(found.key),
            context: Context::Specialised(start.facts.clone()),
            tables: Tables::default(),
            limits: &self.options.extraction,
        };
        let mut extraction = match extract(&mut self.machine, &self.loops, &request) {
            Ok(extraction) => extraction,
            Err(why) => return Ok(Err(why)),
        };
        let named = Named::new(
            self.machine.program,
            &self.loops,
            &self.machine.domain.terms,
            &extraction,
            &start,
        );
        // All entries are meant: the values at the header are not tied to those of the state.
        extraction.problem.entry.clear();
        if let Some(text) = asked.assume {
            let terms = &mut self.machine.domain.terms;
            if let Some(assumed) = named.assumption(terms, text) {
                extraction.problem.entry.push(assumed);
                assumptions.push(format!("`{text}` holds at entry"));
            }
        }
        let (terms, chain) = self.machine.domain.solver();
        let effort = Effort { rest: Rest::Kept, ..self.options.effort.clone() };
        let summary = loupe_loops::summarise(terms, chain, &extraction.problem, &effort);
        let summary = summary.map_err(|error| InternalError(error.to_string()))?;
        self.described(found, asked, extraction, summary, named).map(Ok)
    }

    /// Everything in words.
    fn described(
        &mut self,
        found: &Found,
        asked: &Questions<'_>,
        extraction: Extraction,
        summary: Summary,
        named: Named,
    ) -> Result<Known, InternalError> {
        let program = self.machine.program;
        let limits: &SolverLimits = &self.options.effort.limits;
        let (terms, chain) = self.machine.domain.solver();
        let problem = &extraction.problem;
        let words = Words::new(terms, problem, Some(&summary), &named.symbols);
        let failed = |error: loupe_solver::Error| InternalError(error.to_string());
        let mut pda = Pda::new(terms, chain, problem, limits).map_err(failed)?;
        pda.note_counts(&summary);
        let order = pda.interleaving(terms, chain, problem, &summary, limits).map_err(failed)?;
        let checks: Vec<usize> =
            (0..).zip(&extraction.exits).filter(|(_, e)| is_check(e)).map(|(n, _)| n).collect();
        let kind = classify(terms, problem, order, &checks, &words);
        let bounds = bounds(terms, chain, (problem, &summary), &words, limits).map_err(failed)?;
        let bounds = without_the_unknown(program, &extraction, bounds);
        let title = format!("{}:{}", found.function, found.span.start.line);
        let dot = pda.dot(terms, &words, &title);
        let exits: Vec<String> =
            extraction.exits.iter().map(|exit| exit_text(program, exit)).collect();
        let mut known = Known {
            kind,
            tag: summary.tag,
            reasons: summary.reasons.clone(),
            paths: path_texts(terms, problem, &words, &bounds, asked),
            exits: Vec::new(),
            cases: Vec::new(),
            part: Vec::new(),
            endless: Vec::new(),
            edges: pda.edges.len(),
            bound: bounds.total.clone(),
            unbounded: bounds.why_not.clone(),
            dot,
            sliced: None,
            is_modelled: !extraction.exits.iter().any(|exit| is_lost(&exit)),
        };
        for (number, (text, exit)) in exits.iter().zip(&extraction.exits).enumerate() {
            let bound = bounds.exits.get(number).cloned().flatten();
            known.exits.push(ExitText { text: text.clone(), line: exit.span.start.line, bound });
        }
        for (case, bound) in summary.cases.iter().zip(bounds.traces) {
            known.cases.push(CaseText {
                condition: words.condition(terms, case.condition),
                changes: changes(terms, problem, &words, &case.values, asked),
                exit: case.exit,
                trace: match summary.tag {
                    // Iterations in any order.
                    Tag::Over => format!("… p{}", case.last + 1),
                    _ => words.trace(terms, case),
                },
                bound,
                is_counted: summary.tag == Tag::Exact && case.counters.is_empty(),
            });
        }
        if let Some(part) = &summary.under {
            let words = Words::new(terms, problem, Some(part), &named.symbols);
            known.part.extend(part.cases.iter().map(|case| CaseText {
                condition: words.condition(terms, case.condition),
                changes: changes(terms, problem, &words, &case.values, asked),
                exit: case.exit,
                trace: words.trace(terms, case),
                bound: None,
                is_counted: false,
            }));
        }
        for divergence in &summary.diverging {
            known.endless.push(EndlessText {
                condition: words.condition(terms, divergence.condition),
                trace: words.endless_trace(terms, divergence),
            });
        }
        let start = found.span.start;
        let mut obligations = summary.obligations.clone();
        for obligation in summary.under.iter().flat_map(|part| &part.obligations) {
            let name = format!("under: {}", obligation.name);
            obligations.push(Obligation { name, claim: obligation.claim.clone() });
        }
        self.kept.push(Kept {
            obligations,
            name: Name { line: start.line, column: start.column },
            comment: format!("the loop at line {} in {}", start.line, found.function),
            problem: extraction.problem,
            summary,
            parameters: named.parameters,
            exits,
        });
        Ok(known)
    }

    /// The relations of all loops that were looked at so far.
    ///
    /// # Errors
    ///
    /// If something has no form in SMT-LIB.
    pub fn script(&mut self) -> Result<String, CannotPrint> {
        let mut described = Vec::new();
        for kept in &self.kept {
            let Name { line, column } = kept.name;
            let shared = self.kept.iter().filter(|other| other.name.line == line).count() > 1;
            let name =
                if shared { format!("loop_{line}_{column}") } else { format!("loop_{line}") };
            // A part of nothing is not worth a relation.
            let is_empty = kept.summary.tag == Tag::Under && kept.summary.cases.is_empty();
            let mut comment = kept.comment.clone();
            if is_empty {
                comment += &format!(": no summary: {}", kept.summary.reasons.join("; "));
            }
            described.push(Described {
                name,
                comment,
                problem: &kept.problem,
                summaries: match is_empty {
                    true => Vec::new(),
                    false => {
                        [&kept.summary].into_iter().chain(kept.summary.under.as_deref()).collect()
                    }
                },
                parameters: kept.parameters.clone(),
                exits: kept.exits.clone(),
                obligations: &kept.obligations,
            });
        }
        script(&mut self.machine.domain.terms, &described)
    }
}

fn broken(halt: &Halt) -> InternalError {
    match halt {
        Halt::Internal(error) => error.clone(),
        other => InternalError(other.to_string()),
    }
}

fn is_check(exit: &ExitPlace) -> bool {
    matches!(exit.kind, ExitKind::Failed(_) | ExitKind::AssumptionFailed | ExitKind::Lost(_))
}

/// Whether an exit leads to where something has no model and nobody knows how it goes on.
fn is_lost(exit: &&ExitPlace) -> bool {
    match &exit.kind {
        ExitKind::Lost(why) => why != BEYOND_ADDRESSES,
        _ => false,
    }
}

/// The bounds of a loop without those that count up to where something has no model: nobody knows how it goes on from there, unless it is undefined anyway.
fn without_the_unknown(program: &Program, extraction: &Extraction, bounds: Bounds) -> Bounds {
    let Some(lost) = extraction.exits.iter().find(is_lost) else { return bounds };
    let paths = vec![None; bounds.paths.len()];
    Bounds { total: None, paths, why_not: Some(exit_text(program, lost)), ..bounds }
}

fn exit_text(program: &Program, exit: &ExitPlace) -> String {
    let line = exit.span.start.line;
    let what = match &exit.kind {
        ExitKind::Block(_) => "leaves the loop".to_owned(),
        ExitKind::Returned | ExitKind::Finished => "returns".to_owned(),
        ExitKind::Exited => "ends the program".to_owned(),
        ExitKind::Aborted => "aborts".to_owned(),
        ExitKind::Failed(kind) => format!("fails: {}", kind.title()),
        ExitKind::AssumptionFailed => "an assumption does not hold".to_owned(),
        ExitKind::Lost(why) => format!("is not modelled: {why}"),
    };
    let is_users = program.sources.is_users(exit.span);
    if is_users { format!("line {line}: {what}") } else { what }
}

fn path_texts(
    terms: &mut Terms,
    problem: &Loop,
    words: &Words<'_>,
    bounds: &Bounds,
    asked: &Questions<'_>,
) -> Vec<PathText> {
    let paths = problem.paths.iter().enumerate();
    let text = |(number, path): (usize, &loupe_loops::Path)| PathText {
        label: path.label.clone(),
        guard: words.formula(terms, path.guard),
        changes: changes(terms, problem, words, &path.updates, asked),
        exit: match path.end {
            End::Exit(exit) => Some(exit),
            End::Again => None,
        },
        bound: bounds.paths.get(number).cloned().flatten(),
    };
    paths.map(text).collect()
}

/// What has other values, as far as somebody wants to know.
fn changes(
    terms: &mut Terms,
    problem: &Loop,
    words: &Words<'_>,
    values: &[Term],
    asked: &Questions<'_>,
) -> Vec<String> {
    let variables = problem.variables.iter().zip(values);
    let is_shown = |name: &String| asked.interest.is_empty() || asked.interest.contains(name);
    let shown = variables.map(|(v, value)| if is_shown(&v.name) { *value } else { v.symbol });
    let shown: Vec<Term> = shown.collect();
    words.changes(terms, &shown)
}
