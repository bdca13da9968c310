//! The summaries of loops that states come to: made when they are needed, and kept.

use super::extract::Extractor;
use super::{Context, ExitKind, Extraction, Limits, Request, WhyNot, is_same};
use crate::domain::{Outcome, Symbolic};
use crate::loops::{LoopKey, Loops};
use crate::memory::ObjectId;
use crate::summary::cells::Root;
use loupe_engine::semantics::Machine;
use loupe_engine::state::State;
use loupe_ir::program::LocalId;
use loupe_loops::{Effort, Summary, Tag};
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
            || !self.summary.diverging.is_empty()
            || self.extraction.inner.iter().any(|inner| inner.may_diverge)
    }

    /// Whether it speaks of this state too: what it took for given is the same there.
    fn fits(&self, domain: &mut Symbolic, state: &State<Symbolic>) -> bool {
        let Extraction { cells, plain, live, .. } = &self.extraction;
        let (Some(frame), Some(known)) = (state.frames.last(), plain.frames.last()) else {
            return false;
        };
        let mut entries: BTreeSet<(ObjectId, u64)> = BTreeSet::new();
        let mut arrays: BTreeSet<ObjectId> = BTreeSet::new();
        let mut registers: BTreeSet<LocalId> = BTreeSet::new();
        for cell in cells {
            let Some(spot) = &cell.spot else { continue };
            match spot.root {
                Root::Register(local) if spot.part.path.is_empty() => {
                    registers.insert(local);
                }
                Root::Register(_) => {}
                Root::Entry(object, offset) | Root::Written(object, offset) => {
                    entries.insert((object, offset));
                }
                Root::Elements(object) | Root::Flags(object) => {
                    arrays.insert(object);
                }
            }
            if spot.read(domain, state).is_none() {
                return false;
            }
        }
        // Whole frames below do not matter: the body sees its own registers and memory only.
        live.iter()
            .filter(|local| !registers.contains(local))
            .all(|local| is_same(&frame.locals[local.index()], &known.locals[local.index()]))
            && slots_are_same(&frame.locals, &known.locals)
            && state.memory.same_but_for(&plain.memory, &entries, &arrays)
    }
}

/// Whether all pointers to variables in memory are the same; other registers do not matter unless they live.
fn slots_are_same(a: &[crate::value::SymbolicValue], b: &[crate::value::SymbolicValue]) -> bool {
    use loupe_engine::value::Value;
    a.len() == b.len()
        && a.iter().zip(b).all(|pair| match pair {
            (Value::Pointer(a), Value::Pointer(b)) => a.object == b.object,
            (Value::Pointer(_), _) | (_, Value::Pointer(_)) => false,
            _ => true,
        })
}

/// What is asked for.
pub(crate) struct Wanted<'w> {
    /// The state at the header.
    pub(crate) state: &'w State<Symbolic>,
    /// What holds there.
    pub(crate) conditions: &'w [Term],
    /// The worst that is of use.
    pub(crate) worst: Tag,
}

/// A loop is tried so often in vain.
const MAX_FAILURES: u32 = 2;

/// So many questions may be asked for one summary.
const QUESTIONS: usize = 1_000;

/// The summaries that were made.
#[derive(Debug, Default)]
pub(crate) struct Solutions {
    known: BTreeMap<LoopKey, Vec<Rc<Solution>>>,
    failed: BTreeMap<LoopKey, (u32, Option<WhyNot>)>,
    /// How deep the loop is that is looked at.
    nesting: usize,
}

impl Solutions {
    /// The best summary for a state at a header.
    pub(crate) fn solve(
        &mut self,
        machine: &mut Machine<'_, Symbolic>,
        loops: &Loops,
        limits: &Limits,
        wanted: &Wanted<'_>,
    ) -> Outcome<Result<Rc<Solution>, WhyNot>> {
        let Some(frame) = wanted.state.frames.last() else {
            return Err(crate::halt::internal("no active call"));
        };
        let function = machine.program.function(frame.function);
        let Some(id) = loops.of(frame.function).headed_by(frame.block) else {
            return Err(crate::halt::internal("no loop starts here"));
        };
        let key = (frame.function, id);
        let span = loops.of(frame.function).get(id).span(function);
        if self.nesting >= limits.nesting {
            return Ok(Err(WhyNot { what: "loops are nested too deeply".to_owned(), span }));
        }
        for known in self.known.get(&key).into_iter().flatten() {
            if known.summary.tag <= wanted.worst && known.fits(&mut machine.domain, wanted.state) {
                return Ok(Ok(Rc::clone(known)));
            }
        }
        if let Some((times, Some(why))) = self.failed.get(&key)
            && *times >= MAX_FAILURES
        {
            return Ok(Err(why.clone()));
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

    /// For all entries first, then for this one.
    fn attempt(
        &mut self,
        machine: &mut Machine<'_, Symbolic>,
        loops: &Loops,
        limits: &Limits,
        wanted: &Wanted<'_>,
    ) -> Outcome<Result<Rc<Solution>, WhyNot>> {
        let specialised = Context::Specialised(wanted.conditions.to_vec());
        let mut best: Result<Rc<Solution>, WhyNot> = Err(WhyNot {
            what: String::new(),
            span: machine.program.function(machine.program.entry).span,
        });
        for context in [Context::General, specialised] {
            let is_general = matches!(context, Context::General);
            let request = Request { state: wanted.state, context, limits };
            let extracted = Extractor { machine, loops, solutions: self }.extract(&request);
            let found = match extracted {
                Err(why) => Err(why),
                Ok(extraction) => match lost(&extraction) {
                    Some(why) => Err(why),
                    None => {
                        // A loop that takes more is better executed.
                        let mut effort = Effort { questions: QUESTIONS, ..Effort::default() };
                        effort.limits.interrupt = machine.domain.limits.interrupt.clone();
                        let summary = machine.domain.summarise(&extraction.problem, &effort)?;
                        Ok(Rc::new(Solution { extraction, summary }))
                    }
                },
            };
            best = match (best, found) {
                (Ok(old), Ok(new)) if new.summary.tag < old.summary.tag => Ok(new),
                (Ok(old), _) => Ok(old),
                (Err(_), found) => found,
            };
            if let Ok(solution) = &best
                && matches!(solution.summary.tag, Tag::Exact | Tag::Template)
            {
                if is_general {
                    let known = self.known.entry(solution.extraction.key).or_default();
                    known.push(Rc::clone(solution));
                }
                break;
            }
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
}

/// A way on which the executor may get further than the extraction did, which knows less.
fn lost(extraction: &Extraction) -> Option<WhyNot> {
    extraction.exits.iter().find_map(|exit| match &exit.kind {
        ExitKind::Lost(what) => Some(WhyNot { what: what.clone(), span: exit.span }),
        _ => None,
    })
}
