//! Questions to a set of rules, each with the right answer.
//!
//! A game is written as its variant and its options, separated by blanks; moves as words; `startpos` is the first position.

use crate::by_hand::{Board, Book, HandTable, Rules, Table, Turn};
use crate::common::{Rng, data, variant};

/// Nothing, or how the answer differs.
pub type Verdict = Result<(), String>;

fn open(rules: &dyn Rules, game: &str) -> Box<dyn Table> {
    let (name, options) = game.split_once(' ').unwrap_or((game, ""));
    rules.open(variant(name), options)
}

/// A game after moves from a position.
fn played(rules: &dyn Rules, game: &str, from: &str, moves: &str) -> Result<Box<dyn Table>, String> {
    let mut table = open(rules, game);
    let token = (from != "startpos").then_some(from);
    if !table.set_up(token) {
        return Err(format!("{game}: {from} is refused"));
    }
    for mv in moves.split_whitespace() {
        if !table.play(mv) {
            return Err(format!("{game}: {mv} is refused at {}", table.token()));
        }
    }
    Ok(table)
}

fn same(question: &str, found: &str, wanted: &str) -> Verdict {
    if found == wanted { Ok(()) } else { Err(format!("{question}: found `{found}`, wanted `{wanted}`")) }
}

/// The moves lead to this position.
pub fn leads_to(rules: &dyn Rules, game: &str, from: &str, moves: &str, wanted: &str) -> Verdict {
    same(&format!("{game}: {from} after {moves}"), &played(rules, game, from, moves)?.token(), wanted)
}

/// These are the legal moves of a position.
pub fn offers(rules: &dyn Rules, game: &str, from: &str, wanted: &str) -> Verdict {
    same(&format!("{game}: moves at {from}"), &played(rules, game, from, "")?.moves(), wanted)
}

/// After the moves the game is over like this, or goes on: `none`.
pub fn ends(rules: &dyn Rules, game: &str, from: &str, moves: &str, wanted: &str) -> Verdict {
    same(&format!("{game}: result at {from} after {moves}"), &played(rules, game, from, moves)?.result(), wanted)
}

/// The last of the moves is not legal.
pub fn refuses(rules: &dyn Rules, game: &str, from: &str, moves: &str) -> Verdict {
    let (before, last) = moves.rsplit_once(' ').unwrap_or(("", moves));
    let taken = played(rules, game, from, before)?.play(last);
    if taken { Err(format!("{game}: {last} is taken at {from} after {before}")) } else { Ok(()) }
}

/// The moves under this theme in `moves.txt` lead where they should.
pub fn recorded(rules: &dyn Rules, game: &str, theme: &str) -> Verdict {
    let text = data("moves.txt");
    let lines = text.lines().map(|line| line.split(" | ").collect::<Vec<&str>>());
    let mut count = 0;
    for fields in lines.filter(|fields| fields[..2] == [game, theme]) {
        count += 1;
        if fields[4] == "illegal" {
            refuses(rules, game, fields[2], fields[3])?;
            continue;
        }
        leads_to(rules, game, fields[2], fields[3], fields[4])?;
        let result = fields.get(5).map_or("none", |line| &line["result ".len()..]);
        ends(rules, game, fields[2], fields[3], result)?;
    }
    assert!(count > 0, "moves.txt has {theme} of {game}");
    Ok(())
}

/// A whole game that is on record runs as it did.
pub fn whole_game(rules: &dyn Rules, file: &str) -> Verdict {
    let text = data(file);
    let name = file.split('-').nth(1).expect("KIND-VARIANT-N");
    let options = text.lines().next().filter(|line| line.contains('=')).unwrap_or("").trim_start_matches(['#', ' ']);
    let game = format!("{name} {options}");
    let mut table: Option<Box<dyn Table>> = None;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let table = match &mut table {
            Some(table) => table,
            None => table.insert(played(rules, &game, fields[0], "")?),
        };
        if let Some(result) = line.strip_prefix("result ") {
            return same(file, &table.result(), result);
        }
        same(file, &table.token(), fields[0])?;
        same(&format!("{file}: moves at {}", fields[0]), &table.moves(), fields[1])?;
        if fields.get(2).is_some_and(|mv| !table.play(mv)) {
            return Err(format!("{file}: {} is refused", fields[2]));
        }
    }
    panic!("{file} has no result")
}

/// A line of so many moves that does not end the game before its last one: groups of seeds that march round both rings. Found by
/// hand under the right rules.
pub fn line(game: &str, from: &str, plies: usize) -> String {
    let (name, options) = game.split_once(' ').unwrap_or((game, ""));
    let token = (from != "startpos").then_some(from);
    let mut table = HandTable::new(Book::new(variant(name), options, None));
    assert!(table.set_up(token), "{from}");
    let mut rng = Rng::new(1);
    let mut moves: Vec<String> = Vec::new();
    // The table as it was at every so many plies.
    const STEP: usize = 50;
    let mut kept = vec![table.clone()];
    for _ in 0..20 * plies {
        if moves.len() == plies {
            return moves.join(" ");
        }
        let turns: Vec<Turn> = table.turns().into_iter().filter(|turn| marches(table.board(), turn)).collect();
        if turns.is_empty() {
            // A few plies back, and another way.
            moves.truncate(moves.len().saturating_sub(1 + rng.below(10)));
            kept.truncate(moves.len() / STEP + 1);
            table = kept.last().expect("the first one stays").clone();
            assert!(moves[(kept.len() - 1) * STEP..].iter().all(|mv| table.play(mv)));
            continue;
        }
        let turn = turns[rng.below(turns.len())].clone();
        moves.push(turn.name.clone());
        table.make(turn);
        if moves.len().is_multiple_of(STEP) {
            kept.push(table.clone());
        }
    }
    panic!("{game}: no line of {plies} plies from {from}")
}

/// Whether a turn lifts the head of a group of 3, 2, 1 seeds or the like, which so moves on by one pit and captures nothing.
fn marches(before: &Board, turn: &Turn) -> bool {
    // The names of turns with a sign are no letters.
    let Some(pit) = (0..16).find(|&pit| turn.name == before.letter(pit).to_string()) else { return false };
    let pits = &before.pits[before.mover];
    let changed = pits.iter().zip(&turn.after.pits[before.mover]).filter(|(before, after)| before != after).count();
    // Within a group the pit behind holds one more; behind is another pit in each game, so neither side may.
    let ring = [8, 9, 10, 11, 12, 13, 14, 15, 7, 6, 5, 4, 3, 2, 1, 0];
    let at = ring.iter().position(|&other| other == pit).expect("a pit of the ring");
    let has_one_more = |steps: usize| pits[ring[(at + steps) % 16]] == pits[pit] + 1;
    !turn.captures && changed == pits[pit] + 1 && !has_one_more(1) && !has_one_more(15)
}
