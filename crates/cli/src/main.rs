//! The command `loupe`: the only place that reads files, writes output and knows the clock.

mod args;
mod commands;
mod compile_commands;
mod console;
mod input;
mod load;
mod properties;
mod status;
mod supervise;

use args::{Arguments, Command};
use clap::Parser;
use console::Console;
use status::{Failed, Status};
use std::process::ExitCode;
use supervise::{Allowed, Recovery};

/// So long tests may take to be chosen and run.
const SECONDS_FOR_TESTS: f64 = 120.0;

fn main() -> ExitCode {
    install_panic_message();
    let arguments = match Arguments::try_parse_from(args::with_values(std::env::args_os())) {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    let console = Console::new(arguments.color);
    if let Err(mismatch) = loupe_solver::check_library() {
        console.error(&mismatch.to_string());
        return Status::BadInput.into();
    }
    let outcome = match &arguments.command {
        Command::Run(run) => commands::run::execute(run, &console),
        Command::Cfg(cfg) => commands::cfg::execute(cfg, &console),
        Command::Ast(ast) => commands::ast::execute(ast, &console),
        Command::Costs(costs) => commands::costs::execute(costs, &console),
        Command::Explore(explore) if !supervise::is_worker() && explore.ablate => {
            commands::explore::ablate::supervise(explore, &console)
        }
        Command::Explore(explore) if !supervise::is_worker() => {
            let seconds = Some(commands::explore::seconds(explore));
            let allowed = Allowed { megabytes: explore.exploring.max_memory, seconds };
            supervise::run(&allowed, &console, &Recovery::None)
        }
        Command::Explore(explore) if explore.ablate => commands::explore::ablate::own_part(explore)
            .and_then(|explore| commands::explore::explore(&explore, &console)),
        Command::Explore(explore) => commands::explore::explore(explore, &console),
        Command::Verify(verify) if !supervise::is_worker() => {
            commands::verify::several::supervise(verify, &console)
        }
        Command::Verify(verify) => commands::verify::verify(verify, &console),
        Command::Reach(reach) if !supervise::is_worker() => {
            let seconds = Some(reach.exploring.timeout);
            let allowed = Allowed { megabytes: reach.exploring.max_memory, seconds };
            let unknown = |why: &str| commands::reach::unknown(reach, why);
            supervise::run(&allowed, &console, &Recovery::Say(&unknown))
        }
        Command::Reach(reach) => commands::reach::execute(reach, &console),
        Command::Test(test) if !supervise::is_worker() => {
            // Tests are run when the exploration is over.
            let seconds = Some(test.exploring.timeout + SECONDS_FOR_TESTS);
            let allowed = Allowed { megabytes: test.exploring.max_memory, seconds };
            supervise::run(&allowed, &console, &Recovery::None)
        }
        Command::Test(test) => commands::test::execute(test, &console),
        Command::Loops(loops) if !supervise::is_worker() => {
            let seconds = Some(loops.timeout);
            let allowed = Allowed { megabytes: loops.max_memory, seconds };
            supervise::run(&allowed, &console, &Recovery::None)
        }
        Command::Loops(loops) => commands::loops::execute(loops, &console),
        Command::Gen(command) => commands::r#gen::execute(command),
        Command::Bench(bench) => commands::bench::execute(bench, &console),
        Command::Solve(solve) if !supervise::is_worker() => {
            // Its limits are for each query.
            let allowed = Allowed { megabytes: solve.max_memory, seconds: None };
            supervise::run(&allowed, &console, &Recovery::None)
        }
        Command::Solve(solve) => commands::solve::execute(solve, &console),
    };
    match outcome {
        Ok(code) => code,
        Err(Failed::Reported(status)) => status.into(),
        Err(Failed::Message(status, text)) => {
            console.error(&text);
            if status == Status::Internal {
                console.note(status::HOW_TO_REPORT);
            }
            status.into()
        }
    }
}

/// Help and version go to standard output and are no error; anything else is bad usage.
fn usage(error: &clap::Error) -> ExitCode {
    // A closed pipe is no reason to complain about the usage.
    let _ = error.print();
    if error.use_stderr() { Status::BadInput.into() } else { Status::Done.into() }
}

/// A panic is a bug: say so, and exit with the status for bugs.
fn install_panic_message() {
    let standard = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if loupe_solver::survives_panics() || loupe_c::front::survives_panics() {
            return; // a library failed, and whoever called it will say so
        }
        standard(info);
        eprintln!("error: Loupe is broken; {}", status::HOW_TO_REPORT);
        std::process::exit(Status::Internal as i32);
    }));
}
