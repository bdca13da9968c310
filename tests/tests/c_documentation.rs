//! `docs/c.md` says what the C programs of the tests show. `LOUPE_BLESS=1` brings it up to date.

use loupe_tests::{ctable, root, snapshot};
use std::fs;

/// The end of what people write.
const MARK: &str = "writes it anew. -->\n";

#[test]
fn the_tables_are_up_to_date() {
    let path = root().join("../docs/c.md");
    let text = fs::read_to_string(&path).expect("there is a documentation");
    let end = text.find(MARK).expect("the mark of the generated part") + MARK.len();
    let written = format!("{}\n{}", &text[..end], ctable::tables());
    snapshot::check(&path, &written).unwrap_or_else(|difference| panic!("{difference}"));
}

/// What the documentation says about limits and options is what the tool has.
#[test]
fn the_kinds_of_failures_are_named_as_in_reports() {
    let text = fs::read_to_string(root().join("../docs/c.md")).expect("there is a documentation");
    for kind in ["signed-overflow", "uninitialised-value", "pointer-arithmetic", "invalid-access"] {
        assert!(text.contains(&format!("`{kind}`")), "{kind}");
        assert!(loupe_ir::check::CheckKind::ALL.iter().any(|known| known.name() == kind), "{kind}");
    }
}
