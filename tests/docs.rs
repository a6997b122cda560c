//! The documents say what is true: their dialogues are replayed, their tables are held against the declarations.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use common::dialogue::{self, Dialogue};
use empiki::engine::options::Options;
use empiki::protocol::command_help;
use empiki::units::{OptionKind, OptionSpec};
use pretty_assertions::assert_eq;

fn document(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn dialogues(name: &str) -> Vec<Dialogue> {
    dialogue::blocks(name, &document(name))
}

#[test]
fn every_dialogue_of_the_protocol_is_what_the_engine_says() {
    dialogue::replay_all(&dialogues("protocol.md"));
}

#[test]
fn every_dialogue_of_the_readme_is_what_the_engine_says() {
    dialogue::replay_all(&dialogues("README.md"));
}

#[test]
fn the_readme_is_short() {
    let text = document("README.md");
    assert!(text.lines().count() <= 250, "{} lines", text.lines().count());
    let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 120).collect();
    assert_eq!(wide, Vec::<&str>::new());
}

#[test]
fn the_prose_of_the_protocol_keeps_its_width() {
    let text = document("protocol.md");
    let prose = outside_of_fences(&text).into_iter().filter(|line| !line.starts_with('|'));
    let wide: Vec<&str> = prose.filter(|line| line.chars().count() > 120).collect();
    assert_eq!(wide, Vec::<&str>::new());
}

/// The lines that stand outside of fenced blocks.
fn outside_of_fences(text: &str) -> Vec<&str> {
    text.split("```").step_by(2).flat_map(str::lines).collect()
}

/// The headings below the title of a page.
fn headings(text: &str) -> Vec<&str> {
    let lines = outside_of_fences(text).into_iter();
    lines.filter(|line| line.starts_with("##")).map(|line| line.trim_start_matches('#')).collect()
}

/// The anchor that a page of GitHub gives to a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.flat_map(char::to_lowercase).map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    for name in ["README.md", "protocol.md"] {
        let text = document(name);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("https://") {
                continue;
            }
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() { name } else { file };
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
            assert!(path.is_file(), "{name}: {link}: no such file");
            let found = place.is_empty() || {
                let target = document(file);
                let mut headings = target.lines().filter(|line| line.starts_with('#'));
                headings.any(|line| anchor(line.trim_start_matches('#')) == place)
                    || target.contains(&format!("id=\"{place}\""))
            };
            assert!(found, "{name}: {link}: no such heading");
        }
    }
}

#[test]
fn the_contents_of_the_protocol_name_each_heading_once() {
    let text = document("protocol.md");
    let (contents, _) = text.split_once("\n## ").expect("a first heading");
    let listed: Vec<&str> =
        contents.split("](#").skip(1).map(|rest| rest.split(')').next().expect("a first part")).collect();
    let anchors: Vec<String> = headings(&text).into_iter().map(anchor).collect();
    assert_eq!(listed, anchors);
    // GitHub numbers a second heading with the same anchor, so a link would lead to the first.
    let distinct: BTreeSet<&String> = anchors.iter().collect();
    assert_eq!(distinct.len(), anchors.len());
}

#[test]
fn every_client_stands_in_the_readme() {
    let clients = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/clients");
    let text = document("README.md");
    for entry in fs::read_dir(clients).expect("a directory") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("UTF-8");
        assert!(path.is_dir() || text.contains(&format!("(scripts/clients/{name})")), "{name}");
    }
}

#[test]
fn every_command_stands_in_an_example_of_the_protocol() {
    let dialogues = dialogues("protocol.md");
    let sent: Vec<&str> = dialogues.iter().flat_map(Dialogue::sent).filter_map(|line| line.split(' ').next()).collect();
    let missing: Vec<&str> = command_help().map(|help| help.name()).filter(|name| !sent.contains(name)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn every_command_has_a_heading_in_the_protocol() {
    let text = document("protocol.md");
    let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("### `")).collect();
    let has_heading = |usage: &str| headings.iter().any(|heading| heading.split('`').any(|part| part == usage));
    let missing: Vec<&str> = command_help().map(|help| help.usage).filter(|usage| !has_heading(usage)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn the_table_of_options_is_the_declared_one() {
    const HEAD: &str = "| name | kind | default | values | what it is |";
    let text = document("protocol.md");
    let rows: Vec<&str> =
        text.lines().skip_while(|line| *line != HEAD).skip(2).take_while(|line| line.starts_with('|')).collect();
    let declared: Vec<String> = Options::specs().iter().map(row).collect();
    assert_eq!(rows, declared, "the right table of protocol.md is:\n{}\n", declared.join("\n"));
}

/// The row of an option in the table.
fn row(spec: &OptionSpec) -> String {
    let code = |value: &dyn std::fmt::Display| format!("`{value}`");
    let (kind, default, values) = match spec.kind {
        OptionKind::Check { default } => ("check", code(&default), "`true`, `false`".to_owned()),
        OptionKind::Spin { default, min, max } => ("spin", code(&default), format!("`{min}` to `{max}`")),
        OptionKind::Combo { choices } => {
            let all: Vec<String> = choices.iter().map(|choice| code(choice)).collect();
            ("combo", code(&choices[0]), all.join(", "))
        }
        OptionKind::Button => ("button", String::new(), String::new()),
        OptionKind::Text { default: "" } => ("string", code(&"<empty>"), "any text".to_owned()),
        OptionKind::Text { default } => ("string", code(&default), "any text".to_owned()),
    };
    let name = code(&spec.name);
    let about = linked(spec.about);
    let cells = [&name, kind, &default, &values, &about];
    let cells: Vec<String> =
        cells.iter().map(|cell| if cell.is_empty() { " ".to_owned() } else { format!(" {cell} ") }).collect();
    format!("|{}|", cells.join("|"))
}

/// A text in which each ruling is a link to it.
fn linked(text: &str) -> String {
    rulings(text).into_iter().fold(text.to_owned(), |text, name| text.replace(name, &format!("[{name}]")))
}

/// The words of the sources that protocol.md has to explain, by game.
const WORDS: &[(&str, &[&str])] = &[
    ("Wuri", &["Oware", "Abapa", "Awale", "house", "grand slam"]),
    ("Urim", &["Ouri", "Huri", "Ourim", "Ore", "Ori", "Uril", "urin", "house"]),
    (
        "Omweso",
        &[
            "Mweso",
            "ekyokubala",
            "ekisibe",
            "ekyobutabala",
            "okwesera",
            "okukoneeza",
            "okutema",
            "emitwe-ebiri",
            "akawumbi",
            "akakyala",
            "bulijo",
            "the pledge of a seed",
            "Mayer's question",
        ],
    ),
    ("Bao la Kimasai", &["enkang", "inkang'ite", "engiteng", "ingishu", "herding", "raiding"]),
];

/// The page before the appendix of words, and the appendix.
fn page_and_words(text: &str) -> (&str, &str) {
    text.split_once("\n## The words of the sources\n").expect("an appendix of words")
}

/// What stands outside of fenced blocks, each paragraph or item of a list on one line.
fn paragraphs(text: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for block in text.split("```").step_by(2) {
        for line in block.lines() {
            if line.is_empty() || line.starts_with(['-', '#', '|']) {
                paragraphs.push(line.to_owned());
            } else {
                let last = paragraphs.last_mut().expect("there is one");
                *last = format!("{last} {}", line.trim());
            }
        }
    }
    paragraphs
}

/// The parts of a paragraph between two `mark`s.
fn marked(paragraph: &str, mark: char) -> Vec<&str> {
    paragraph.split(mark).skip(1).step_by(2).collect()
}

/// The numbers of rulings, as O13a, that a text names.
fn rulings(text: &str) -> Vec<&str> {
    let is_ruling = |word: &&str| {
        let number = word.strip_prefix(['G', 'W', 'U', 'O', 'K']).unwrap_or_default();
        let digits = number.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) && number.len() - digits.len() <= 1
    };
    text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(is_ruling).collect()
}

/// The rulings that protocol.md has, in its order.
fn rule_book() -> Vec<String> {
    document("protocol.md").lines().filter_map(|line| Some(entry(line)?.1.to_owned())).collect()
}

/// The anchor and the number of the ruling that begins on a line.
fn entry(line: &str) -> Option<(&str, &str)> {
    let (anchor, rest) = line.strip_prefix("- <a id=\"")?.split_once("\"></a>**")?;
    let (name, _) = rest.split_once("** ")?;
    Some((anchor, name)).filter(|(_, name)| rulings(name) == [*name])
}

#[test]
fn every_ruling_has_an_anchor_and_every_mention_is_a_link_to_it() {
    let text = document("protocol.md");
    let entries: Vec<(&str, &str)> = text.lines().filter_map(entry).collect();
    let definitions: Vec<String> = entries.iter().map(|(anchor, name)| format!("[{name}]: #{anchor}")).collect();
    let defined: Vec<&str> = text.lines().filter(|line| line.starts_with('[') && line.contains("]: #")).collect();
    assert_eq!(defined, definitions);
    let anchors: BTreeSet<&str> = entries.iter().map(|(anchor, _)| *anchor).collect();
    assert_eq!(anchors.len(), entries.len());
    for paragraph in paragraphs(&text) {
        let prose: String = paragraph.split('`').step_by(2).collect();
        for (_, name) in &entries {
            let others = prose.replace(&format!("[{name}]"), "").replace(&format!("**{name}**"), "");
            assert!(!rulings(&others).contains(name), "{name} is no link: {paragraph}");
        }
    }
}

#[test]
fn the_rule_books_of_the_protocol_have_every_ruling() {
    let listed = common::data("rulings.txt");
    let listed: Vec<&str> =
        listed.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(rule_book(), listed);
}

#[test]
fn every_ruling_that_the_documents_name_stands_in_a_rule_book() {
    let book = rule_book();
    for name in ["protocol.md", "README.md"] {
        for paragraph in paragraphs(&document(name)) {
            for ruling in rulings(&paragraph) {
                assert!(book.iter().any(|entry| entry == ruling), "{name}: no ruling {ruling}: {paragraph}");
            }
        }
    }
}

#[test]
fn every_option_that_the_protocol_names_is_declared_and_takes_the_value_beside_it() {
    let specs = Options::specs();
    let named = |word: &str| specs.iter().find(|spec| spec.name == word);
    let prefixes = ["UCI_", "Wuri_", "Urim_", "Omweso_", "Kimasai_"];
    for paragraph in paragraphs(&document("protocol.md")) {
        let parts: Vec<&str> = paragraph.split('`').collect();
        for (at, words) in parts.iter().enumerate().skip(1).step_by(2) {
            let (name, value) = words.split_once(' ').map_or((*words, None), |(name, value)| (name, Some(value)));
            let beside = (parts.get(at + 1) == Some(&" ")).then(|| parts[at + 2]);
            match (named(name), value.or(beside)) {
                (Some(spec), Some(value)) => drop(spec.read(value).unwrap_or_else(|error| panic!("{error}"))),
                (Some(_), None) => {}
                (None, _) => assert!(!prefixes.iter().any(|prefix| name.starts_with(prefix)), "no option `{name}`"),
            }
        }
    }
}

#[test]
fn every_word_of_the_sources_is_explained_by_a_ruling() {
    let text = document("protocol.md");
    let (page, words) = page_and_words(&text);
    for (game, wanted) in WORDS {
        let heading = format!("### Words of {game}\n");
        let (_, section) = words.split_once(&heading).unwrap_or_else(|| panic!("{game} has no words"));
        let section = paragraphs(section.split("\n#").next().expect("a first part"));
        let items: Vec<&String> = section.iter().filter(|item| item.starts_with("- ")).collect();
        let mut explained = Vec::new();
        for item in items {
            assert!(!rulings(item).is_empty(), "no ruling: {item}");
            for code in marked(item, '`') {
                assert!(page.contains(code), "`{code}` stands in this item alone: {item}");
            }
            // Code may hold an asterisk: okwesera is `B*`.
            let prose: String = item.split('`').step_by(2).collect();
            explained.extend(marked(&prose, '*').into_iter().map(str::to_owned));
        }
        let missing: Vec<_> = wanted.iter().filter(|word| !explained.iter().any(|other| other == *word)).collect();
        assert_eq!(missing, Vec::<&&str>::new(), "{game}");
    }
}
