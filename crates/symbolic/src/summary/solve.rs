//! The summaries of loops that states come to.
//!
//! Each state executes the body once: what an iteration does rests on all that the loop does not change (registers, objects, what was never written,
//! the ranges of cells whose type only their use tells), and to find out whether two states agree in all of that costs about as much. What comes
//! out, the problem, says all that matters; a problem that was solved before is not solved again.

use super::extract::Extractor;
use super::{Context, Extraction, Limits, Request, Tables, WhyNot};
use crate::domain::{Outcome, Symbolic};
use crate::loops::{Loops, Region};
use crate::property::Property;
use loupe_engine::semantics::Machine;
use loupe_engine::state::State;
use loupe_loops::memory::Memory;
use loupe_loops::{Aim, Covers, Effort, Summary, Tag};
use loupe_solver::Deadline;
use loupe_term::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A loop that has been solved.
#[derive(Debug)]
pub struct Solution {
    /// The loop.
    pub extraction: Extraction,
    /// What it does.
    pub summary: Summary,
}

impl Solution {
    /// Whether the loop, or one in it, may run for ever: not if all of its executions are known to leave it.
    pub fn may_diverge(&self) -> bool {
        !matches!(self.summary.tag, Tag::Exact | Tag::Template)
            || self.summary.covers != Covers::All
            || !self.summary.diverging.is_empty()
            || self.extraction.inner.iter().any(|inner| inner.may_diverge)
    }
}

/// What is asked for.
pub(crate) struct Wanted<'w> {
    /// The state at the entry.
    pub(crate) state: &'w State<Symbolic>,
    /// What is repeated.
    pub(crate) region: Region,
    /// What holds there.
    pub(crate) conditions: &'w [Term],
    /// The worst that is of use.
    pub(crate) worst: Tag,
}

/// What summaries are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Question {
    /// Where executions come to.
    #[default]
    Reach,
    /// That as well, and whether they end.
    Termination,
    /// What all executions satisfy that come somewhere, whatever else does.
    Necessary,
}

/// After so many approximations, nothing better is looked for.
const MAX_APPROXIMATIONS: u32 = 4;

/// A loop that is not solved with so much work is better executed.
const MAX_WORK: u64 = 1_000_000;

/// So much is given to summaries for all entries before others are tried.
const FEW_QUESTIONS: usize = 150;
const LITTLE_WORK: u64 = 100_000;

/// For which entries a summary is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Entries {
    All,
    This,
}

/// A way in which a summary is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Manner {
    entries: Entries,
    pains: Pains,
    tables: Tables,
}

impl Manner {
    const fn new(entries: Entries, pains: Pains, tables: Tables) -> Self {
        Manner { entries, pains, tables }
    }
}

/// What holds for all entries holds for the next one too, but if that is not soon found, this one comes first.
const MANNERS: [Manner; 6] = [
    Manner::new(Entries::All, Pains::Few, Tables::Choices),
    Manner::new(Entries::All, Pains::Few, Tables::Arrays),
    Manner::new(Entries::This, Pains::All, Tables::Choices),
    Manner::new(Entries::This, Pains::All, Tables::Arrays),
    Manner::new(Entries::All, Pains::All, Tables::Choices),
    Manner::new(Entries::All, Pains::All, Tables::Arrays),
];

/// What came of a way to look for a summary.
#[derive(Clone, Copy, Debug, Default)]
struct Tries {
    /// When it was the last to succeed, as a number of successes.
    won: u64,
    lost: u32,
}

/// A way that has failed so often is not gone again where another one has led somewhere.
const MAX_LOST: u32 = 2;

/// How much is done for a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Pains {
    Few,
    All,
}

/// A loop is tried so often in vain.
const MAX_FAILURES: u32 = 2;

/// Problems with larger formulas are not solved.
const MAX_SIZE: usize = 3_000;

/// What is known of loops that were tried.
#[derive(Debug, Default)]
pub(crate) struct Solutions {
    failed: BTreeMap<Region, (u32, Option<WhyNot>)>,
    /// How often an exact summary of a loop inside was looked for in vain. Whoever looks at the loop around it comes back again and again.
    approximated: BTreeMap<Region, u32>,
    /// What came of the ways to look for summaries.
    tries: BTreeMap<(Region, Manner), Tries>,
    wins: u64,
    /// How deep the loop is that is looked at.
    nesting: usize,
    /// When the outermost of them has taken too much.
    deadline: Option<Deadline>,
    /// The summaries that were found.
    memory: Memory,
    pub(crate) question: Question,
    /// Whether memory may be lost that somebody asks for, see [`crate::leak`].
    pub(crate) leaks: Leaks,
}

/// What is asked of allocated memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Leaks {
    /// Nothing.
    #[default]
    Ignored,
    /// That none is lost.
    Matter,
}

impl Leaks {
    /// What a property asks.
    pub(crate) fn of(property: Property) -> Self {
        if property.asks_for_leaks() { Leaks::Matter } else { Leaks::Ignored }
    }
}

impl Solutions {
    /// Whether a loop was tried often enough, in vain: why.
    pub(crate) fn given_up(&self, key: Region) -> Option<&WhyNot> {
        let (times, why) = self.failed.get(&key)?;
        why.as_ref().filter(|_| *times >= MAX_FAILURES)
    }

    /// Nothing is known yet.
    pub(crate) fn for_question(question: Question, property: Property) -> Self {
        Solutions { question, leaks: Leaks::of(property), ..Solutions::default() }
    }

    /// A loop is looked at, and then the loops inside.
    pub(crate) fn start(&mut self, domain: &Symbolic, limits: &Limits) {
        self.deadline = Some(Deadline::after(domain.spent(), limits.work));
    }

    /// Whether that takes too much.
    pub(crate) fn is_late(&self, domain: &Symbolic) -> bool {
        self.deadline.is_some_and(|deadline| deadline.has_passed(domain.spent()))
    }

    /// How much work a summary may be.
    fn work(&self, domain: &Symbolic) -> u64 {
        let left = self.deadline.map(|deadline| deadline.left(domain.spent()));
        left.map_or(MAX_WORK, |left| left.min(MAX_WORK))
    }

    /// The best summary for a state at a header.
    pub(crate) fn solve(
        &mut self,
        machine: &mut Machine<'_, Symbolic>,
        loops: &Loops,
        limits: &Limits,
        wanted: &Wanted<'_>,
    ) -> Outcome<Result<Rc<Solution>, WhyNot>> {
        let (key, (function, id)) = (wanted.region, wanted.region.key());
        let span = loops.of(function).get(id).span(machine.program.function(function));
        if self.nesting >= limits.nesting {
            return Ok(Err(WhyNot { what: "loops are nested too deeply".to_owned(), span }));
        }
        if let Some(why) = self.given_up(key) {
            return Ok(Err(why.clone()));
        }
        if self.nesting == 0 {
            self.start(&machine.domain, limits);
        }
        self.nesting += 1;
        let solved = self.attempt(machine, loops, limits, wanted);
        self.nesting -= 1;
        let solved = solved?;
        if let Err(why) = &solved {
            let (times, last) = self.failed.entry(key).or_default();
            *times += 1;
            *last = Some(why.clone());
        }
        Ok(solved)
    }

    fn has_won(&self, region: Region, manner: Manner) -> bool {
        self.tries.get(&(region, manner)).is_some_and(|tries| tries.won > 0)
    }

    fn record(&mut self, region: Region, manner: Manner, is_won: bool) {
        let tries = self.tries.entry((region, manner)).or_default();
        match is_won {
            true => {
                self.wins += 1;
                (tries.won, tries.lost) = (self.wins, 0);
            }
            false => tries.lost += 1,
        }
    }

    /// The ways to a summary, those first that have led to one.
    fn in_order(&self, region: Region) -> Vec<Manner> {
        let tries =
            |manner: &Manner| self.tries.get(&(region, *manner)).copied().unwrap_or_default();
        let mut manners = match region {
            // A cycle is passed again and again, each time from somewhere else.
            Region::Cycle(..) => [&MANNERS[2..4], &MANNERS[..2]].concat(),
            Region::Loop(_) if self.nesting > 1 => MANNERS[..4].to_vec(),
            Region::Loop(_) => MANNERS.to_vec(),
        };
        if manners.iter().any(|manner| tries(manner).won > 0) {
            manners.retain(|manner| tries(manner).won > 0 || tries(manner).lost < MAX_LOST);
        }
        manners.sort_by_key(|manner| std::cmp::Reverse(tries(manner).won));
        manners
    }

    /// A summary for all entries or for this one.
    fn attempt(
        &mut self,
        machine: &mut Machine<'_, Symbolic>,
        loops: &Loops,
        limits: &Limits,
        wanted: &Wanted<'_>,
    ) -> Outcome<Result<Rc<Solution>, WhyNot>> {
        let mut best: Result<Rc<Solution>, WhyNot> = Err(WhyNot {
            what: String::new(),
            span: machine.program.function(machine.program.entry).span,
        });
        let times = self.approximated.get(&wanted.region).copied().unwrap_or_default();
        let (manners, aim) = match times >= MAX_APPROXIMATIONS {
            _ if self.question == Question::Necessary => (vec![MANNERS[2]], Aim::Necessary),
            true => (vec![MANNERS[2]], Aim::Approximation),
            false => {
                let aim = if wanted.worst <= Tag::Template { Aim::Exact } else { Aim::Best };
                (self.in_order(wanted.region), aim)
            }
        };
        // Whether arrays would make a difference.
        let mut have_chosen = BTreeSet::new();
        for manner in manners {
            let Manner { entries, pains, tables } = manner;
            if tables == Tables::Arrays
                && !have_chosen.contains(&entries)
                && !self.has_won(wanted.region, manner)
            {
                continue;
            }
            if machine.domain.limits.interrupt.is_requested() {
                let span = machine.program.function(machine.program.entry).span;
                return Ok(Err(WhyNot { what: "it was interrupted".to_owned(), span }));
            }
            let context = match entries {
                Entries::All => Context::General,
                // What is said of all elements up to some index makes every question a hard one, and hardly matters here.
                Entries::This => {
                    let is_known = |term: &&Term| match self.question {
                        Question::Necessary => machine.domain.is_arithmetic(**term),
                        _ => !machine.domain.terms.has_quantifier(**term),
                    };
                    Context::Specialised(
                        wanted.conditions.iter().filter(is_known).copied().collect(),
                    )
                }
            };
            let request =
                Request { state: wanted.state, region: wanted.region, context, tables, limits };
            let had_chosen = std::mem::take(&mut machine.domain.has_chosen);
            let extracted = Extractor { machine, loops, solutions: self }.extract(&request);
            if machine.domain.has_chosen {
                have_chosen.insert(entries);
            }
            machine.domain.has_chosen |= had_chosen;
            let found = match extracted {
                Err(why) => Err(why),
                Ok(extraction) if size(&machine.domain, &extraction) > MAX_SIZE => {
                    let (function, id) = extraction.key;
                    let span = loops.of(function).get(id).span(machine.program.function(function));
                    let what = "what an iteration does is too large a formula".to_owned();
                    Err(WhyNot { what, span })
                }
                Ok(extraction) => {
                    // A loop that takes more is better executed.
                    let work = self.work(&machine.domain);
                    let (questions, work) = match pains {
                        Pains::Few => (FEW_QUESTIONS, work.min(LITTLE_WORK)),
                        Pains::All => (500, work),
                    };
                    let mut effort =
                        Effort { questions, cases: 32, nodes: 150, work, aim, ..Effort::default() };
                    effort.limits.interrupt = machine.domain.limits.interrupt.clone();
                    let summary = self.summary(machine, &extraction, &effort)?;
                    Ok(Rc::new(Solution { extraction, summary }))
                }
            };
            let is_won = matches!(&found, Ok(solution)
                if matches!(solution.summary.tag, Tag::Exact | Tag::Template));
            self.record(wanted.region, manner, is_won);
            best = match (best, found) {
                (Ok(old), Ok(new)) if new.summary.tag < old.summary.tag => Ok(new),
                (Ok(old), _) => Ok(old),
                (Err(_), found) => found,
            };
            if is_won {
                break;
            }
        }
        if let Ok(solution) = &best
            && !matches!(solution.summary.tag, Tag::Exact | Tag::Template)
        {
            *self.approximated.entry(wanted.region).or_default() += 1;
        }
        if let Ok(solution) = &best
            && solution.summary.tag > wanted.worst
        {
            let key = solution.extraction.key;
            let span = loops.of(key.0).get(key.1).span(machine.program.function(key.0));
            let what = solution.summary.reasons.join("; ");
            return Ok(Err(WhyNot { what, span }));
        }
        Ok(best)
    }

    /// What the loop does, remembered or found out.
    fn summary(
        &mut self,
        machine: &mut Machine<'_, Symbolic>,
        extraction: &Extraction,
        effort: &Effort,
    ) -> Outcome<Summary> {
        let problem = &extraction.problem;
        let terms = &mut machine.domain.terms;
        let recognised = self.memory.recognise(terms, problem, effort);
        if let Some(summary) = self.memory.recall(terms, &recognised, effort) {
            return Ok(summary);
        }
        let summary = machine.domain.summarise(problem, effort)?;
        self.memory.learn(&mut machine.domain.terms, recognised, &summary, effort);
        Ok(summary)
    }
}

/// How large the formulas of a problem are.
fn size(domain: &Symbolic, extraction: &Extraction) -> usize {
    let paths = extraction.problem.paths.iter();
    paths
        .flat_map(|path| path.updates.iter().chain([&path.guard]))
        .map(|t| domain.terms.size(*t))
        .sum()
}
