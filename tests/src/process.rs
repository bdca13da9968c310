//! Runs the binary `loupe`.

use std::ffi::OsString;
use std::fmt;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// After so long a run counts as hanging.
pub const TIME_LIMIT: Duration = Duration::from_secs(60);

/// The binary that is tested: `LOUPE_BIN` if that is set, otherwise the one that Cargo has built
/// beside the tests.
///
/// # Panics
///
/// If there is none.
pub fn binary() -> &'static Path {
    static BINARY: LazyLock<PathBuf> = LazyLock::new(find_binary);
    &BINARY
}

fn find_binary() -> PathBuf {
    if let Some(named) = std::env::var_os("LOUPE_BIN") {
        return named.into();
    }
    // A test is `target/PROFILE/deps/NAME-HASH`.
    let test = std::env::current_exe().expect("a test has a path");
    let profile = test.parent().and_then(Path::parent).expect("a test is in target/PROFILE/deps");
    let binary = profile.join(format!("loupe{}", std::env::consts::EXE_SUFFIX));
    assert!(
        binary.exists(),
        "there is no {}: `cargo test -p loupe-tests` alone does not build it, `cargo test --workspace` \
         and `cargo build -p loupe-cli` do",
        binary.display()
    );
    if let Some(source) = newer_source(&binary) {
        crate::tell(&format!(
            "warning: {} is older than {}; `cargo build -p loupe-cli` builds it anew",
            binary.display(),
            source.display()
        ));
    }
    binary
}

/// A source of the binary that has changed since it was built, by the list that Cargo keeps.
fn newer_source(binary: &Path) -> Option<PathBuf> {
    let modified = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    let built = modified(binary)?;
    let list = std::fs::read_to_string(binary.with_extension("d")).ok()?;
    let (_, sources) = list.split_once(": ")?;
    let sources = sources.split_whitespace().filter(|source| source.ends_with(".rs"));
    let mut sources = sources.map(PathBuf::from);
    sources.find(|source| modified(source).is_some_and(|time| time > built))
}

/// A call of `loupe`, in the folder of the tests unless it is said otherwise, and with nothing on
/// standard input.
pub struct Loupe {
    arguments: Vec<OsString>,
    input: Vec<u8>,
    directory: PathBuf,
}

impl Loupe {
    /// `loupe` with these arguments.
    pub fn new<A: Into<OsString>>(arguments: impl IntoIterator<Item = A>) -> Self {
        let arguments = arguments.into_iter().map(Into::into).collect();
        Loupe { arguments, input: Vec::new(), directory: crate::root().to_owned() }
    }

    /// More arguments.
    pub fn args<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Something on standard input.
    pub fn input(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.input = input.into();
        self
    }

    /// Another folder to run in.
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = directory.into();
        self
    }

    /// The call as a command, for tests that want more control.
    pub fn command(&self) -> Command {
        let mut command = Command::new(binary());
        command.args(&self.arguments).current_dir(&self.directory);
        // What a developer has set must not change what is tested.
        for variable in ["NO_COLOR", "COLUMNS", "RUST_BACKTRACE", "CLICOLOR_FORCE"] {
            command.env_remove(variable);
        }
        command
    }

    /// Runs it to its end.
    ///
    /// # Panics
    ///
    /// If it does not start or does not end within [`TIME_LIMIT`].
    pub fn run(&self) -> Finished {
        let stdin = if self.input.is_empty() { Stdio::null() } else { Stdio::piped() };
        let mut command = self.command();
        command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        let start = Instant::now();
        let child = command.spawn();
        let mut child = child.unwrap_or_else(|error| panic!("cannot start {self}: {error}"));
        if let Some(mut stdin) = child.stdin.take() {
            let input = self.input.clone();
            // The program may end before it has read everything.
            thread::spawn(move || drop(stdin.write_all(&input)));
        }
        finish(child, start).unwrap_or_else(|| panic!("{self} did not end in {TIME_LIMIT:?}"))
    }
}

/// As one would type it.
impl fmt::Display for Loupe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("loupe")?;
        for argument in &self.arguments {
            let argument = argument.to_string_lossy();
            if argument.is_empty() || argument.contains(char::is_whitespace) {
                write!(f, " {argument:?}")?;
            } else {
                write!(f, " {argument}")?;
            }
        }
        Ok(())
    }
}

/// Waits for the end of a process whose outputs are pipes; ends it, and gives `None`, if that does
/// not come within [`TIME_LIMIT`].
///
/// # Panics
///
/// If the system does not say how it ended.
pub fn finish(mut child: Child, start: Instant) -> Option<Finished> {
    let (sender, receiver) = mpsc::channel();
    let stdout = read_all(child.stdout.take(), sender.clone());
    let stderr = read_all(child.stderr.take(), sender);
    for _ in 0..2 {
        let left = TIME_LIMIT.saturating_sub(start.elapsed());
        if receiver.recv_timeout(left).is_err() {
            // It may have ended just now.
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
    }
    let status = child.wait().expect("a child process can be waited for");
    let text = |reader: thread::JoinHandle<Vec<u8>>| {
        String::from_utf8_lossy(&reader.join().expect("reading does not panic")).into_owned()
    };
    Some(Finished {
        status: exit_status(status),
        stdout: text(stdout),
        stderr: text(stderr),
        time: start.elapsed(),
    })
}

fn read_all(
    pipe: Option<impl Read + Send + 'static>,
    done: mpsc::Sender<()>,
) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What could be read before an error is still worth looking at.
            let _ = pipe.read_to_end(&mut bytes);
        }
        let _ = done.send(());
        bytes
    })
}

/// The exit status; if a signal ended the process, 128 and its number, as shells have it.
fn exit_status(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    status.code().or(signal.map(|signal| 128 + signal)).unwrap_or(-1)
}

/// A run of `loupe` that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// The exit status.
    pub status: i32,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
    /// How long it took.
    pub time: Duration,
}

/// As tests show it.
impl fmt::Display for Finished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "exit status: {}", self.status)?;
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if text.is_empty() {
                continue;
            }
            write!(f, "--- {name}\n{text}")?;
            if !text.ends_with('\n') {
                writeln!(f, "\n--- (no line end)")?;
            }
        }
        Ok(())
    }
}
