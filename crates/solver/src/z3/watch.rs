//! A thread that stops Z3 when the clock strikes, when memory is short, or when somebody asks.
//!
//! Z3 has a timer of its own, but it costs a thread for every check, and it knows neither our
//! interrupts nor memory. Here one thread for each backend looks every few milliseconds at what the
//! backend is doing. It sleeps for good when nothing has been asked for a while.

use crate::answer::Reason;
use crate::limits::Limits;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use z3_sys::{Z3_context, Z3_get_estimated_alloc_size, Z3_interrupt};

/// How often the thread looks: far below the 300 ms within which an interrupt must take effect.
const PERIOD: Duration = Duration::from_millis(5);
/// After so many looks at an idle backend the thread waits until it is woken.
const PATIENCE: u32 = 100;

/// What the backend is doing.
#[derive(Default)]
struct State {
    /// The check under way.
    job: Option<Job>,
    /// Why that check was interrupted.
    fired: Option<Reason>,
    /// The thread waits to be woken.
    asleep: bool,
    /// The backend is gone.
    over: bool,
}

struct Job {
    context: ContextPointer,
    deadline: Option<Instant>,
    limits: Limits,
}

struct ContextPointer(Z3_context);

// SAFETY: the pointer is only handed to `Z3_interrupt`, which Z3 allows from any thread while the
// context lives; see `Watch::during` for why it does.
#[allow(unsafe_code)]
unsafe impl Send for ContextPointer {}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic while the lock is held leaves nothing half-done in it.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The watch over one backend.
#[derive(Default)]
pub(super) struct Watch {
    shared: Arc<Shared>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Watch {
    /// Runs `work`, which uses the thread's context of Z3, under limits; with it comes why it was
    /// interrupted, if it was.
    pub(super) fn during<T>(
        &mut self,
        limits: &Limits,
        work: impl FnOnce() -> T,
    ) -> (T, Option<Reason>) {
        if self.thread.is_none() {
            let shared = Arc::clone(&self.shared);
            let thread = std::thread::Builder::new().name("solver watch".into());
            // Without a thread there is still the limit on work.
            self.thread = thread.spawn(move || watch(&shared)).ok();
        }
        // Held until the job is taken back below, so the context outlives the job.
        let context = z3::Context::thread_local();
        let deadline = Instant::now().checked_add(limits.time);
        let job = Job {
            context: ContextPointer(context.get_z3_context()),
            deadline,
            limits: limits.clone(),
        };
        let mut state = self.shared.lock();
        state.job = Some(job);
        state.fired = None;
        if state.asleep {
            self.shared.wake.notify_one();
        }
        drop(state);
        let guard = TakeBack(&self.shared);
        let result = work();
        drop(guard);
        let fired = self.shared.lock().fired.take();
        if fired.is_some() {
            // A request stays in the context until the next check of a solver takes it away: nothing that
            // is asked later, by whatever backend of this thread, must meet it.
            z3::Solver::new().check();
        }
        drop(context);
        (result, fired)
    }
}

impl Watch {
    /// The same for what has no limit on work of its own, by that of the whole context.
    pub(super) fn during_all<T>(
        &mut self,
        limits: &Limits,
        work: impl FnOnce() -> T,
    ) -> (T, Option<Reason>) {
        let _unlimited_again = ContextWork::limit(limits.z3_work());
        self.during(limits, work)
    }
}

/// The context's limit on work, for as long as this lives.
struct ContextWork(z3::Context);

impl ContextWork {
    fn limit(work: u32) -> Self {
        let mut context = z3::Context::thread_local();
        context.update_param_value("rlimit", &work.to_string());
        ContextWork(context)
    }
}

impl Drop for ContextWork {
    fn drop(&mut self) {
        self.0.update_param_value("rlimit", "0");
    }
}

/// Takes the job back even if the work panics.
struct TakeBack<'s>(&'s Shared);

impl Drop for TakeBack<'_> {
    fn drop(&mut self) {
        self.0.lock().job = None;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.lock().over = true;
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            // It ends by itself; if it has panicked there is nothing left to do.
            let _ = thread.join();
        }
    }
}

fn watch(shared: &Shared) {
    let mut idle = 0;
    let mut state = shared.lock();
    while !state.over {
        let State { job, fired, .. } = &mut *state;
        match job {
            Some(job) => {
                idle = 0;
                if let Some(reason) = job.reason() {
                    fired.get_or_insert(reason);
                    // Again at every look: a request that comes before Z3 has begun to search is lost.
                    // SAFETY: the job is here, and the lock is held, so `during` has not returned and
                    // its clone of the context keeps it alive.
                    #[allow(unsafe_code)]
                    unsafe {
                        Z3_interrupt(job.context.0);
                    }
                }
            }
            None => idle += 1,
        }
        let wait = if idle > PATIENCE { None } else { Some(PERIOD) };
        state = match wait {
            Some(period) => match shared.wake.wait_timeout(state, period) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            },
            None => {
                state.asleep = true;
                let mut state = match shared.wake.wait(state) {
                    Ok(state) => state,
                    Err(poisoned) => poisoned.into_inner(),
                };
                state.asleep = false;
                idle = 0;
                state
            }
        };
    }
}

impl Job {
    /// Why the check must stop now.
    fn reason(&self) -> Option<Reason> {
        if self.limits.interrupt.is_requested() {
            return Some(Reason::Interrupted);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Reason::Time);
        }
        (allocated() > self.limits.memory).then_some(Reason::Memory)
    }
}

/// How many bytes Z3 uses, in all contexts of the process.
pub(super) fn allocated() -> u64 {
    // SAFETY: the function takes nothing and reads a counter that Z3 guards itself.
    #[allow(unsafe_code)]
    unsafe {
        Z3_get_estimated_alloc_size()
    }
}
