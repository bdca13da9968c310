//! Several runs at once.

use super::journal::JournalFile;
use super::process::Tools;
use super::progress::Progress;
use crate::status::Failed;
use crate::supervise::Stop;
use loupe_bench::{Campaign, Grade, Record, Run, record};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// How often the terminal is looked after while nothing ends.
const PERIOD: Duration = Duration::from_millis(200);

/// Makes these runs, of so many in all, and writes what comes of each to the journal as soon as it is known. Runs that the user interrupts leave nothing.
pub(super) fn run_all(
    campaign: &Campaign,
    left: &[Run<'_>],
    total: usize,
    jobs: usize,
    stop: &Stop,
    journal: &mut JournalFile,
) -> Result<(), Failed> {
    let tools = Tools::new()?;
    let next = AtomicUsize::new(0);
    let is_broken = AtomicBool::new(false);
    let mut progress = Progress::new(total - left.len(), total);
    let (sender, receiver) = mpsc::channel::<(usize, Record)>();
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(left.len()) {
            let sender = sender.clone();
            let (tools, next, is_broken) = (&tools, &next, &is_broken);
            scope.spawn(move || {
                while !stop.is_asked() && !is_broken.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(run) = left.get(number) else { break };
                    let Some(observed) = tools.observe(campaign, run, stop) else { break };
                    // Nobody listens if the journal cannot be written.
                    let _ = sender.send((number, record(campaign, run, &observed)));
                }
            });
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(PERIOD) {
                Ok((number, record)) => {
                    count(&mut progress, &record, &left[number], campaign);
                    if let Err(failed) = journal.add(record) {
                        is_broken.store(true, Ordering::Relaxed);
                        return Err(failed);
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(()),
            }
            progress.show();
        }
    })
}

fn count(progress: &mut Progress, record: &Record, run: &Run<'_>, campaign: &Campaign) {
    progress.made += 1;
    match record.grade(run, &campaign.limits) {
        Grade::Wrong => progress.wrong += 1,
        Grade::Failed => progress.failed += 1,
        _ => {}
    }
}
