//! Empiki's entry: the command line joined to the engine and its tools.

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, ensure};
use clap::Parser as _;
use empiki::cli::{Assignment, Cli, MatchArgs, TablebaseTask, Task, completions};
use empiki::engine::log::{Direction, Log};
use empiki::engine::options::Options;
use empiki::engine::stdio;
use empiki::tools::analysis::{Format, SearchLimits};
use empiki::tools::datagen::DataRequest;
use empiki::tools::openings::SuiteRequest;
use empiki::tools::{self, arena, tablebase};
use empiki::units::Nodes;

#[allow(clippy::print_stderr, reason = "an error of the command line is told where such errors are looked for")]
fn main() -> ExitCode {
    let is_unheard = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    match run(&Cli::parse()) {
        // Nobody reads any more: nothing is left to do, and that is no fault.
        Err(error) if !error.downcast_ref().is_some_and(is_unheard) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

fn run(cli: &Cli) -> Result<()> {
    let mut options = Options::default();
    for Assignment { name, value } in &cli.options {
        options.set(name, Some(value)).map_err(|error| anyhow!(error))?;
    }
    if let Some(variant) = cli.task.as_ref().and_then(Task::variant) {
        options.play(variant);
    }
    ensure!(
        cli.log.is_none() || cli.task.is_none(),
        "--log: it is for the protocol, and a subcommand does not speak it"
    );
    match &cli.task {
        None => {
            let log = open_log(cli)?;
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
            runtime.context("no runtime for the session")?.block_on(stdio::serve(options, log))
        }
        Some(Task::Bench { depth, variant }) => tools::run_bench(*depth, *variant),
        Some(Task::Perft { depth, position, made, .. }) => {
            tools::run_perft(&options, *depth, position.as_deref(), *made)
        }
        Some(Task::Replay { file, extract: Some(number), .. }) => tools::run_extract(file, *number),
        Some(Task::Replay { file, ruleset, .. }) => tools::run_replay(file, ruleset.as_deref()),
        Some(Task::Ratings { files }) => tools::run_ratings(files),
        Some(Task::Openings { count, plies, seed, depth, bound, games, nodes, .. }) => {
            let (count, plies, seed, depth, bound) = (*count, *plies, *seed, *depth, *bound);
            let (games, nodes) = (*games, Nodes(*nodes));
            tools::run_openings(&options, &SuiteRequest { count, plies, seed, depth, bound, games, nodes })
        }
        Some(Task::Analyse { file, depth, nodes, movetime, threads, format, .. }) => {
            let limits = SearchLimits { depth: *depth, nodes: *nodes, time: movetime.map(Duration::from_millis) };
            let format = Format::named(format).context("the command line knows the formats")?;
            tools::run_analyse(&options, file, &limits, *threads, format)
        }
        Some(Task::Completions { shell }) => Ok(io::stdout().write_all(&completions(*shell))?),
        Some(Task::Tablebase { task }) => run_tablebase(task, &options),
        Some(Task::Datagen { games, nodes, seed, plies, openings, threads, out, .. }) => {
            let (games, nodes, seed, plies, threads) = (*games, *nodes, *seed, *plies, *threads);
            let request = DataRequest { games, nodes, seed, plies, openings: openings.clone(), threads };
            tools::run_datagen(&options, &request, out)
        }
        Some(Task::Match(args)) => arena::run(&match_request(MatchArgs::clone(args)), &options),
    }
}

fn run_tablebase(task: &TablebaseTask, options: &Options) -> Result<()> {
    match task {
        TablebaseTask::Build { seeds, out, threads, .. } => tablebase::build(options, *seeds, out, *threads),
        TablebaseTask::Verify { folder, variant, boards } => tablebase::verify(folder, *variant, *boards),
        TablebaseTask::Probe { folder, token, variant } => tablebase::probe(folder, *variant, token.as_deref()),
        TablebaseTask::Info { folder, variant } => tablebase::info(folder, *variant),
    }
}

/// The transcript that was asked for, with what it takes to replay it.
fn open_log(cli: &Cli) -> Result<Option<Log>> {
    let Some(path) = &cli.log else { return Ok(None) };
    let log = Log::open(path).with_context(|| format!("log {}", path.display()))?;
    log.line(Direction::Note, concat!("Empiki ", env!("CARGO_PKG_VERSION")).as_bytes());
    for Assignment { name, value } in &cli.options {
        log.line(Direction::Note, format!("option {name}={value}").as_bytes());
    }
    Ok(Some(log))
}

fn match_request(args: MatchArgs) -> arena::Request {
    arena::Request {
        engines: args.engines,
        each: args.each,
        tournament: args.tournament,
        games: args.games,
        by_points: args.by_points,
        matches: args.matches,
        concurrency: args.concurrency,
        openings: args.openings,
        seed: args.seed,
        record: args.record,
        resume: args.resume,
        json: args.json,
        sprt: args.sprt,
        draw: args.draw,
        resign: args.resign,
    }
}
