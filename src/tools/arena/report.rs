//! What is told of a tournament: the running line, the table at its end, and the summary as JSON.

use std::fmt::Write as _;

use super::duel::Played;
use super::schedule::Fixture;
use super::standing::{Meeting, Standing};
use crate::tools::elo::{Decision, Estimate, PairCounts, Sprt, Tally};

/// The line of a game that has ended.
pub fn game_line(standing: &Standing, fixture: &Fixture, played: &Played, first_is_south: bool) -> String {
    let (south, north) = if first_is_south { (fixture.first, fixture.second) } else { (fixture.second, fixture.first) };
    let verdict = match played.winner {
        _ if played.voided_by.is_some() => "void",
        None => "drawn",
        Some(crate::units::Player::South) => "south",
        Some(crate::units::Player::North) => "north",
    };
    let (names, plies) = (&standing.names, played.moves.len());
    let (round, ending) = (&fixture.round, &played.ending);
    format!("game {round} {} - {}: {verdict} after {plies} plies, {ending}", names[south], names[north])
}

/// How a test stands.
pub fn sprt_words(sprt: &Sprt, meeting: &Meeting) -> String {
    let ((lower, upper), llr) = (sprt.bounds(), sprt.llr(&meeting.in_order));
    format!("LLR {llr:.2} ({lower:.2}, {upper:.2})")
}

/// The running line: games, and where there are two engines their Elo and the test.
pub fn running_words(standing: &Standing, sprt: Option<&Sprt>) -> String {
    let [meeting] = standing.meetings.as_slice() else { return String::new() };
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
pub fn table(standing: &Standing, sprt: Option<&Sprt>, plays_matches: bool) -> String {
    let mut text = String::new();
    ranking(&mut text, standing);
    for (&(first, second), meeting) in standing.pairings.iter().zip(&standing.meetings) {
        if standing.names.len() == 2 {
            pairs_line(&mut text, &meeting.pairs);
        }
        if plays_matches {
            let ([won, lost, open], [points, others]) = (meeting.matches, meeting.points);
            let (one, other) = (&standing.names[first], &standing.names[second]);
            let _ = writeln!(
                text,
                "matches {one} - {other}: {won} - {lost}, {open} without a winner; points {points} - {others}; void games {}",
                meeting.voids
            );
        }
    }
    if standing.names.len() > 2 {
        cross_table(&mut text, standing);
    }
    for ((engine, word), count) in &standing.faults {
        let _ = writeln!(text, "faults of {}: {word} {count}", standing.names[*engine]);
    }
    if let (Some(sprt), [meeting]) = (sprt, standing.meetings.as_slice()) {
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
fn order(standing: &Standing) -> Vec<usize> {
    let mut order: Vec<usize> = (0..standing.names.len()).collect();
    let score = |engine: usize| standing.of_engine(engine).0.score().unwrap_or(0.0);
    order.sort_by(|&one, &other| score(other).total_cmp(&score(one)));
    order
}

fn width(standing: &Standing) -> usize {
    standing.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6)
}

fn ranking(text: &mut String, standing: &Standing) {
    let width = width(standing);
    let _ = writeln!(
        text,
        "{:>4} {:<width$} {:>8} {:>7} {:>6} {:>9} {:>7} {:>6} {:>6}",
        "rank", "engine", "elo", "error", "games", "points", "score", "draws", "los"
    );
    for (rank, engine) in order(standing).into_iter().enumerate() {
        let (tally, pairs) = standing.of_engine(engine);
        let (elo, error, los) = match pairs.estimate() {
            Some(it) => (format!("{:+.1}", it.elo), format!("{:.1}", it.error), percent(Some(it.superiority))),
            None => ("-".to_owned(), "-".to_owned(), "-".to_owned()),
        };
        let _ = writeln!(
            text,
            "{:>4} {:<width$} {elo:>8} {error:>7} {:>6} {:>9.1} {:>7} {:>6} {los:>6}",
            rank + 1,
            standing.names[engine],
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
fn cross_table(text: &mut String, standing: &Standing) {
    let (width, order) = (width(standing), order(standing));
    let _ = write!(text, "\n     {:<width$}", "");
    for column in 1..=order.len() {
        let _ = write!(text, " {column:>11}");
    }
    for (rank, &engine) in order.iter().enumerate() {
        let _ = write!(text, "\n{:>4} {:<width$}", rank + 1, standing.names[engine]);
        for &other in &order {
            let _ = write!(text, " {:>11}", cell(standing, engine, other));
        }
    }
    text.push_str("\n\n");
}

fn cell(standing: &Standing, engine: usize, other: usize) -> String {
    let meetings = standing.pairings.iter().zip(&standing.meetings);
    let tally = meetings.clone().find_map(|(pairing, meeting)| match *pairing {
        pairing if pairing == (engine, other) => Some(meeting.tally),
        pairing if pairing == (other, engine) => Some(meeting.tally.reversed()),
        _ => None,
    });
    tally.map_or_else(|| "·".to_owned(), |tally| format!("{}/{}", tally.points(), tally.games()))
}

/// The summary as JSON.
pub fn json(standing: &Standing, sprt: Option<&Sprt>, ruleset: &str, is_whole: bool, plays_matches: bool) -> String {
    let mut text = String::from("{\n");
    let _ = writeln!(text, "  \"ruleset\": {},", quoted(ruleset));
    let _ = writeln!(text, "  \"games\": {},\n  \"finished\": {is_whole},", standing.games);
    let engines: Vec<String> = (0..standing.names.len()).map(|engine| engine_json(standing, engine)).collect();
    let _ = writeln!(text, "  \"engines\": [\n    {}\n  ],", engines.join(",\n    "));
    let meetings = standing.pairings.iter().zip(&standing.meetings);
    let meetings: Vec<String> =
        meetings.map(|(pairing, meeting)| meeting_json(standing, *pairing, meeting, plays_matches)).collect();
    let _ = write!(text, "  \"pairings\": [\n    {}\n  ]", meetings.join(",\n    "));
    if let (Some(sprt), [meeting]) = (sprt, standing.meetings.as_slice()) {
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

fn engine_json(standing: &Standing, engine: usize) -> String {
    let (tally, pairs) = standing.of_engine(engine);
    let faults = standing.faults.iter().filter(|((loser, _), _)| *loser == engine);
    let faults: Vec<String> = faults.map(|((_, word), count)| format!("{}: {count}", quoted(word))).collect();
    let (name, results) = (quoted(&standing.names[engine]), results_json(&tally, &pairs));
    format!("{{\"name\": {name}, {results}, \"faults\": {{{}}}}}", faults.join(", "))
}

fn meeting_json(standing: &Standing, pairing: (usize, usize), meeting: &Meeting, plays_matches: bool) -> String {
    let (first, second) = (quoted(&standing.names[pairing.0]), quoted(&standing.names[pairing.1]));
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
