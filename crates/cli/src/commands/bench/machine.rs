//! Where we are.

use loupe_bench::Machine;
use std::num::NonZeroUsize;

/// This machine, on which so many runs are made at once; what it does not tell is said so.
pub(super) fn machine(jobs: usize) -> Machine {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let processor = value("/proc/cpuinfo", "model name");
    let kilobytes = value("/proc/meminfo", "MemTotal")
        .and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok());
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    Machine {
        processor: processor.unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
        cores,
        megabytes: kilobytes.map(|kilobytes| kilobytes / 1024),
        system: format!("{} {}", std::env::consts::OS, release.trim()).trim().to_owned(),
        jobs,
    }
}

/// What a file of the system says of something.
fn value(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
