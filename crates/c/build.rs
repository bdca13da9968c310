//! Puts the standard headers in `include/` into the binary: a table of their names and texts for
//! `front/headers.rs`, so that a new header is one new file.

use std::path::{Path, PathBuf};
use std::{env, fmt::Write, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("include");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut headers = Vec::new();
    if root.is_dir() {
        find(&root, &mut headers)?;
    }
    // In the order of the names, which are looked up by halving.
    headers.sort_by_key(|header| {
        header.strip_prefix(&root).map(|name| name.to_string_lossy().into_owned()).ok()
    });
    let mut table = String::from("&[\n");
    for header in &headers {
        let name = header.strip_prefix(&root).unwrap_or(header).to_string_lossy();
        let _ = writeln!(table, "({name:?}, include_str!({:?})),", header.to_string_lossy());
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("headers.rs"), table)
}

fn find(folder: &Path, headers: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, headers)?;
        } else if path.extension().is_some_and(|extension| extension == "h") {
            headers.push(path);
        }
    }
    Ok(())
}
