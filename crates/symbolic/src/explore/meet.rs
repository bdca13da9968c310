//! States that come to the same place and are merged (section 4.3 of the thesis; Kuznetsov, Kinder, Bucur and Candea,
//! *Efficient state merging in symbolic execution*, PLDI 2012). How two states become one is said in [`crate::merge`];
//! here is where they meet, and whether that is worth it.
//!
//! *Where.* Ways that a branch has parted come together again at its post-dominator, so what a state stops at while
//! others wait are *joins*, which are blocks that several edges lead to, and places behind calls. A state that stops
//! there is compared with those that wait at the very same place, in the same calls.
//!
//! *Whether.* `aggressive` merges whatever can be one. The others estimate how many questions there will be about the
//! variables that differ (`costs`), and merge where these are few.
//!
//! *When.* `dynamic` also sees to it that states do meet: one that waits at a join is put off while another one can
//! still come there that is behind it on the way, in the order of the flowgraph and of iterations. It does not wait
//! for ever: who is in a loop without end must not hold up others.
//!
//! Sound for all properties: a merged state stands for all executions of both, and nothing else, so what is explored
//! stays the same set of executions. (For guidance by necessary conditions, an input is known by its position; behind
//! merged ways that is not so, and such states are never dropped.)

mod cutoff;
mod order;
mod represented;
mod rule;

pub(in crate::explore) use super::location;
use super::subsume::Visit;
use super::{Branch, Explorer, Way};
use crate::domain::{Outcome, Symbolic};
use crate::invariants::Live;
use crate::memory::ObjectId;
use crate::merge::{Apart, Joined, Merger, Merging, Overlap, merged};
use crate::search::{Location, StateKey};
use cutoff::Account;
pub(super) use cutoff::Merges;
use loupe_engine::state::{Below, Frame, State};
use loupe_ir::analysis::graph::FlowGraph;
use loupe_ir::program::{BlockId, FunctionId, LocalId, Program, Storage};
use loupe_solver::Interrupt;
use order::Order;
pub(crate) use represented::MAX_PARTS;
pub(super) use represented::Represented;
use rule::Rule;
pub use rule::{Merge, MergeStrategy, UnknownMergeStrategy};
use rustc_hash::{FxHashMap, FxHasher};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// A state is compared with so many others that wait at its place, the newest of them, as long as comparisons have been worth it there:
const MAX_CANDIDATES: i32 = 16;
/// so many are made to begin with, and so many more for each two states that became one.
const CREDIT: i32 = 256;
const CREDIT_PER_MERGE: i32 = 32;
/// Where that is used up, of so many states that come one after the other, so many stop.
const RARELY: u32 = 128;
const TOGETHER: u32 = 8;
/// More registers and objects that differ are not merged.
const MAX_DIFFERENT: usize = 1 << 10;

/// What has become of states that met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeFigures {
    /// How many pairs became one.
    pub merged: u64,
    /// How many stayed two because there would be too many questions about what differs.
    pub costly: u64,
    /// How many could not be one, and why.
    pub apart: BTreeMap<Apart, u64>,
    /// How often a state was put off so that another one could come to its place.
    pub put_off: u64,
    /// How many paths those stand for that have ended without an error.
    pub stands_for: u64,
    /// Whether there may be fewer: where a merged state was forked, it is not always known how many of its paths go which way.
    pub is_at_most: bool,
    /// At how many places merging was given up since it cost more than it saved.
    pub given_up: u64,
    /// How many merged states were split again, and into how many.
    pub split: u64,
    /// See there.
    pub split_into: u64,
}

impl MergeFigures {
    pub(super) fn add(&mut self, other: MergeFigures) {
        self.merged += other.merged;
        self.costly += other.costly;
        for (apart, times) in other.apart {
            *self.apart.entry(apart).or_default() += times;
        }
        self.put_off += other.put_off;
        self.stands_for = self.stands_for.saturating_add(other.stands_for);
        self.is_at_most |= other.is_at_most;
        self.given_up += other.given_up;
        self.split += other.split;
        self.split_into += other.split_into;
    }
}

/// Where states meet.
pub(super) struct Meeting {
    rule: Rule,
    /// By function and block: what is known of it if several edges lead there.
    joins: Vec<Vec<Option<Join>>>,
    /// The same for places behind calls.
    behind_calls: FxHashMap<Location, Join>,
    live: Live,
    /// Where states have waited, by a hash of the place.
    places: FxHashMap<u64, Place>,
    /// Who comes first, if that matters.
    order: Option<Order>,
    /// What merging costs and saves.
    account: Account,
}

/// How many comparisons more are worth it.
struct Credit(i32);

impl Default for Credit {
    fn default() -> Self {
        Credit(CREDIT)
    }
}

impl Credit {
    /// Two states were compared.
    fn note(&mut self, has_merged: bool) {
        let more = if has_merged { CREDIT_PER_MERGE } else { -1 };
        self.0 = (self.0 + more).clamp(0, CREDIT);
    }

    fn is_used_up(&self) -> bool {
        self.0 == 0
    }
}

/// Where states wait.
#[derive(Default)]
struct Place {
    waiting: Vec<StateKey>,
    credit: Credit,
}

impl Place {
    /// Those that another one is compared with, the newest last.
    fn candidates(&self) -> Vec<StateKey> {
        let count = self.credit.0.clamp(1, MAX_CANDIDATES) as usize;
        self.waiting[self.waiting.len().saturating_sub(count)..].to_vec()
    }
}

/// A block that several edges lead to.
#[derive(Default)]
struct Join {
    /// That of all places there, in whatever calls.
    credit: Credit,
    /// How many have come there since it was used up.
    passed: Cell<u32>,
    /// Whether merging there was given up.
    is_closed: bool,
    /// And states that were merged there are split.
    is_undone: bool,
}

impl Join {
    /// Whether whoever comes stops. Where nothing is merged, some still do, one behind the other: what comes later may be of another kind.
    fn stops(&self) -> bool {
        if self.is_closed {
            return false;
        }
        if !self.credit.is_used_up() {
            return true;
        }
        let passed = self.passed.get();
        self.passed.set(passed.wrapping_add(1));
        passed % RARELY < TOGETHER
    }
}

/// What two states at the same place have that is not the same.
struct Different {
    /// Registers of calls, the innermost call being 0.
    registers: Vec<(usize, LocalId)>,
    objects: Vec<ObjectId>,
    /// How many calls both have of their own; what is below these they share.
    calls: usize,
}

/// Why two states stay two.
enum Refusal {
    Apart(Apart),
    Costly,
}

impl Meeting {
    /// Nobody meets if nothing is merged, or if the estimates were interrupted.
    pub(super) fn new(program: &Program, merge: &Merge, interrupt: &Interrupt) -> Option<Self> {
        let rule = Rule::new(program, merge, interrupt)?;
        let joins = program.functions.iter().map(|function| {
            let graph = FlowGraph::new(function);
            let blocks = (0..graph.len() as u32).map(BlockId);
            let is_join = |block| graph.reachable_predecessors(block).nth(1).is_some();
            blocks.map(|block| is_join(block).then(Join::default)).collect()
        });
        let order = merge.strategy.waits().then(|| Order::new(program));
        Some(Meeting {
            rule,
            joins: joins.collect(),
            behind_calls: FxHashMap::default(),
            live: Live::default(),
            places: FxHashMap::default(),
            order,
            account: Account::new(merge.credit),
        })
    }

    /// What is known of a place.
    fn join(&mut self, place: &Location) -> Option<&mut Join> {
        match place.next {
            0 => self.joins[place.function.index()][place.block.index()].as_mut(),
            _ => Some(self.behind_calls.entry(*place).or_default()),
        }
    }

    /// Whether several ways lead to a block, and whoever comes there stops.
    pub(super) fn stops_at(&self, function: FunctionId, block: BlockId) -> bool {
        self.joins[function.index()][block.index()].as_ref().is_some_and(Join::stops)
    }

    /// Whether whoever comes to a place behind a call stops.
    pub(super) fn stops_behind_call(&self, location: &Location) -> bool {
        self.behind_calls.get(location).is_none_or(Join::stops)
    }
}

impl Branch {
    /// Where its calls go on, the innermost first, and whether it is there for the same reason.
    fn place(&self) -> impl Iterator<Item = Location> {
        self.state.calls().map(location)
    }

    fn place_hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.place().for_each(|location| location.hash(&mut hasher));
        (self.is_at_header, self.is_at_cut, self.is_postponed).hash(&mut hasher);
        hasher.finish()
    }

    fn stands_with(&self, other: &Branch) -> bool {
        self.is_at_header == other.is_at_header
            && self.is_at_cut == other.is_at_cut
            && self.is_postponed == other.is_postponed
            && self.state.depth() == other.state.depth()
            && self.place().eq(other.place())
    }

    /// Whether it was made of several.
    pub(super) fn is_merged(&self) -> bool {
        self.is_merged
    }
}

impl Explorer<'_> {
    /// Whether a state that has come to a join stops there: others may come, or be there.
    pub(super) fn may_meet(&self) -> bool {
        self.meeting.is_some() && !self.waiting.is_empty()
    }

    /// What a state becomes that begins to wait: it is merged with all that it can be merged with at its place.
    pub(super) fn meet(&mut self, mut branch: Branch) -> Outcome<Branch> {
        if !branch.is_at_join || self.meeting.is_none() {
            return Ok(branch);
        }
        let hash = branch.place_hash();
        let candidates = |explorer: &Self| -> Vec<StateKey> {
            let place = explorer.meeting.as_ref().and_then(|meeting| meeting.places.get(&hash));
            place.map(Place::candidates).unwrap_or_default()
        };
        let mut open = candidates(self);
        while let Some(key) = open.pop() {
            let Some(partner) = self.waiting.remove(&key) else { continue };
            if !partner.stands_with(&branch) {
                self.waiting.insert(key, partner);
                continue;
            }
            match self.merge(&partner, &branch)? {
                Ok(merged) => {
                    self.leave(&partner, hash);
                    self.note_merged(&partner, &branch, &merged);
                    branch = merged;
                    self.note_compared(&branch, hash, true);
                    open = candidates(self);
                }
                Err(refusal) => {
                    let figures = &mut self.result.merging;
                    match refusal {
                        Refusal::Costly => figures.costly += 1,
                        Refusal::Apart(apart) => *figures.apart.entry(apart).or_default() += 1,
                    }
                    self.waiting.insert(key, partner);
                    self.note_compared(&branch, hash, false);
                }
            }
        }
        if let Some(meeting) = &mut self.meeting {
            meeting.places.entry(hash).or_default().waiting.push(branch.key);
        }
        Ok(branch)
    }

    /// A state was compared with one that waits at its place.
    fn note_compared(&mut self, branch: &Branch, hash: u64, has_merged: bool) {
        let Some(meeting) = &mut self.meeting else { return };
        meeting.places.entry(hash).or_default().credit.note(has_merged);
        if let Some(join) = branch.here().and_then(|place| meeting.join(&place)) {
            join.credit.note(has_merged);
        }
    }

    /// A state waits no longer.
    pub(super) fn left(&mut self, branch: &Branch) {
        if branch.is_at_join && self.meeting.is_some() {
            self.leave(branch, branch.place_hash());
        }
    }

    fn leave(&mut self, branch: &Branch, hash: u64) {
        let Some(meeting) = &mut self.meeting else { return };
        if let Some(place) = meeting.places.get_mut(&hash) {
            place.waiting.retain(|key| *key != branch.key);
        }
    }

    fn note_merged(&mut self, partner: &Branch, branch: &Branch, merged: &Branch) {
        self.result.merging.merged += 1;
        self.result.states += 1;
        let place = self.place(branch);
        if let Some(tree) = &mut self.result.tree {
            tree.merged((partner.key, branch.key), place);
        }
        self.search.forked(branch.key, merged.key);
        self.search.ended(branch.key);
        self.search.ended(partner.key);
    }

    /// The state that stands for two at the same place, if they can be one and it is worth it.
    fn merge(&mut self, a: &Branch, b: &Branch) -> Outcome<Result<Branch, Refusal>> {
        let different = match self.different(a, b) {
            Ok(different) => different,
            Err(apart) => return Ok(Err(Refusal::Apart(apart))),
        };
        if !self.is_worth_it(a, &different) {
            return Ok(Err(Refusal::Costly));
        }
        let overlap = match a.way.max(b.way) {
            Way::Executed => Overlap::Impossible,
            Way::Passed | Way::Approximated => Overlap::Possible,
        };
        let before = self.machine.domain.terms.len();
        let Joined { selector, path, apart } =
            self.machine.domain.joined(&a.path, &b.path, overlap);
        let stands_for = a.stands_for.merged(&b.stands_for, &mut self.machine.domain, &apart);
        let merging = Merging { selector, types: &self.machine.program.types };
        let merged = self.machine.domain.merged_state(merging, (&a.state, &b.state), &different)?;
        let mut state = match merged {
            Ok(state) => state,
            Err(apart) => return Ok(Err(Refusal::Apart(apart))),
        };
        state.share();
        let Some(at) = a.here() else { return Ok(Err(Refusal::Apart(Apart::Loops))) };
        let number = self.meeting.as_mut().map_or(0, |meeting| meeting.account.next_merge());
        let terms = self.machine.domain.terms.len().saturating_sub(before);
        self.pays_for_merge(at, terms);
        Ok(Ok(Branch {
            key: self.fresh_key(),
            state,
            path,
            outputs: crate::trail::Trail::merged(selector, &a.outputs, &b.outputs),
            counters: a.counters.with_most(&b.counters),
            decisions: a.decisions.clone(),
            steps: a.steps.max(b.steps),
            way: a.way.max(b.way),
            passed: crate::trail::Trail::merged(selector, &a.passed, &b.passed),
            is_at_header: a.is_at_header,
            is_postponed: a.is_postponed,
            again: a.again.clone(),
            is_at_cut: a.is_at_cut,
            visit: Visit::merged(a.visit.clone(), b.visit.clone()),
            is_at_join: true,
            stands_for,
            is_merged: true,
            merges: a.merges.merged(&b.merges, number, (selector, at)),
            put_off: 0,
        }))
    }

    /// What differs between two states at the same place, as far as it matters.
    fn different(&mut self, a: &Branch, b: &Branch) -> Result<Different, Apart> {
        let Some(meeting) = &mut self.meeting else { return Err(Apart::Loops) };
        if a.again != b.again || !a.counters.is_in_loops_of(&b.counters) {
            return Err(Apart::Loops);
        }
        let objects = a.state.memory.different(&b.state.memory)?;
        let domain = &self.machine.domain;
        if !domain.chooses_pointers && a.state.memory.lives_alone(&b.state.memory) {
            return Err(Apart::Objects);
        }
        let program = self.machine.program;
        let mut registers = Vec::new();
        let mut calls = 0;
        let mut above = None;
        let pairs = own_calls(&a.state, &b.state);
        for (level, (ours, theirs)) in pairs.into_iter().enumerate() {
            calls = level + 1;
            if ours.target != theirs.target || ours.caller_knows != theirs.caller_knows {
                return Err(Apart::Kinds);
            }
            if ours.stack != theirs.stack {
                return Err(Apart::Objects);
            }
            let place = (ours.function, ours.block, ours.next);
            let live = meeting.live.at(program, place);
            let locals = &program.function(ours.function).locals;
            for (number, local) in (0..).map(LocalId).zip(locals) {
                let matters = local.storage == Storage::Memory || live.contains(&number);
                let (Some(x), Some(y)) =
                    (ours.locals.get(number.index()), theirs.locals.get(number.index()))
                else {
                    continue;
                };
                // What a call returns is written where it returns.
                if !matters || above == Some(number) || crate::summary::is_same(x, y) {
                    continue;
                }
                if local.storage == Storage::Memory {
                    return Err(Apart::Objects);
                }
                registers.push((level, number));
            }
            above = ours.target;
        }
        if registers.len() + objects.len() > MAX_DIFFERENT {
            return Err(Apart::Large);
        }
        Ok(Different { registers, objects, calls })
    }
}

/// The calls of two states at the same place, the innermost first, up to those that they share. Both keep all calls but
/// the innermost where others may share them.
fn own_calls<'s>(
    a: &'s State<Symbolic>,
    b: &'s State<Symbolic>,
) -> Vec<(&'s Frame<Symbolic>, &'s Frame<Symbolic>)> {
    let mut pairs: Vec<_> = a.frames.iter().rev().zip(b.frames.iter().rev()).collect();
    let (mut a, mut b) = (a.below.as_ref(), b.below.as_ref());
    while let (Some(ours), Some(theirs)) = (a, b) {
        if Rc::ptr_eq(ours, theirs) {
            break;
        }
        pairs.push((&ours.frame, &theirs.frame));
        (a, b) = (ours.below.as_ref(), theirs.below.as_ref());
    }
    pairs
}

/// What lies below so many calls.
fn below(state: &State<Symbolic>, calls: usize) -> Option<Rc<Below<Symbolic>>> {
    let mut below = state.below.clone();
    for _ in state.frames.len()..calls {
        below = below.and_then(|node| node.below.clone());
    }
    below
}

impl Symbolic {
    /// The state that stands for two.
    fn merged_state(
        &mut self,
        merging: Merging<'_>,
        (a, b): (&State<Symbolic>, &State<Symbolic>),
        different: &Different,
    ) -> crate::merge::Merged<State<Symbolic>> {
        let streams = match self.merged_streams(merging.selector, &a.streams, &b.streams) {
            Ok(streams) => streams,
            Err(apart) => return Ok(Err(apart)),
        };
        let memory =
            merged!(self.merged_memory(merging, (&a.memory, &b.memory), &different.objects));
        let pairs = own_calls(a, b);
        let mut frames: Vec<Frame<Symbolic>> =
            pairs.iter().map(|(ours, _)| (*ours).clone()).collect();
        let mut merger = Merger::new(self, merging, &memory);
        for (level, register) in &different.registers {
            let index = register.index();
            let Some((ours, theirs)) = pairs.get(*level) else { continue };
            let value = merged!(merger.value(&ours.locals[index], &theirs.locals[index]));
            if let Some(frame) = frames.get_mut(*level) {
                frame.locals[index] = value;
            }
        }
        frames.reverse();
        Ok(Ok(State { frames, below: below(a, different.calls), memory, streams }))
    }
}
