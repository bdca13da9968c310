//! The binary starts. Because this package has an integration test, Cargo also builds the binary for
//! the tests of the whole tool, which are a package of their own.

use std::process::Command;

#[test]
fn the_binary_says_its_version_and_that_of_its_solver() {
    let output = Command::new(env!("CARGO_BIN_EXE_loupe")).arg("--version").output();
    let output = output.expect("the binary starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success());
    assert!(text.starts_with(concat!("loupe ", env!("CARGO_PKG_VERSION"), " (Z3 ")), "{text}");
}
