//! What must not change by accident.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use empiki::engine::bench;
use empiki::search::stop::StopHandle;
use empiki::units::Variant;
use pretty_assertions::assert_eq;

/// `tests/golden/bench.txt` has a line `VARIANT NODES` for each variant. A change of the search or of an evaluation changes it,
/// and then it is written anew with that change; a change that should only be faster or clearer must leave it as it is.
#[test]
fn the_bench_counts_the_nodes_on_record() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/bench.txt");
    let recorded = fs::read_to_string(path).expect("the record is there");
    let stop = Arc::new(StopHandle::alone());
    let counted: String = Variant::ALL
        .into_iter()
        .map(|variant| {
            let count = bench::run(variant, None, &stop).expect("there is memory").expect("nobody stops it");
            format!("{variant} {}\n", count.nodes.0)
        })
        .collect();
    assert_eq!(counted, recorded);
}
