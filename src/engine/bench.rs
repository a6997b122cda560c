//! The bench: a fixed set of positions searched to a fixed depth. Its node counts are a checksum of how the search behaves.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::endgames;
use super::game::{self, SearchRequest, Work, rule_options};
use crate::protocol::Reply;
use crate::search::stop::StopHandle;
use crate::search::table::Table;
use crate::units::{Depth, Mebibytes, Nodes, OptionValues, Variant};

/// The memory of the table for each position; it is empty before each.
const HASH: Mebibytes = Mebibytes(16);

/// The positions of a variant, from its opening to its endings, and the depth that makes them take about half a second together.
const fn positions(variant: Variant) -> (&'static [&'static str], Depth) {
    match variant {
        Variant::Wuri => (
            &[
                "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
                "2-1-7-0-8-6-6-1-6-6-5-0-0-0-N",
                "1-0-16-2-0-3-0-1-5-0-4-2-6-8-S",
                "11-8-0-0-0-5-0-10-3-1-4-0-4-2-N",
                "2-3-2-1-7-1-2-4-0-2-3-3-11-7-S",
                "0-1-4-0-8-0-0-2-2-1-1-0-16-13-N",
                "2-0-1-5-0-0-5-0-0-0-2-1-15-17-S",
                "1-0-0-0-2-3-2-1-2-0-0-0-20-17-S",
            ],
            Depth(21),
        ),
        Variant::Urim => (
            &[
                "3-3-3-3-3-3-3-3-3-3-3-3-0-0-S",
                "4-0-1-2-6-5-0-4-4-1-5-4-0-0-N",
                "0-5-4-7-2-0-2-4-1-4-3-0-2-2-N",
                "3-0-10-6-2-1-1-0-1-7-2-3-0-0-N",
                "2-1-1-5-2-4-1-1-0-2-1-0-7-9-S",
                "1-0-3-2-0-3-3-3-1-5-1-1-8-5-N",
                "1-0-2-0-3-0-3-1-3-2-0-1-10-10-S",
                "1-0-2-0-0-2-1-1-0-0-2-1-9-17-N",
            ],
            Depth(21),
        ),
        Variant::Urim7 => (
            &[
                "3-3-3-3-3-3-3-3-3-3-3-3-3-3-0-0-S",
                "0-7-8-0-3-2-0-0-2-7-4-3-1-2-0-3-N",
                "1-3-4-2-1-1-1-2-4-3-0-1-6-9-0-4-S",
                "1-2-1-9-3-0-0-1-0-1-1-0-4-1-4-14-N",
                "1-0-0-2-0-3-4-3-1-3-2-0-1-2-10-10-S",
                "1-0-0-1-0-0-0-1-0-3-2-3-0-6-16-9-N",
                "1-1-0-1-0-0-1-2-0-1-3-0-2-1-20-9-N",
            ],
            Depth(21),
        ),
        Variant::Omweso => (
            &[
                "0-0-0-0-0-0-0-0-4-4-4-4-4-4-4-4-0-0-0-0-0-0-0-0-4-4-4-4-4-4-4-4-0-0-S-0",
                "2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-0-0-S",
                "1-1-0-3-0-2-3-3-0-0-6-6-1-6-0-0-0-0-0-1-2-0-2-2-4-4-0-5-5-5-1-1-0-0-N",
                "0-1-1-3-3-2-0-2-0-5-1-1-0-7-0-1-0-1-2-2-3-0-2-0-0-5-5-5-0-5-1-6-0-1-S",
                "1-1-1-1-2-3-2-2-1-0-4-0-0-0-0-0-3-0-0-8-8-1-9-4-0-2-1-2-1-4-0-3-2-2-S",
                "0-1-0-1-1-4-4-4-0-1-1-2-0-1-8-4-0-1-1-1-2-3-3-0-4-4-0-0-1-6-0-6-1-1-N",
            ],
            Depth(16),
        ),
        Variant::Kimasai => (
            &[
                "1-1-1-1-1-1-1-1-0-0-0-0-0-0-0-0-1-1-1-1-1-1-1-1-0-0-0-0-0-0-0-0-24-24-S-0",
                "2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-0-0-S",
                "0-1-1-1-0-3-0-1-0-1-1-1-4-0-2-0-0-0-1-1-0-2-0-1-0-0-0-1-2-2-2-4-16-16-N",
                "4-0-5-1-7-0-2-5-8-2-1-4-3-7-1-1-5-0-0-0-0-0-0-1-0-0-1-1-0-2-2-1-0-0-N",
                "1-0-4-1-0-2-8-1-1-1-2-0-3-0-3-0-5-4-2-2-2-2-1-1-1-2-0-1-12-1-0-1-0-0-S",
                "1-2-3-0-2-2-0-4-2-0-0-2-0-1-1-1-3-0-1-0-1-6-2-1-1-0-3-0-2-1-0-0-11-11-N",
                "3-3-2-0-2-1-1-0-0-2-1-3-1-0-0-4-3-0-2-0-1-2-0-2-0-0-1-6-1-4-0-1-9-9-N",
            ],
            Depth(13),
        ),
    }
}

/// What the bench of one variant counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// The game.
    pub variant: Variant,
    /// Moves made.
    pub nodes: Nodes,
    /// How long it took.
    pub time: Duration,
}

impl Count {
    /// Moves made in a second.
    pub fn nodes_per_second(&self) -> u64 {
        let per_second = u128::from(self.nodes.0) * 1_000_000 / self.time.as_micros().max(1);
        u64::try_from(per_second).unwrap_or(u64::MAX)
    }
}

/// Searches the positions of one variant under its default rules, to their own depth or to another one.
///
/// Returns `None` if `stop` stops it before its end.
///
/// # Errors
/// If there is no memory for the table.
pub fn run(variant: Variant, depth: Option<Depth>, stop: &Arc<StopHandle>) -> anyhow::Result<Option<Count>> {
    let (tokens, own_depth) = positions(variant);
    let mut table = Table::new(HASH)?;
    // Not while the clock runs.
    let _ = endgames::built_in(variant, &OptionValues::new(rule_options(variant)));
    let started = Instant::now();
    let mut nodes = 0;
    for token in tokens {
        table.clear();
        let mut game = game::open(variant, &OptionValues::new(rule_options(variant)));
        game.set_up(Some(token), &[])?;
        let mut request = SearchRequest::new(Arc::clone(stop));
        request.limits.depth = Some(depth.unwrap_or(own_depth));
        nodes += game.search_now(&mut table, request).nodes.0;
        if stop.should_stop() {
            return Ok(None);
        }
    }
    Ok(Some(Count { variant, nodes: Nodes(nodes), time: started.elapsed() }))
}

/// The bench as a job of the session: a line for each variant as it is counted, and one for all.
pub fn work(depth: Option<Depth>) -> Work {
    Box::new(move |stop, tell| {
        let mut counts = Vec::new();
        for variant in Variant::ALL {
            match run(variant, depth, stop) {
                Ok(Some(count)) => {
                    tell(Reply::Text(line(&count)));
                    counts.push(count);
                }
                Ok(None) => return None,
                Err(error) => return Some(Reply::error(format_args!("{error:#}"))),
            }
        }
        Some(Reply::Text(total(&counts)))
    })
}

/// The line of one variant: its name, then nodes, time and speed.
pub fn line(count: &Count) -> String {
    let Count { variant, nodes, time } = count;
    format!("bench {variant} nodes {} time {} nps {}", nodes.0, time.as_millis(), count.nodes_per_second())
}

/// The line of all variants together.
pub fn total(counts: &[Count]) -> String {
    format!("bench total nodes {}", counts.iter().map(|count| count.nodes.0).sum::<u64>())
}
