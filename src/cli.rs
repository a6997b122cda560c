//! The command line.

use std::path::PathBuf;

use clap::{Args, CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;

use crate::units::{Depth, Nodes, Variant};

/// What the program was started with.
#[derive(Parser, Debug)]
#[command(name = "empiki", version, about = ABOUT, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// Sets an option before anything else, as `setoption` would
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = assignment, global = true)]
    pub options: Vec<Assignment>,

    /// Puts the session down at the end of this file: both directions, with the seconds since its start
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,

    /// What to do; without it the engine speaks its protocol on standard input and output
    #[command(subcommand)]
    pub task: Option<Task>,
}

const ABOUT: &str =
    "An engine for traditional mancala games that speaks a UCI-style protocol on standard input and output";

const EXAMPLES: &str = "\
Examples:
  empiki                                        speak the protocol; `help` lists its commands
  empiki --option UCI_Variant=omweso            the same, beginning with Omweso
  empiki --option \"Move Overhead=50\" --option Hash=256
  empiki --log session.log                      the same, with a transcript beside it
  empiki bench                                  search the fixed positions and count nodes
  empiki perft --variant omweso 5               count leaf positions
  empiki replay games.ogn                       check recorded games by the rules
  empiki ratings games.ogn                      rate those who played them
  empiki analyse --depth 12 games.ogn           search every position of recorded games
  empiki completions bash                       print what bash needs to complete all this
  empiki tablebase build --variant wuri --seeds 12 --out tables
  empiki match --variant omweso --games 100 --openings random:6 --each \"tc=5+0.05\" \\
    --engine \"name=new cmd=./new\" --engine \"name=old cmd=./old\" --record games.ogn";

/// What the program does when it does not speak the protocol.
#[derive(Subcommand, Clone, PartialEq, Eq, Debug)]
pub enum Task {
    /// Searches a fixed set of positions and counts nodes: a checksum of the search, and its speed
    Bench {
        /// Plies to search instead of each game's own
        #[arg(value_parser = depth)]
        depth: Option<Depth>,
        /// Only this game
        #[arg(long, value_parser = variant)]
        variant: Option<Variant>,
    },
    /// Counts the leaf positions of the game tree: a checksum of the rules, and their speed
    Perft {
        /// Plies down to the leaves
        #[arg(value_parser = depth)]
        depth: Depth,
        /// The game, UCI_Variant by default
        #[arg(long, value_parser = variant)]
        variant: Option<Variant>,
        /// The position, the start by default
        #[arg(long, value_name = "TOKEN")]
        position: Option<String>,
        /// Makes the moves of the last ply too, instead of counting them
        #[arg(long)]
        made: bool,
    },
    /// Checks every game of a record by the rules, and says what is wrong and where
    Replay {
        /// The record
        file: PathBuf,
        /// Refuses games that were played under another ruleset
        #[arg(long, value_name = "WORD")]
        ruleset: Option<String>,
        /// Prints this game alone, counted from 1, for programs that open one game a file
        #[arg(long, value_name = "NUMBER", conflicts_with = "ruleset")]
        extract: Option<usize>,
    },
    /// Rates those who played recorded games, and shows who scored what against whom
    Ratings {
        /// The records
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Makes positions in which neither side is ahead, to begin the games of a match from
    Openings {
        /// The game, UCI_Variant by default
        #[arg(long, value_parser = variant)]
        variant: Option<Variant>,
        /// How many
        #[arg(long, default_value_t = 50)]
        count: usize,
        /// Plies played at random from the start
        #[arg(long, default_value_t = 8)]
        plies: u32,
        /// The seed of chance: the same one gives the same positions
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Plies that each position is searched, at least 3
        #[arg(long, default_value = "6", value_parser = depth)]
        depth: Depth,
        /// The most that a position may be worth to either side, in hundredths of a seed
        #[arg(long, default_value_t = 100)]
        bound: i32,
        /// Games that the engine plays against itself from each position, of which each side must win a third
        #[arg(long, default_value_t = 0)]
        games: u32,
        /// The moves that a search of these games makes, give or take a third
        #[arg(long, default_value_t = 20_000)]
        nodes: u64,
    },
    /// Searches every position of recorded games, or of a list of tokens, and tells what was best
    Analyse {
        /// The record, or the list: a line is a position or startpos, and perhaps `moves` and moves
        file: PathBuf,
        /// The game of a list, UCI_Variant by default
        #[arg(long, value_parser = variant)]
        variant: Option<Variant>,
        /// Plies a position
        #[arg(long, value_parser = depth)]
        depth: Option<Depth>,
        /// Moves made a position
        #[arg(long, value_parser = nodes)]
        nodes: Option<Nodes>,
        /// Milliseconds a position
        #[arg(long, value_name = "MS")]
        movetime: Option<u64>,
        /// Positions searched at the same time, as many as there are processors by default
        #[arg(long)]
        threads: Option<usize>,
        /// How it is written
        #[arg(long, default_value = "text", value_parser = ["text", "csv", "json"])]
        format: String,
    },
    /// Prints what a shell needs to complete this command line
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Builds endgame tables of Wuri and Urim, checks them, and tells what is in them
    Tablebase {
        /// What to do with tables
        #[command(subcommand)]
        task: TablebaseTask,
    },
    /// Plays games by itself and writes their positions to a file, to train an evaluation on
    Datagen {
        /// The game, UCI_Variant by default
        #[arg(long, value_parser = variant)]
        variant: Option<Variant>,
        /// How many games
        #[arg(long, default_value_t = 1000)]
        games: u64,
        /// Moves made by the search for each move that is played
        #[arg(long, default_value = "1000", value_parser = nodes)]
        nodes: Nodes,
        /// The seed of chance: the same one gives the same file
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The most plies by lot that a game begins with
        #[arg(long, default_value_t = 8)]
        plies: u32,
        /// Where games begin before that: startpos, random:PLIES, or a file as for match
        #[arg(long, value_name = "FILE", default_value = "startpos")]
        openings: String,
        /// Games at a time
        #[arg(long, default_value_t = 1)]
        threads: usize,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Lets engines play each other, with the rules as the referee
    #[command(after_help = MATCH_HELP, args_override_self = true)]
    Match(Box<MatchArgs>),
}

impl Task {
    /// The game that is to be played instead of the one that the options name.
    pub fn variant(&self) -> Option<Variant> {
        match self {
            Task::Perft { variant, .. }
            | Task::Openings { variant, .. }
            | Task::Analyse { variant, .. }
            | Task::Datagen { variant, .. } => *variant,
            Task::Match(args) => args.variant,
            Task::Tablebase { task } => task.variant(),
            Task::Bench { .. } | Task::Replay { .. } | Task::Ratings { .. } | Task::Completions { .. } => None,
        }
    }
}

/// The script that teaches a shell to complete this command line.
pub fn completions(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "empiki", &mut script);
    script
}

/// What is done with endgame tables.
#[derive(Subcommand, Clone, PartialEq, Eq, Debug)]
pub enum TablebaseTask {
    /// Builds the tables up to a number of seeds into files; layers that are there already stay
    Build {
        /// The game, UCI_Variant by default
        #[arg(long, value_parser = variant)]
        variant: Option<Variant>,
        /// The most seeds in the pits
        #[arg(long, value_name = "N")]
        seeds: u8,
        /// The folder of the files
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Threads, as many as there are processors by default
        #[arg(long)]
        threads: Option<usize>,
    },
    /// Reads every byte of the tables, and holds bounds against those of the boards that the moves lead to
    Verify {
        /// The folder of the files
        folder: PathBuf,
        /// The game, all that there are by default
        #[arg(long, value_parser = variant)]
        variant: Option<Variant>,
        /// The most boards to look at in each layer
        #[arg(long, value_name = "N", default_value_t = 100_000)]
        boards: u64,
    },
    /// Tells what each side can force in a position, and after each of its moves
    Probe {
        /// The folder of the files
        folder: PathBuf,
        /// The position; without it each line of the input is one
        token: Option<String>,
        /// The game, where the folder has tables of more than one
        #[arg(long, value_parser = variant)]
        variant: Option<Variant>,
    },
    /// Tells how large the tables are, what the boards are worth and how much of that is known
    Info {
        /// The folder of the files
        folder: PathBuf,
        /// The game, all that there are by default
        #[arg(long, value_parser = variant)]
        variant: Option<Variant>,
    },
}

impl TablebaseTask {
    fn variant(&self) -> Option<Variant> {
        match self {
            TablebaseTask::Build { variant, .. }
            | TablebaseTask::Verify { variant, .. }
            | TablebaseTask::Probe { variant, .. }
            | TablebaseTask::Info { variant, .. } => *variant,
        }
    }
}

const MATCH_HELP: &str = "\
Words of --engine and --each, blanks inside quotes:
  name=NAME  cmd=PROGRAM or \"PROGRAM ARGUMENTS\", builtin:random, builtin:greedy  dir=DIRECTORY  proto=uci|ugi
  option.NAME=VALUE  \"option.Move Overhead=20\"
  tc=SECONDS+INCREMENT  st=SECONDS (each move)  nodes=N  depth=N
  margin=MILLISECONDS   how late a move may be (50)
  start=SECONDS         how long a start may take (10)
  hang=SECONDS          how long a move without a clock is waited for (60)
With --option Omweso_Mode=blitz no move of a program may take more than three seconds.

A crash, a hang, a late or an illegal move, output that is no answer and floods lose the game; the engine is started
again and the match goes on. Ctrl-C ends the match, keeps the record and prints the table.";

/// How a match is played.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct MatchArgs {
    /// An engine, as "name=A cmd=./a option.Hash=16 tc=5+0.05"; once for each
    #[arg(long = "engine", value_name = "WORDS", required = true)]
    pub engines: Vec<String>,
    /// Words that hold for every engine, unless its own say otherwise
    #[arg(long, value_name = "WORDS", default_value = "", hide_default_value = true)]
    pub each: String,
    /// The game, UCI_Variant by default
    #[arg(long, value_parser = variant)]
    pub variant: Option<Variant>,
    /// Who meets whom: round-robin, or gauntlet for the first engine against all others
    #[arg(long, value_name = "KIND", default_value = "round-robin")]
    pub tournament: String,
    /// Games of each two engines, half of them from each side; the most games of each match with --match, 100 by default
    #[arg(long, value_name = "N")]
    pub games: Option<usize>,
    /// Plays matches by the rule book: points for Omweso to 12 and Urim to 10, or points=N; an akawumbi wins any
    #[arg(long = "match", value_name = "points[=N]")]
    pub by_points: Option<String>,
    /// Matches of each two engines
    #[arg(long, value_name = "N", default_value_t = 1, requires = "by_points")]
    pub matches: usize,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub concurrency: usize,
    /// Where games begin: startpos, random:PLIES, or a file: a position or `startpos moves LIST` in each line, or recorded games that go on
    #[arg(long, value_name = "FILE", default_value = "startpos")]
    pub openings: String,
    /// Where chance begins: openings, who begins, players by lot
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Writes each game to this file as it ends
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Goes on with the match of --record
    #[arg(long)]
    pub resume: bool,
    /// Writes a summary to this file at the end
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Ends the match when it is decided: "elo0=0 elo1=5 alpha=0.05 beta=0.05"
    #[arg(long, value_name = "WORDS")]
    pub sprt: Option<String>,
    /// Draws a game that both engines hold for level: "moves=8 score=10 plies=60", in moves of each and hundredths of a seed
    #[arg(long, value_name = "WORDS")]
    pub draw: Option<String>,
    /// Ends a game that an engine holds for lost: "score=1000 moves=4"
    #[arg(long, value_name = "WORDS")]
    pub resign: Option<String>,
}

/// `NAME=VALUE`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// The option.
    pub name: String,
    /// Its value, empty for a button.
    pub value: String,
}

fn assignment(text: &str) -> Result<Assignment, String> {
    let (name, value) = text.split_once('=').ok_or("wanted NAME=VALUE")?;
    Ok(Assignment { name: name.to_owned(), value: value.to_owned() })
}

fn depth(text: &str) -> Result<Depth, String> {
    text.parse().map(Depth).map_err(|_| format!("wanted a number of plies from 0 to {}", u16::MAX))
}

fn nodes(text: &str) -> Result<Nodes, String> {
    text.parse().map(Nodes).map_err(|_| "wanted a number of moves".to_owned())
}

fn variant(text: &str) -> Result<Variant, String> {
    Variant::ALL.into_iter().find(|variant| variant.name() == text).ok_or_else(|| {
        let names: Vec<&str> = Variant::ALL.iter().map(|variant| variant.name()).collect();
        format!("wanted one of {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn an_option_is_a_name_and_a_value_that_may_hold_blanks() {
        let cli =
            Cli::try_parse_from(["empiki", "--option", "Move Overhead=50", "bench", "--option", "Hash=2"]).unwrap();
        let pairs: Vec<(&str, &str)> = cli.options.iter().map(|it| (it.name.as_str(), it.value.as_str())).collect();
        // Those after the subcommand count as well.
        assert!(pairs.contains(&("Hash", "2")), "{pairs:?}");
        assert!(Cli::try_parse_from(["empiki", "--option", "Hash"]).is_err());
        assert!(Cli::try_parse_from(["empiki", "perft", "-1"]).is_err());
        assert!(Cli::try_parse_from(["empiki", "perft", "--variant", "chess", "1"]).is_err());
    }

    #[test]
    fn every_shell_completes_every_subcommand() {
        assert!(Shell::value_variants().len() >= 5);
        for &shell in Shell::value_variants() {
            let script = String::from_utf8(completions(shell)).unwrap();
            for subcommand in Cli::command().get_subcommands() {
                assert!(script.contains(subcommand.get_name()), "{shell}: {}", subcommand.get_name());
            }
            assert!(script.contains("option") && script.contains("concurrency"), "{shell}");
        }
    }

    #[test]
    fn of_a_match_the_last_word_holds_and_every_engine() {
        let words = ["empiki", "match", "--games", "2", "--engine", "cmd=a", "--engine", "cmd=b", "--games", "4"];
        let Some(Task::Match(args)) = Cli::try_parse_from(words).unwrap().task else { panic!("a match") };
        assert_eq!((args.games, args.engines.len(), args.concurrency), (Some(4), 2, 1));
        assert!(Cli::try_parse_from(["empiki", "match", "--games", "2"]).is_err());
    }
}
