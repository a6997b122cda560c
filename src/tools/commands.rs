//! The subcommands that read records and positions.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context as _, Result, bail};

use super::analysis::{self, Format, SearchLimits, Writer};
use super::arena::setting::Setting;
use super::datagen::{DataRequest, generate};
use super::elo::PairCounts;
use super::openings::{SuiteRequest, suite};
use super::{parallel, print, ratings};
use crate::engine::options::Options;
use crate::engine::replay::{Replayed, replay};
use crate::record::{GameRecord, RecordReader, THIRD_VOID, read_records};
use crate::search::table::Table;

/// The text of a file. Bytes that are no UTF-8 are replaced: where they matter, a line names them.
fn read(file: &Path) -> Result<String> {
    let bytes = fs::read(file).with_context(|| file.display().to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Holds every game of a record against the rules and prints for each that it is right, or what is wrong and where.
///
/// # Errors
/// If a game is wrong or of another ruleset than the one that was asked for, or nobody reads what is printed.
pub fn run_replay(file: &Path, ruleset: Option<&str>) -> Result<()> {
    let text = read(file)?;
    let (mut games, mut wrong) = (0, 0);
    for record in RecordReader::new(&text) {
        games += 1;
        let told = record
            .map_err(|error| error.to_string())
            .and_then(|record| replay_under(&record, ruleset).map(|replayed| praise(&record, &replayed)));
        wrong += usize::from(told.is_err());
        match told {
            Ok(praise) => print(format_args!("game {games} {praise}"))?,
            Err(fault) => print(format_args!("game {games} wrong: {fault}"))?,
        }
    }
    print(format_args!("replay games {games} wrong {wrong}"))?;
    if wrong > 0 {
        bail!("{}: {wrong} of {games} games are not as the rules have them", file.display());
    }
    Ok(())
}

fn replay_under(record: &GameRecord, ruleset: Option<&str>) -> Result<Replayed, String> {
    match ruleset {
        Some(wanted) if wanted != record.ruleset => {
            Err(format!("line {}: ruleset `{}`: wanted `{wanted}`", record.lines.first, record.ruleset))
        }
        _ => replay(record).map_err(|error| error.to_string()),
    }
}

fn praise(record: &GameRecord, replayed: &Replayed) -> String {
    let end = match (&replayed.outcome, record.result.termination()) {
        (Some(outcome), why) if why != Some(THIRD_VOID) => outcome.describe(replayed.mover),
        (_, Some(why)) => format!("{} {why}", record.result),
        (_, None) => record.result.to_string(),
    };
    let line = record.lines.first;
    format!("ok: line {line} ruleset {} moves {} result {end}", record.ruleset, record.moves.len())
}

/// Prints one game of a record alone, for programs that open one game a file.
///
/// # Errors
/// If the record has no such game or cannot be read, or nobody reads what is printed.
pub fn run_extract(file: &Path, number: usize) -> Result<()> {
    let text = read(file)?;
    let place = number.checked_sub(1).context("games are counted from 1")?;
    let record = RecordReader::new(&text).nth(place);
    let record = record.with_context(|| format!("{}: there is no game {number}", file.display()))??;
    Ok(print(record.to_string().trim_end())?)
}

/// Prints the cross table of all games of some records, with ratings, and what the pairs say of each two players.
///
/// # Errors
/// If a record cannot be read, or nobody reads what is printed.
pub fn run_ratings(files: &[PathBuf]) -> Result<()> {
    let records = files.iter().map(|file| read_records(&read(file)?).with_context(|| file.display().to_string()));
    let records = records.collect::<Result<Vec<_>>>()?;
    for line in ratings::pool(records.iter().flatten()).table() {
        print(line.trim_end())?;
    }
    // Rounds have the same names in every file, so pairs are looked for in each alone.
    let mut pairs: BTreeMap<_, PairCounts> = BTreeMap::new();
    for (names, counts) in records.iter().flat_map(ratings::pairs) {
        *pairs.entry(names).or_default() += counts;
    }
    for (names, counts) in pairs {
        if let Some(line) = ratings::pair_line(names, &counts) {
            print(line)?;
        }
    }
    Ok(())
}

/// Makes a suite of openings and prints it.
///
/// # Errors
/// If there are not enough positions of this kind, or nobody reads what is printed.
pub fn run_openings(options: &Options, request: &SuiteRequest) -> Result<()> {
    let variant = options.variant();
    suite(variant, options.rules(variant), request, |token| Ok(print(token)?))
}

/// Searches the positions of a record or a list and prints what it finds, in the order of the file.
///
/// # Errors
/// What is wrong in which line of the file, no memory for the tables, or nobody reads what is printed.
pub fn run_analyse(
    options: &Options,
    file: &Path,
    limits: &SearchLimits,
    threads: Option<usize>,
    format: Format,
) -> Result<()> {
    analysis::check_limits(limits)?;
    let tasks = analysis::tasks(&read(file)?, options).with_context(|| file.display().to_string())?;
    let threads = threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let threads = threads.clamp(1, tasks.len().max(1));
    let tables = (0..threads).map(|_| Table::new(options.hash())).collect::<Result<Vec<_>, _>>()?;
    let mut writer = Writer::new(format);
    writer.head().iter().try_for_each(print)?;
    let mut number = 0;
    let search = |table: &mut Table, task: &analysis::Task| analysis::analyse(table, task, limits);
    parallel::in_order(tables, &tasks, search, |finding| {
        let lines = writer.lines(&tasks[number], &finding?);
        number += 1;
        Ok(lines.iter().try_for_each(print)?)
    })?;
    Ok(writer.foot().iter().try_for_each(print)?)
}

/// Plays games, writes their positions to a file, and prints how many there are.
///
/// # Errors
/// What is wrong with the request, or the file cannot be written.
pub fn run_datagen(options: &Options, request: &DataRequest, out: &Path) -> Result<()> {
    let setting = Setting::new(options);
    let named = || out.display().to_string();
    let mut file = BufWriter::new(fs::File::create(out).with_context(named)?);
    let made = generate(&setting, request, |line| writeln!(file, "{line}").with_context(named))?;
    file.flush().with_context(named)?;
    let ruleset = &setting.ruleset;
    Ok(print(format_args!("datagen ruleset {ruleset} games {} positions {}", made.games, made.positions))?)
}
