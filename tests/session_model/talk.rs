//! A session in this process that is talked with line by line.

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use empiki::engine::line_reader::LineReader;
use empiki::engine::options::Options;
use empiki::engine::session::Session;
use empiki::search::stop::StopSignals;

/// The longest that a line is waited for: nothing takes nearly as long, but the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(15);

/// A session that runs. Dropped, it hears the end of its input.
pub struct Talk {
    input: Option<Sender<Vec<u8>>>,
    said: Arc<Said>,
    taken: usize,
    session: Option<JoinHandle<()>>,
}

impl Talk {
    /// Starts a session with these settings.
    pub fn start(settings: &[(&str, &str)]) -> Talk {
        let mut options = Options::default();
        for (name, value) in settings {
            options.set(name, Some(value)).expect("an option and its value");
        }
        let (input, lines) = mpsc::channel();
        let said = Arc::new(Said::default());
        let out = Mouth(Arc::clone(&said));
        let session = thread::spawn(move || {
            let board = Arc::new(StopSignals::new());
            let (line_reader, inbound) = LineReader::new(Arc::clone(&board));
            let session = Session::new(out, options, board).expect("there is memory");
            let reader = thread::spawn(move || line_reader.read(Ear { lines, line: Vec::new(), read: 0 }));
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
            runtime.block_on(session.serve(inbound));
            reader.join().expect("the reader does not panic");
        });
        Talk { input: Some(input), said, taken: 0, session: Some(session) }
    }

    /// Sends bytes in one go.
    pub fn send(&mut self, bytes: Vec<u8>) {
        let input = self.input.as_ref().expect("the input is open");
        // After a quit nobody reads.
        let _ = input.send(bytes);
    }

    /// Waits for more lines, and takes them.
    ///
    /// # Errors
    /// If none comes.
    pub fn listen(&mut self) -> Result<Vec<String>, String> {
        let bytes = self.said.bytes.lock().expect("nobody panicked");
        let more = |bytes: &mut Vec<u8>| !bytes[self.taken..].contains(&b'\n');
        let (bytes, waited) = self.said.news.wait_timeout_while(bytes, PATIENCE, more).expect("nobody panicked");
        if waited.timed_out() {
            return Err(format!("nothing was said for {PATIENCE:?}"));
        }
        let end = bytes.iter().rposition(|&byte| byte == b'\n').expect("there is a line") + 1;
        let text = std::str::from_utf8(&bytes[self.taken..end]).map_err(|error| error.to_string())?;
        let lines = text.lines().map(str::to_owned).collect();
        self.taken = end;
        Ok(lines)
    }

    /// Ends the input and takes all that is still said.
    ///
    /// # Errors
    /// If the session does not end in good order.
    pub fn finish(&mut self) -> Result<Vec<String>, String> {
        self.input = None;
        let session = self.session.take().expect("it ends once");
        for _ in 0..PATIENCE.as_millis() {
            if session.is_finished() {
                break;
            }
            thread::sleep(Duration::from_millis(1));
        }
        if !session.is_finished() {
            return Err(format!("the session did not end within {PATIENCE:?}"));
        }
        session.join().map_err(|_| "the session panicked".to_owned())?;
        let bytes = self.said.bytes.lock().expect("nobody panicked");
        let text = std::str::from_utf8(&bytes[self.taken..]).map_err(|error| error.to_string())?;
        if !text.is_empty() && !text.ends_with('\n') {
            return Err(format!("half a line: `{text}`"));
        }
        Ok(text.lines().map(str::to_owned).collect())
    }
}

/// What a session has said.
#[derive(Default)]
struct Said {
    bytes: Mutex<Vec<u8>>,
    news: Condvar,
}

/// Where a session writes.
struct Mouth(Arc<Said>);

impl Write for Mouth {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.bytes.lock().expect("nobody panicked").extend_from_slice(bytes);
        self.0.news.notify_one();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where a session reads.
struct Ear {
    lines: Receiver<Vec<u8>>,
    line: Vec<u8>,
    read: usize,
}

impl Read for Ear {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Ear {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.line.len() {
            // No sender, no more lines.
            self.line = self.lines.recv().unwrap_or_default();
            self.read = 0;
        }
        Ok(&self.line[self.read..])
    }

    fn consume(&mut self, count: usize) {
        self.read += count;
    }
}
