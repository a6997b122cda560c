//! The documents say what is true: their dialogues are replayed, their tables are held against the declarations.

mod common;

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
    let cells = [&name, kind, &default, &values, spec.about];
    let cells: Vec<String> =
        cells.iter().map(|cell| if cell.is_empty() { " ".to_owned() } else { format!(" {cell} ") }).collect();
    format!("|{}|", cells.join("|"))
}
