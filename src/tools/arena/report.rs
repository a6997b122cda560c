//! What is told of a tournament: the running line, the table at its end, and the summary as JSON.

use std::fmt::Write as _;

use super::game::Played;
use super::schedule::ScheduledGame;
use super::standings::{Meeting, Standings};
use crate::tools::elo::{Decision, Estimate, PairCounts, Sprt, Tally};

/// The line of a game that has ended.
pub fn game_line(standings: &Standings, scheduled: &ScheduledGame, played: &Played, first_is_south: bool) -> String {
    let (south, north) =
        if first_is_south { (scheduled.first, scheduled.second) } else { (scheduled.second, scheduled.first) };
    let verdict = match played.winner {
        _ if played.voided_by.is_some() => "void",
        None => "drawn",
        Some(crate::units::Player::South) => "south",
        Some(crate::units::Player::North) => "north",
    };
    let (names, plies) = (&standings.names, played.moves.len());
    let (round, ending) = (&scheduled.round, &played.ending);
    format!("game {round} {} - {}: {verdict} after {plies} plies, {ending}", names[south], names[north])
}

/// How a test stands.
pub fn sprt_words(sprt: &Sprt, meeting: &Meeting) -> String {
    let ((lower, upper), llr) = (sprt.bounds(), sprt.llr(&meeting.in_order));
    format!("LLR {llr:.2} ({lower:.2}, {upper:.2})")
}

/// The running line: games, and where there are two engines their Elo and the test.
pub fn running_words(standings: &Standings, sprt: Option<&Sprt>) -> String {
    let [meeting] = standings.meetings.as_slice() else { return String::new() };
    let Tally { wins, draws, losses } = meeting.tally;
    let mut words = format!("+{wins} ={draws} -{losses}");
    if let Some(Estimate { elo, error, .. }) = meeting.pairs.estimate() {
        let _ = write!(words, " Elo {elo:+.1} ± {error:.1}");
    }
    if let Some(sprt) = sprt {
        let _ = write!(words, " {}", sprt_words(sprt, meeting));
    }
    words
}

/// The table at the end.
pub fn table(standings: &Standings, sprt: Option<&Sprt>, plays_matches: bool) -> String {
    let mut text = String::new();
    ranking(&mut text, standings);
    for (&(first, second), meeting) in standings.pairings.iter().zip(&standings.meetings) {
        if standings.names.len() == 2 {
            pairs_line(&mut text, &meeting.pairs);
        }
        if plays_matches {
            let ([won, lost, open], [points, others]) = (meeting.matches, meeting.points);
            let (one, other) = (&standings.names[first], &standings.names[second]);
            let _ = writeln!(
                text,
                "matches {one} - {other}: {won} - {lost}, {open} without a winner; points {points} - {others}; void games {}",
                meeting.voids
            );
        }
    }
    if standings.names.len() > 2 {
        cross_table(&mut text, standings);
    }
    for ((engine, word), count) in &standings.faults {
        let _ = writeln!(text, "faults of {}: {word} {count}", standings.names[*engine]);
    }
    if let (Some(sprt), [meeting]) = (sprt, standings.meetings.as_slice()) {
        let (elo0, elo1) = sprt.hypotheses();
        let words = sprt_words(sprt, meeting);
        let _ = writeln!(text, "sprt elo0 {elo0} elo1 {elo1}: {words}, {}", decision_word(sprt, &meeting.in_order));
    }
    text.truncate(text.trim_end().len());
    text
}

fn decision_word(sprt: &Sprt, counts: &PairCounts) -> &'static str {
    match sprt.decide(counts) {
        Decision::Open => "undecided",
        Decision::Elo0 => "elo0 accepted",
        Decision::Elo1 => "elo1 accepted",
    }
}

/// The engines by their score.
fn order(standings: &Standings) -> Vec<usize> {
    let mut order: Vec<usize> = (0..standings.names.len()).collect();
    let score = |engine: usize| standings.of_engine(engine).0.score().unwrap_or(0.0);
    order.sort_by(|&one, &other| score(other).total_cmp(&score(one)));
    order
}

fn width(standings: &Standings) -> usize {
    standings.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6)
}

fn ranking(text: &mut String, standings: &Standings) {
    let width = width(standings);
    let _ = writeln!(
        text,
        "{:>4} {:<width$} {:>8} {:>7} {:>6} {:>9} {:>7} {:>6} {:>6}",
        "rank", "engine", "elo", "error", "games", "points", "score", "draws", "los"
    );
    for (rank, engine) in order(standings).into_iter().enumerate() {
        let (tally, pairs) = standings.of_engine(engine);
        let (elo, error, los) = match pairs.estimate() {
            Some(it) => (format!("{:+.1}", it.elo), format!("{:.1}", it.error), percent(Some(it.superiority))),
            None => ("-".to_owned(), "-".to_owned(), "-".to_owned()),
        };
        let _ = writeln!(
            text,
            "{:>4} {:<width$} {elo:>8} {error:>7} {:>6} {:>9.1} {:>7} {:>6} {los:>6}",
            rank + 1,
            standings.names[engine],
            tally.games(),
            tally.points(),
            percent(tally.score()),
            percent(tally.draw_ratio()),
        );
    }
}

fn percent(part: Option<f64>) -> String {
    part.map_or_else(|| "-".to_owned(), |part| format!("{:.1}%", 100.0 * part))
}

fn pairs_line(text: &mut String, pairs: &PairCounts) {
    let [lost, worse, even, better, won] = pairs.0;
    let _ = writeln!(text, "pairs 0: {lost}, 0.5: {worse}, 1: {even}, 1.5: {better}, 2: {won}");
}

/// Who made how many points against whom.
fn cross_table(text: &mut String, standings: &Standings) {
    let (width, order) = (width(standings), order(standings));
    let _ = write!(text, "\n     {:<width$}", "");
    for column in 1..=order.len() {
        let _ = write!(text, " {column:>11}");
    }
    for (rank, &engine) in order.iter().enumerate() {
        let _ = write!(text, "\n{:>4} {:<width$}", rank + 1, standings.names[engine]);
        for &other in &order {
            let _ = write!(text, " {:>11}", cell(standings, engine, other));
        }
    }
    text.push_str("\n\n");
}

fn cell(standings: &Standings, engine: usize, other: usize) -> String {
    let meetings = standings.pairings.iter().zip(&standings.meetings);
    let tally = meetings.clone().find_map(|(pairing, meeting)| match *pairing {
        pairing if pairing == (engine, other) => Some(meeting.tally),
        pairing if pairing == (other, engine) => Some(meeting.tally.reversed()),
        _ => None,
    });
    tally.map_or_else(|| "·".to_owned(), |tally| format!("{}/{}", tally.points(), tally.games()))
}

/// The summary as JSON.
pub fn json(standings: &Standings, sprt: Option<&Sprt>, ruleset: &str, is_whole: bool, plays_matches: bool) -> String {
    let mut text = String::from("{\n");
    let _ = writeln!(text, "  \"ruleset\": {},", quoted(ruleset));
    let _ = writeln!(text, "  \"games\": {},\n  \"finished\": {is_whole},", standings.games);
    let engines: Vec<String> = (0..standings.names.len()).map(|engine| engine_json(standings, engine)).collect();
    let _ = writeln!(text, "  \"engines\": [\n    {}\n  ],", engines.join(",\n    "));
    let meetings = standings.pairings.iter().zip(&standings.meetings);
    let meetings: Vec<String> =
        meetings.map(|(pairing, meeting)| meeting_json(standings, *pairing, meeting, plays_matches)).collect();
    let _ = write!(text, "  \"pairings\": [\n    {}\n  ]", meetings.join(",\n    "));
    if let (Some(sprt), [meeting]) = (sprt, standings.meetings.as_slice()) {
        let ((elo0, elo1), (lower, upper)) = (sprt.hypotheses(), sprt.bounds());
        let (llr, decision) = (sprt.llr(&meeting.in_order), decision_word(sprt, &meeting.in_order));
        let _ = write!(
            text,
            ",\n  \"sprt\": {{\"elo0\": {elo0}, \"elo1\": {elo1}, \"llr\": {llr:.4}, \"lower\": {lower:.4}, \
             \"upper\": {upper:.4}, \"pairs\": {}, \"decision\": {}}}",
            meeting.in_order.pairs(),
            quoted(decision)
        );
    }
    text.push_str("\n}\n");
    text
}

fn results_json(tally: &Tally, pairs: &PairCounts) -> String {
    let Tally { wins, draws, losses } = tally;
    let mut text = format!("\"wins\": {wins}, \"draws\": {draws}, \"losses\": {losses}, \"pairs\": {:?}", pairs.0);
    if let Some(Estimate { elo, error, superiority }) = pairs.estimate() {
        let _ = write!(text, ", \"elo\": {elo:.4}, \"error\": {error:.4}, \"los\": {superiority:.6}");
    }
    text
}

fn engine_json(standings: &Standings, engine: usize) -> String {
    let (tally, pairs) = standings.of_engine(engine);
    let faults = standings.faults.iter().filter(|((loser, _), _)| *loser == engine);
    let faults: Vec<String> = faults.map(|((_, word), count)| format!("{}: {count}", quoted(word))).collect();
    let (name, results) = (quoted(&standings.names[engine]), results_json(&tally, &pairs));
    format!("{{\"name\": {name}, {results}, \"faults\": {{{}}}}}", faults.join(", "))
}

fn meeting_json(standings: &Standings, pairing: (usize, usize), meeting: &Meeting, plays_matches: bool) -> String {
    let (first, second) = (quoted(&standings.names[pairing.0]), quoted(&standings.names[pairing.1]));
    let results = results_json(&meeting.tally, &meeting.pairs);
    let mut text = format!("{{\"first\": {first}, \"second\": {second}, {results}, \"void\": {}", meeting.voids);
    if plays_matches {
        let ([won, lost, open], [points, others]) = (meeting.matches, meeting.points);
        let _ = write!(
            text,
            ", \"matches\": {{\"first\": {won}, \"second\": {lost}, \"open\": {open}}}, \"points\": [{points}, {others}]"
        );
    }
    text.push('}');
    text
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            control if control.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(control));
            }
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
