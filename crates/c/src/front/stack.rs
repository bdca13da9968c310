//! A thread with a stack of the right size, and what happens to panics on it.
//!
//! The front end recurses over the nesting of a program, which the grammar does not bound. Memory of a
//! stack that is not used costs nothing, so the stack is chosen large.

use std::any::Any;
use std::thread;

/// Why the work has no result.
#[derive(Debug)]
pub(super) enum Failure {
    /// There is no memory for the stack.
    NoThread(std::io::Error),
    /// A panic, with its message.
    Panic(String),
}

/// The name of the threads.
pub(super) const THREAD: &str = "C front end";

const MEGABYTE: usize = 1 << 20;

/// How large a stack the preprocessor needs for a file of so many bytes: it recurses over arguments of
/// macros in arguments of macros, of which every level takes at least three bytes of text.
pub(super) fn for_preprocessing(bytes: usize) -> usize {
    (16 * MEGABYTE).saturating_add(bytes.saturating_mul(1024)).min(1024 * MEGABYTE)
}

/// Runs `work` on a thread with a stack of so many bytes.
pub(super) fn run<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .name(THREAD.to_owned())
            .stack_size(bytes)
            .spawn_scoped(scope, work)
            .map_err(Failure::NoThread)?;
        worker.join().map_err(|payload| Failure::Panic(message(payload.as_ref())))
    })
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
        .to_owned()
}
