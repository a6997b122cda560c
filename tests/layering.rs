//! The walls of the house stand: who imports what is held against the table in the documentation of the crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use pretty_assertions::assert_eq;

/// Each room with the rooms that it may import. A room that does not exist yet harms nobody.
const ROOMS: &[(&str, &[&str])] = &[
    ("units", &[]),
    ("rules", &["units"]),
    ("eval", &["units", "rules"]),
    ("tablebase", &["units", "rules"]),
    ("search", &["units", "rules", "eval", "tablebase"]),
    ("protocol", &["units"]),
    ("record", &["units", "rules", "protocol"]),
    ("engine", &["units", "rules", "eval", "tablebase", "search", "protocol", "record"]),
    ("tools", &["units", "rules", "eval", "tablebase", "search", "protocol", "record", "engine"]),
    ("cli", &["units"]),
];

/// Words that only some files may hold, each with the beginnings of their paths.
const GUESTS: &[(&str, &[&str])] = &[
    ("nom::", &["protocol"]),
    ("tokio::", &["engine", "main", "tools/arena"]),
    ("clap::", &["cli", "main"]),
    ("anyhow::", &["engine", "tools", "main"]),
    ("stdout(", &["engine/stdio", "tools", "main"]),
    ("println!", &["tools", "main"]),
    ("print!", &["tools", "main"]),
];

/// A source file without its comments and without its tests.
struct Source {
    /// From `src`, without the ending: `rules/wuri`.
    path: String,
    code: String,
}

impl Source {
    fn room(&self) -> &str {
        self.path.split('/').next().expect("a path has a part")
    }

    /// The modules from the root of the crate down to this file.
    fn modules(&self) -> Vec<&str> {
        match self.path.as_str() {
            "lib" | "main" => Vec::new(),
            path => path.split('/').collect(),
        }
    }

    /// The rooms that its `crate::` and `super::` paths lead to.
    fn imports(&self) -> BTreeSet<String> {
        let places = [("crate::", 0), ("super::", 1)].into_iter().flat_map(|(word, up)| {
            words(&self.code, word).map(move |at| (up, &self.code[at + word.len()..])).collect::<Vec<_>>()
        });
        places.flat_map(|(up, rest)| self.lead(up, rest)).collect()
    }

    /// The files that its paths lead to.
    fn files<'f>(&self, files: &BTreeSet<&'f str>) -> BTreeSet<&'f str> {
        let mut found = BTreeSet::new();
        for (word, up) in [("crate::", 0), ("super::", 1)] {
            for at in words(&self.code, word) {
                let mut modules: Vec<String> = self.modules().into_iter().map(str::to_owned).collect();
                let mut rest = &self.code[at + word.len()..];
                modules.truncate(if up == 0 { 0 } else { modules.len() - 1 });
                while let Some(next) = rest.strip_prefix("super::") {
                    modules.pop();
                    rest = next;
                }
                while let Some((module, next)) = rest.split_once("::").filter(|(module, _)| name(module) == *module) {
                    modules.push(module.to_owned());
                    rest = next;
                }
                for last in first_names(rest) {
                    let mut path = [&modules[..], &[last]].concat();
                    while !path.is_empty() && !files.contains(path.join("/").as_str()) {
                        path.pop();
                    }
                    found.extend(files.get(path.join("/").as_str()).copied().filter(|file| *file != self.path));
                }
            }
        }
        found
    }

    /// The rooms that the rest of a path leads to from `up` modules above this one, or from the root for 0.
    fn lead(&self, up: usize, mut rest: &str) -> Vec<String> {
        let mut modules = self.modules();
        if up == 0 {
            modules.clear();
        } else {
            modules.pop();
            while let Some(next) = rest.strip_prefix("super::") {
                modules.pop();
                rest = next;
            }
        }
        match modules.first() {
            Some(room) => vec![(*room).to_owned()],
            None => first_names(rest),
        }
    }
}

/// The pairs of files of which one imports the other and is imported in turn, perhaps through others. A parent names its
/// children, and a child the items of its parents: that is no import between files.
fn circles(sources: &[Source]) -> Vec<String> {
    let files: BTreeSet<&str> = sources.iter().map(|source| source.path.as_str()).collect();
    let imports: BTreeMap<&str, BTreeSet<&str>> = sources
        .iter()
        .map(|source| {
            let inside = |other: &&str| !related(&source.path, other);
            (source.path.as_str(), source.files(&files).into_iter().filter(inside).collect())
        })
        .collect();
    let reaches = |from: &str, to: &str| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(file) = next.pop() {
            next.extend(imports[file].iter().copied().filter(|&other| seen.insert(other)));
        }
        seen.contains(to)
    };
    let pairs = imports.iter().flat_map(|(&from, others)| others.iter().map(move |&other| (from, other)));
    pairs.filter(|&(from, other)| from < other && reaches(other, from)).map(|(a, b)| format!("{a} and {b}")).collect()
}

/// Whether one file holds the other one's module.
fn related(one: &str, other: &str) -> bool {
    let holds = |outer: &str, inner: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'));
    holds(one, other) || holds(other, one)
}

/// The names that a path goes on with: one, or each of a group in braces.
fn first_names(rest: &str) -> Vec<String> {
    let Some(group) = rest.strip_prefix('{') else { return vec![name(rest)] };
    let mut names = Vec::new();
    let (mut depth, mut begins) = (0, true);
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => begins = true,
            _ if begins && !letter.is_whitespace() => {
                names.push(name(&group[at..]));
                begins = false;
            }
            _ => {}
        }
    }
    names
}

fn name(text: &str) -> String {
    text.chars().take_while(|&letter| letter.is_alphanumeric() || letter == '_').collect()
}

/// Where a word begins in the code, not as the end of a longer one. In `super::super::x` only the first counts.
fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    code.match_indices(word).map(|(at, _)| at).filter(move |&at| !code[..at].ends_with(is_part))
}

fn without_comments_and_tests(text: &str) -> String {
    let before_tests = text.split("#[cfg(test)]\nmod ").next().expect("a split has a part");
    let lines = before_tests.lines().map(|line| if line.trim_start().starts_with("//") { "" } else { line });
    lines.map(|line| line.split(" // ").next().expect("a split has a part")).collect::<Vec<_>>().join("\n")
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a readable folder") {
            let path: PathBuf = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let code = without_comments_and_tests(&fs::read_to_string(&path).expect("a readable file"));
                let inside = path.strip_prefix(&root).expect("it lies in src").with_extension("");
                let parts: Vec<&str> = inside.iter().map(|part| part.to_str().expect("an ASCII name")).collect();
                sources.push(Source { path: parts.join("/"), code });
            }
        }
    }
    sources
}

#[test]
fn every_room_imports_only_what_the_table_lets_it() {
    let sources = sources();
    let mut violations = Vec::new();
    for source in sources.iter().filter(|source| !matches!(source.room(), "lib" | "main")) {
        let room = source.room();
        let (_, allowed) =
            ROOMS.iter().find(|(name, _)| *name == room).unwrap_or_else(|| panic!("src/{room}.rs is not in the table"));
        for other in source.imports() {
            if other != room && !allowed.contains(&other.as_str()) {
                violations.push(format!("src/{}.rs imports src/{other}.rs", source.path));
            }
        }
    }
    assert_eq!(violations, Vec::<String>::new());
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    assert_eq!(circles(&sources()), Vec::<String>::new());
}

#[test]
fn a_circle_would_be_found() {
    let source = |path: &str, code: &str| Source { path: path.to_owned(), code: code.to_owned() };
    let found = circles(&[
        source("rules", "pub mod a;\nuse a::x;"),
        source("rules/a", "use super::b::{y, z};"),
        source("rules/b", "use crate::rules::{c, d};\nuse super::x;"),
        source("rules/c", "use super::a;"),
        source("rules/d", "use super::x;"),
    ]);
    assert_eq!(found, ["rules/a and rules/b", "rules/b and rules/c"]);
    assert_eq!(circles(&[source("rules/a", "use super::b;"), source("rules/b", "")]), Vec::<String>::new());
}

#[test]
fn crates_from_outside_and_standard_output_stay_in_their_rooms() {
    let mut violations = Vec::new();
    for source in sources() {
        for (word, rooms) in GUESTS {
            if words(&source.code, word).next().is_some() && !rooms.iter().any(|room| source.path.starts_with(room)) {
                violations.push(format!("src/{}.rs uses `{word}`, which is for {}", source.path, rooms.join(", ")));
            }
        }
    }
    assert_eq!(violations, Vec::<String>::new());
}

#[test]
fn the_documentation_of_the_crate_tells_of_every_room() {
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).expect("src/lib.rs is there");
    let rooms: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert!(rooms.len() >= 8, "{rooms:?}");
    for room in rooms {
        assert!(text.contains(&format!("//! | [`{room}`] | ")), "{room} has a row in the table");
        assert!(ROOMS.iter().any(|(name, _)| *name == room), "{room} has its place in this test");
    }
}

#[test]
fn a_forbidden_import_would_be_found() {
    let source = |path: &str, code: &str| Source { path: path.to_owned(), code: without_comments_and_tests(code) };
    let imports = |path, code| source(path, code).imports().into_iter().collect::<Vec<_>>();
    assert_eq!(imports("rules/wuri", "use crate::search::{Depth, table};"), ["search"]);
    assert_eq!(imports("rules/wuri", "use super::lanes;\nuse super::super::search;"), ["rules", "search"]);
    assert_eq!(imports("rules", "use super::search;"), ["search"]);
    assert_eq!(
        imports("rules", "use crate::{eval::{a, b}, units::Pit,\n    search as looking};"),
        ["eval", "search", "units"]
    );
    assert_eq!(imports("rules", "fn f() -> crate::units::Pit { crate::engine::f() }"), ["engine", "units"]);
    assert_eq!(
        imports("rules", "// crate::search\n#[cfg(test)]\nmod tests { use crate::search; }"),
        Vec::<String>::new()
    );
    assert_eq!(imports("rules", "pub(crate) fn f() { mycrate::search() }"), Vec::<String>::new());
}
