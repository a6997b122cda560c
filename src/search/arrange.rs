//! Laying out seeds (O3): a search among arrangements, since there are too many for a tree.
//!
//! A few arrangements are kept and changed by small steps, and new ones thrown in; those that prove best stay. Where good ones are
//! known the search begins with them. What proves them is a short search of the game that follows. The second player sees what the
//! first has laid out and answers that. The first player does not know the answer, so his arrangements are held against a few, and a
//! strong answer to the best of them joins those after each round.

use std::sync::Arc;

use super::Searchable;
use super::info::{End, Event, Report};
use super::stop::StopHandle;
use super::table::Table;
use super::workers::Job;
use super::{SearchJob, Summary, guarded, search_now};
use crate::eval;
use crate::eval::arrangements::Bred;
use crate::rules::arrangement::{Layout, check, neighbour, random};
use crate::units::{Bound, Depth, MoveText, Nodes, ScoreValue};

/// Arrangements that are kept from round to round.
const KEPT: usize = 6;
/// Arrangements that are new in each round.
const NEW: usize = 6;
/// Answers that the first player's arrangements are held against.
const ANSWERS: usize = 5;
/// Moves made to judge one game in the first round; twice as many in every second round after it.
const NODES: u64 = 200;
/// The same where good arrangements are known, for who lays out first and for who answers: a shallow look would only spoil the order.
const BRED_NODES: [u64; 2] = [10_000, 1_000];
/// Moves made to judge one game at most: milliseconds, so that a stop is heard.
const MOST_NODES: u64 = 30_000;
/// No more rounds than this.
const ROUNDS: u16 = 400;

/// The search among arrangements as a job for a worker; at the root seeds are to be arranged, `cap` at most in a pit.
pub fn job<G: Searchable>(search: SearchJob<G>, cap: u8) -> Job {
    guarded(search, move |table, search| arrange_now(table, search, cap))
}

/// Searches among arrangements here and now. One round for each ply of the limit in depth, or of the win that is looked for: no
/// arrangement proves one, and with none that near there is nothing more to find.
pub fn arrange_now<G: Searchable>(table: &mut Table, search: &SearchJob<G>, cap: u8) -> Summary {
    let mut judge = Judge {
        table,
        search,
        cap,
        nodes: 0,
        start: NODES,
        answers: Vec::new(),
        rng: search.rules.key(&search.position).0 | 1,
    };
    let limits = [(search.limits.depth, End::Depth), (search.limits.win_within, End::WinWithin)];
    let (rounds, mut why) = limits
        .into_iter()
        .filter_map(|(plies, why)| Some((plies?.0.clamp(1, ROUNDS), why)))
        .min_by_key(|&(rounds, _)| rounds)
        .unwrap_or((ROUNDS, End::Depth));
    let mut kept = judge.prepare();
    let best_known = kept.first().copied();
    let mut lines = Vec::new();
    for round in 1..=rounds {
        let budget = (judge.start << (round / 2).min(20)).min(MOST_NODES);
        let Some(better) = judge.round(kept, budget) else {
            why = judge.end();
            break;
        };
        kept = better;
        lines = vec![judge.report(round, kept[0])];
        (search.events)(Event::Lines(lines.clone()));
        if search.stop.soft_deadline_passed() {
            why = End::SoftDeadline;
            break;
        }
        judge.find_answer(&kept[0].layout, budget);
    }
    if lines.is_empty() {
        // Too little time for one round: any arrangement is a lawful one.
        let unjudged = best_known.unwrap_or_else(|| Judged { layout: judge.random(), score: 0 });
        lines = vec![judge.report(0, unjudged)];
        (search.events)(Event::Lines(lines.clone()));
    }
    let nodes = Nodes(judge.nodes);
    (search.events)(Event::Finished {
        nodes,
        time: search.started.elapsed(),
        seldepth: Depth(0),
        hashfull: judge.table.full(),
        why,
    });
    Summary { lines, nodes }
}

/// An arrangement with what it proved to be worth to who lays it out.
#[derive(Clone, Copy)]
struct Judged {
    layout: Layout,
    score: i32,
}

/// Judges arrangements by short searches.
struct Judge<'a, G: Searchable> {
    table: &'a mut Table,
    search: &'a SearchJob<G>,
    cap: u8,
    nodes: u64,
    /// Moves made to judge one game in the first round.
    start: u64,
    /// What the second player may answer, if he is still to arrange.
    answers: Vec<Layout>,
    rng: u64,
}

impl<G: Searchable> Judge<'_, G> {
    /// A number below `sides`; the same ones in every search of a position.
    fn roll(rng: &mut u64, sides: usize) -> usize {
        // Marsaglia's xorshift.
        *rng ^= *rng << 13;
        *rng ^= *rng >> 7;
        *rng ^= *rng << 17;
        (*rng >> 33) as usize % sides
    }

    fn random(&mut self) -> Layout {
        random(self.cap, &mut |sides| Self::roll(&mut self.rng, sides))
    }

    fn neighbour(&mut self, layout: &Layout) -> Layout {
        neighbour(layout, self.cap, &mut |sides| Self::roll(&mut self.rng, sides))
    }

    /// Remembers what arrangements are known to be good, and thinks of some answers if the other player is still to arrange.
    fn prepare(&mut self) -> Vec<Judged> {
        let Bred { mut firsts, mut answers } = self.search.rules.arrangements();
        for known in [&mut firsts, &mut answers] {
            known.retain(|layout| check(layout, self.cap).is_ok());
        }
        let layout = self.random();
        let is_first = self.search.rules.is_arranging(&self.arranged(&self.search.position, &layout));
        if !firsts.is_empty() {
            self.start = BRED_NODES[usize::from(!is_first)];
        }
        let known = if is_first {
            answers.resize_with(answers.len().max(ANSWERS), || self.random());
            answers.truncate(ANSWERS);
            self.answers = answers;
            firsts
        } else {
            answers
        };
        known.into_iter().map(|layout| Judged { layout, score: 0 }).collect()
    }

    fn arranged(&self, position: &G::Position, layout: &Layout) -> G::Position {
        self.search.rules.arrange(position, layout).expect("seeds are to be arranged here")
    }

    /// Judges what was kept and as many new ones; the best are returned, best first. `None` if the search is to end.
    fn round(&mut self, kept: Vec<Judged>, budget: u64) -> Option<Vec<Judged>> {
        let mut layouts: Vec<Layout> = kept.iter().map(|judged| judged.layout).collect();
        for index in 0..NEW {
            // A third is new altogether, for as long as there is something to step from.
            let parent = kept.get(index % KEPT).filter(|_| index % 3 > 0);
            layouts.push(match parent {
                Some(parent) => self.neighbour(&parent.layout),
                None => self.random(),
            });
        }
        let mut judged = Vec::new();
        for layout in layouts {
            judged.push(Judged { layout, score: self.worth(&layout, budget)? });
        }
        judged.sort_by_key(|judged| std::cmp::Reverse(judged.score));
        judged.truncate(KEPT);
        Some(judged)
    }

    /// What an arrangement is worth to who lays it out.
    fn worth(&mut self, layout: &Layout, budget: u64) -> Option<i32> {
        let position = self.arranged(&self.search.position, layout);
        if self.answers.is_empty() {
            return self.play(&position, budget).map(|score| -score);
        }
        // The worse half of the answers counts: the other player chooses.
        let mut scores = Vec::new();
        for answer in self.answers.clone() {
            scores.push(self.play(&self.arranged(&position, &answer), budget / ANSWERS as u64)?);
        }
        scores.sort_unstable();
        let worst = &scores[..scores.len().div_ceil(2)];
        Some(worst.iter().sum::<i32>() / worst.len() as i32)
    }

    /// Looks for an answer to the best arrangement, and lets the strongest found take the place of the oldest.
    fn find_answer(&mut self, best: &Layout, budget: u64) {
        if self.answers.is_empty() {
            return;
        }
        let position = self.arranged(&self.search.position, best);
        let mut strongest: Option<Judged> = None;
        for index in 0..ANSWERS {
            let layout = self.answers[index];
            let layout = if index == 0 { self.random() } else { self.neighbour(&layout) };
            let Some(score) = self.play(&self.arranged(&position, &layout), budget / ANSWERS as u64) else { return };
            if strongest.is_none_or(|strongest| score < strongest.score) {
                strongest = Some(Judged { layout, score });
            }
        }
        if let Some(strongest) = strongest {
            self.answers.remove(0);
            self.answers.push(strongest.layout);
        }
    }

    /// The score of a game about to begin, for who is to move; `None` if the search is to end.
    fn play(&mut self, position: &G::Position, budget: u64) -> Option<i32> {
        let limit = self.search.limits.nodes.map_or(u64::MAX, |nodes| nodes.0);
        let left = limit - self.nodes;
        if left == 0 || self.search.stop.should_stop() {
            return None;
        }
        let mut game = SearchJob::new(self.search.rules, *position, self.search.mover);
        game.objective = self.search.objective;
        game.limits.nodes = Some(Nodes(budget.min(left)));
        game.stop = Arc::new(StopHandle::alone());
        let summary = search_now(self.table, &game);
        self.nodes += summary.nodes.0;
        self.search.stop.publish(self.nodes);
        Some(summary.lines.first()?.score.number().clamp(-eval::LARGEST, eval::LARGEST))
    }

    /// Why no game can be judged any more.
    fn end(&self) -> End {
        let out_of_nodes = self.search.limits.nodes.is_some_and(|limit| self.nodes == limit.0);
        if out_of_nodes { End::Nodes } else { End::Stopped }
    }

    fn report(&self, round: u16, best: Judged) -> Report {
        Report {
            depth: Depth(round),
            seldepth: Depth(round),
            multipv: 1,
            score: ScoreValue::Centiseeds(best.score),
            bound: Bound::Exact,
            proven: false,
            nodes: Nodes(self.nodes),
            time: self.search.started.elapsed(),
            hashfull: self.table.full(),
            tbhits: 0,
            pv: vec![MoveText::Arrange(best.layout)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluate;
    use crate::eval::arrangements::layout;
    use crate::rules::Rules;
    use crate::rules::omweso::Omweso;
    use crate::units::{Mebibytes, OptionValues, Player};

    /// The open arrangement.
    fn open() -> Omweso<true> {
        let mut options = OptionValues::new(Omweso::<true>::OPTIONS);
        options.set("Omweso_Arrangement", "open").unwrap().unwrap();
        Omweso::<true>::with_options(&options)
    }

    /// What is laid out with this cap after these layouts, when there is time for so many moves.
    fn laid(cap: u8, before: &[Layout], nodes: u64) -> Layout {
        let rules = open();
        let position = before.iter().fold(rules.start(), |position, layout| rules.arrange(&position, layout).unwrap());
        let mover = if before.len() == 1 { Player::North } else { Player::South };
        let mut search = SearchJob::new(rules, position, mover);
        search.limits.nodes = Some(Nodes(nodes));
        let mut table = Table::new(Mebibytes(1)).unwrap();
        let summary = arrange_now(&mut table, &search, cap);
        let MoveText::Arrange(laid) = summary.lines[0].pv[0] else { panic!("an arrangement") };
        laid
    }

    #[test]
    fn without_time_the_best_that_is_known_is_laid_out() {
        let options = OptionValues::new(Omweso::<true>::OPTIONS);
        let Bred { firsts, answers } = Omweso::<true>::with_options(&options).arrangements();
        assert_eq!(laid(10, &[], 1), firsts[0]);
        assert_eq!(laid(10, &firsts[..1], 1), answers[0]);
    }

    #[test]
    fn without_a_first_turn_that_ends_a_layout_is_lost() {
        let rules = open();
        let stuck = layout("0-1-0-1-0-1-0-1-1-0-1-0-1-0-1-24");
        let second = rules.arrange(&rules.start(), &[2; 16]).unwrap();
        for (position, answers) in [(rules.start(), vec![[2; 16]]), (second, Vec::new())] {
            let search = SearchJob::new(rules, position, Player::South);
            let mut table = Table::new(Mebibytes(1)).unwrap();
            let mut judge =
                Judge { table: &mut table, search: &search, cap: 32, nodes: 0, start: NODES, answers, rng: 1 };
            assert!(judge.worth(&stuck, NODES).is_some_and(|score| score <= 1 - eval::LARGEST));
        }
    }

    #[test]
    fn what_the_cap_forbids_is_not_laid_out() {
        for (before, nodes) in [(&[][..], 1), (&[], 300_000), (&[[2; 16]], 1), (&[[2; 16]], 300_000)] {
            let laid = laid(3, before, nodes);
            assert_eq!(check(&laid, 3), Ok(()), "{laid:?}");
        }
    }
}
