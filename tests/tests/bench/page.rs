//! The page in a browser. Where there is no Chromium, that is said; nothing is installed here.

use super::{SAFE, UNSAFE, bench, check_status, folder, write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What Chromium is called.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Chromium, if this machine has it.
fn chromium() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let all =
        std::env::split_paths(&folders).flat_map(|folder| NAMES.map(|name| folder.join(name)));
    all.into_iter().find(|path| path.is_file())
}

/// What a page becomes, and what is on the console then.
fn opened(chromium: &Path, page: &Path, home: &Path) -> (String, Vec<String>) {
    let output = Command::new(chromium)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"])
        .args(["--virtual-time-budget=3000", "--window-size=1200,3000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", home.join("profile").display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("chromium starts");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
    // What pages have to say is marked so; the browser complains about other things of its own.
    let lines =
        messages.lines().filter(|line| line.contains("CONSOLE(") || line.contains("CONSOLE:"));
    let complaints = lines.map(str::to_owned).collect();
    (String::from_utf8_lossy(&output.stdout).into_owned(), complaints)
}

#[test]
fn the_page_shows_its_plots_in_a_browser() {
    let home = folder("page");
    write(&home, &[("a<b>.uc", SAFE), ("b.uc", UNSAFE)]);
    let run = bench(&home, &["a<b>.uc", "b.uc", "--timeout", "20", "-o", "out"])
        .args(["--config", "usual:", "--config", "unroll: loops=unroll"])
        .run();
    check_status(&run, 0);
    let page = home.join("out/report.html");
    assert!(page.is_file());
    let Some(chromium) = chromium() else {
        loupe_tests::tell("SKIPPED: the page was not opened, because there is no chromium");
        return;
    };
    // So that we would see it if something were wrong.
    let bad = home.join("bad.html");
    std::fs::write(&bad, "<!DOCTYPE html><script>nobody()</script>").expect("a page");
    let (_, complaints) = opened(&chromium, &bad, &home);
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    let (dom, complaints) = opened(&chromium, &page, &home);
    assert_eq!(complaints, Vec::<String>::new());
    assert_eq!(dom.matches("<svg").count(), 3, "{dom}");
    assert!(dom.matches("<circle").count() == 2 && dom.contains("a&lt;b&gt;.uc"), "{dom}");
    // The browser has not mended anything: what it read is what was written.
    let written = std::fs::read_to_string(&page).expect("the page");
    for element in ["<table", "<tr", "<td", "<rect", "<text", "<polyline"] {
        assert_eq!(dom.matches(element).count(), written.matches(element).count(), "{element}");
    }
}
