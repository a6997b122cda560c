//! The real program as a child behind pipes. Every wait has a time-out, every child is ended, every line is looked at.

#![allow(dead_code, reason = "each test takes what it needs")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest that anything is waited for. Nothing takes nearly as long, but the machine may be busy.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A running engine. Dropped, it is killed.
pub struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    complaints: Receiver<String>,
    /// Searches that were sent, and those that were answered for.
    asked: usize,
    answered: usize,
}

impl Engine {
    /// The engine as a client starts it.
    pub fn start() -> Engine {
        Engine::with_arguments(&[])
    }

    /// The engine with arguments.
    pub fn with_arguments(arguments: &[&str]) -> Engine {
        let (mut engine, stdout) = Engine::without_reader(arguments);
        let (sender, lines) = mpsc::channel();
        engine.lines = lines;
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            let mut line = Vec::new();
            while stdout.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                if sender.send(std::mem::take(&mut line)).is_err() {
                    return;
                }
            }
        });
        engine
    }

    /// The engine with its output in the caller's hand; nothing that it says is heard here.
    pub fn without_reader(arguments: &[&str]) -> (Engine, ChildStdout) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_empiki"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdout = child.stdout.take().expect("a pipe was asked for");
        let mut stderr = child.stderr.take().expect("a pipe was asked for");
        let (sender, complaints) = mpsc::channel();
        thread::spawn(move || {
            let mut text = Vec::new();
            // What was read before an error is shown as well.
            let _ = stderr.read_to_end(&mut text);
            sender.send(String::from_utf8_lossy(&text).into_owned())
        });
        let stdin = child.stdin.take();
        let engine = Engine { child, stdin, lines: mpsc::channel().1, complaints, asked: 0, answered: 0 };
        (engine, stdout)
    }

    /// Writes bytes in one go.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let is_search = |line: &&[u8]| line.starts_with(b"go") && !line.starts_with(b"go perft");
        self.asked += bytes.split(|&byte| byte == b'\n').filter(is_search).count();
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the engine reads");
    }

    /// Writes lines in one go; the last line feed is added.
    pub fn send(&mut self, lines: &str) {
        self.send_bytes(format!("{lines}\n").as_bytes());
    }

    /// The next line, held to what is promised of every line; `None` once the output has ended.
    pub fn next(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(self.checked(line)),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no line within {PATIENCE:?}"),
        }
    }

    fn checked(&mut self, line: Vec<u8>) -> String {
        let mut line = String::from_utf8(line).expect("a line is UTF-8");
        assert_eq!(line.pop(), Some('\n'), "a half line: {line}");
        assert!(!line.is_empty(), "an empty line");
        assert_eq!(line.trim_end(), line, "white space at the end");
        if line.starts_with("info depth") {
            assert!(self.answered < self.asked, "an info after its best move: {line}");
        }
        self.answered += usize::from(is_best_move(&line));
        line
    }

    /// The lines up to the first for which `last` holds, which is among them.
    pub fn until(&mut self, last: impl Fn(&str) -> bool) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let Some(line) = self.next() else { panic!("the output ended after {lines:#?}") };
            let found = last(&line);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// The move of the next `bestmove` line.
    pub fn best_move(&mut self) -> String {
        let lines = self.until(is_best_move);
        best_moves(&lines).pop().expect("the last line is one")
    }

    /// Asks for one line that begins with the word of the question, and returns it without that word.
    pub fn ask(&mut self, question: &str) -> String {
        self.send(question);
        let line = self.until(|line| !line.starts_with("info ")).pop().expect("there is a last line");
        let answer = line.strip_prefix(question).unwrap_or_else(|| panic!("`{question}` was answered with `{line}`"));
        answer.trim_start().to_owned()
    }

    /// Asks whether the engine is ready; returns what it had to say before it said so.
    pub fn before_ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until(|line| line == "readyok");
        lines.pop();
        lines
    }

    /// Closes the input.
    pub fn end_input(&mut self) {
        self.stdin = None;
    }

    /// The lines up to the end of the output, which comes with the end of the program: without a fault or a word on the error
    /// output.
    pub fn finish(mut self) -> Vec<String> {
        let lines: Vec<String> = std::iter::from_fn(|| self.next()).collect();
        self.end();
        lines
    }

    /// Waits for the end of the program, which is to be a good one.
    pub fn end(mut self) {
        let status = self.wait();
        let complaints = self.complaints.recv_timeout(PATIENCE).expect("the error output ends with the program");
        assert_eq!(complaints, "", "nothing is written to the error output");
        assert!(status.success(), "{status}");
    }

    fn wait(&mut self) -> ExitStatus {
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().expect("the child is known") {
                return status;
            }
            thread::sleep(Duration::from_millis(2));
        }
        panic!("the program did not end within {PATIENCE:?}");
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the program to its end.
pub fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_empiki"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

/// What the program writes when it is run to its end, which is to be a good one.
pub fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    assert!(output.status.success(), "{arguments:?}: {}", output.status);
    String::from_utf8(output.stdout).expect("it writes UTF-8")
}

/// Whether a line ends a search.
pub fn is_best_move(line: &str) -> bool {
    line.starts_with("bestmove ")
}

/// The moves of all `bestmove` lines.
pub fn best_moves(lines: &[String]) -> Vec<String> {
    let word = |line: &String| Some(line.strip_prefix("bestmove ")?.split(' ').next()?.to_owned());
    lines.iter().filter_map(word).collect()
}

/// The lines that tell an error.
pub fn errors(lines: &[String]) -> Vec<&String> {
    lines.iter().filter(|line| line.starts_with("info string error: ")).collect()
}
