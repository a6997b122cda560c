//! The table of mutations of the real source, `tests/data/mutants.txt`, stays true.
