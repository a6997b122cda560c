//! Entry of the binary.

fn main() {}
