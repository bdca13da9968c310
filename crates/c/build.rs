//! Puts the standard headers in `include/` and the model of the C library in `library/` into the binary:
//! tables of names and texts, so that a new file is all that a new header or model needs.

use std::path::{Path, PathBuf};
use std::{env, fmt::Write, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("headers.rs"), table(&root.join("include"), &["h"])?)?;
    fs::write(out.join("library.rs"), table(&root.join("library"), &["c", "h"])?)
}

/// The files of a folder with these endings, in the order of their names, which are looked up by halving.
fn table(root: &Path, endings: &[&str]) -> io::Result<String> {
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    find(root, endings, &mut files)?;
    files.sort_by_key(|file| {
        file.strip_prefix(root).map(|name| name.to_string_lossy().into_owned()).ok()
    });
    let mut table = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(root).unwrap_or(file).to_string_lossy();
        let _ = writeln!(table, "({name:?}, include_str!({:?})),", file.to_string_lossy());
    }
    table.push_str("]\n");
    Ok(table)
}

fn find(folder: &Path, endings: &[&str], files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_wanted = |ending: &std::ffi::OsStr| endings.iter().any(|wanted| ending == *wanted);
        if path.is_dir() {
            find(&path, endings, files)?;
        } else if path.extension().is_some_and(is_wanted) {
            files.push(path);
        }
    }
    Ok(())
}
