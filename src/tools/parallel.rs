//! Work shared out among threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

use anyhow::Result;

/// Works on the items with one thread for each worker, and delivers the results in the order of the items, each as soon as those
/// before it are there.
///
/// # Errors
/// The first one of a delivery; no new item is begun after it.
pub fn in_order<W: Send, T: Sync, R: Send>(
    workers: impl IntoIterator<Item = W>,
    items: &[T],
    work: impl Fn(&mut W, &T) -> R + Sync,
    mut deliver: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let (tell, told) = mpsc::channel();
    thread::scope(|scope| {
        let (next, work) = (&next, &work);
        for mut worker in workers {
            let tell = tell.clone();
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Relaxed);
                    let Some(item) = items.get(index) else { return };
                    if tell.send((index, work(&mut worker, item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(tell);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for (index, result) in told {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&due) {
                deliver(result)?;
                due += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..40).collect();
        let mut delivered = Vec::new();
        let slowly = |_: &mut (), item: &u64| {
            thread::sleep(Duration::from_millis(item * 7 % 5));
            item * item
        };
        in_order([(), (), ()], &items, slowly, |square| {
            delivered.push(square);
            Ok(())
        })
        .unwrap();
        assert_eq!(delivered, items.iter().map(|item| item * item).collect::<Vec<_>>());
    }

    #[test]
    fn an_error_ends_the_work() {
        let items: Vec<u64> = (0..1_000_000).collect();
        let mut delivered = 0;
        let outcome = in_order(
            [(), ()],
            &items,
            |(), item| *item,
            |_| {
                delivered += 1;
                anyhow::ensure!(delivered < 3, "nobody reads");
                Ok(())
            },
        );
        assert!(outcome.is_err());
        assert_eq!(delivered, 3);
    }
}
