//! Links Z3's shared library into `target/<profile>/lib/loupe`, where every binary of the workspace
//! looks for it (`.cargo/config.toml` says how), and stops early if it has not been set up.
//!
//! The folder lies inside the target directory, so cargo also puts it on the library path of
//! whatever it runs itself. Doctests need that: they are linked without our rpath.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The name under which a binary asks for Z3 5.4, its SONAME.
const LIBRARY: &str = "libz3.so.5.4";

fn main() {
    if let Err(message) = provide_library() {
        println!("cargo::error={message}");
    }
}

fn provide_library() -> Result<(), String> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");

    let Some(folder) = env::var_os("Z3_LIBRARY_PATH_OVERRIDE") else {
        return Err("run cargo inside Loupe's folder: .cargo/config.toml was not read".into());
    };
    let library = Path::new(&folder).join(LIBRARY);
    println!("cargo::rerun-if-changed={}", library.display());
    if !library.exists() {
        return Err(format!("{} is missing: run `make setup`", library.display()));
    }

    let lib = profile_folder()?.join("lib/loupe");
    let link = lib.join(LIBRARY);
    println!("cargo::rerun-if-changed={}", link.display());
    replace_link(&library, &link).map_err(|e| format!("cannot link {}: {e}", link.display()))?;
    println!("cargo::rustc-link-search=native={}", lib.display());
    Ok(())
}

/// `target/<profile>`: the parent of the `build` folder that holds `OUT_DIR`.
fn profile_folder() -> Result<PathBuf, String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    let build = out.ancestors().find(|folder| folder.ends_with("build"));
    match build.and_then(Path::parent) {
        Some(profile) => Ok(profile.to_path_buf()),
        None => Err(format!("no `build` folder above {}", out.display())),
    }
}

fn replace_link(library: &Path, link: &Path) -> io::Result<()> {
    if fs::read_link(link).is_ok_and(|target| target == library) {
        return Ok(());
    }
    if let Some(folder) = link.parent() {
        fs::create_dir_all(folder)?;
    }
    match fs::remove_file(link) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    std::os::unix::fs::symlink(library, link)
}
