//! Process groups: the one place of the arena that only Unix has.
//!
//! An engine is started in a group of its own, so that a Ctrl-C on the terminal reaches the runner alone and an engine can be
//! ended with all that it has started, as when a shell script wraps it.

use std::io;

use tokio::process::Command;

/// The group of a child.
#[derive(Clone, Copy, Debug)]
pub struct Group(#[cfg_attr(not(unix), allow(dead_code, reason = "groups are Unix's"))] Option<u32>);

#[cfg(unix)]
impl Group {
    /// Lets what is started lead a group of its own.
    pub fn lead(command: &mut Command) {
        command.process_group(0);
    }

    /// The group that the child with this id leads.
    pub const fn of(id: Option<u32>) -> Group {
        Group(id)
    }

    /// Kills every process of the group that is left.
    pub fn kill(self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        let pid = self.0.and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if let Some(pid) = pid {
            // Nobody is left to kill if this fails.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }
}

#[cfg(not(unix))]
impl Group {
    /// Lets what is started lead a group of its own, where there are groups.
    pub fn lead(_command: &mut Command) {}

    /// The group that the child with this id leads.
    pub const fn of(id: Option<u32>) -> Group {
        Group(id)
    }

    /// Kills every process of the group that is left; the child itself is killed apart from that.
    pub fn kill(self) {}
}

/// Hears from now on whether the user or the system asks the runner to end; what is returned waits for it.
///
/// # Errors
/// If signals cannot be heard.
#[cfg(unix)]
pub fn listen() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => (),
            _ = terminate.recv() => (),
            _ = hangup.recv() => (),
        }
    })
}

/// Hears from now on whether the user asks the runner to end; what is returned waits for it.
///
/// # Errors
/// If signals cannot be heard.
#[cfg(not(unix))]
pub fn listen() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
