use super::*;
use crate::Answer;
use crate::plot;
use crate::results::tests::results;

/// Elements that have no end.
const VOID: [&str; 2] = ["meta", "link"];

/// Checks that all elements are closed in their order, and that texts hold nothing that looks like one.
fn check_nesting(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    for piece in page.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').expect("a tag has an end");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().expect("a name");
        match tag {
            _ if tag.starts_with('!') || tag.ends_with('/') || VOID.contains(&name) => {}
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name), "closed in order"),
            _ => open.push(name),
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

fn page_of(name: &str) -> String {
    let mut results = results(4, |task, _| (Answer::Safe, 0.1 * (task + 1) as f64));
    results.campaign.configurations[0].name = name.to_owned();
    results.records.iter_mut().step_by(2).for_each(|record| record.configuration = name.to_owned());
    let tables = [table::overview(&results)];
    page(&results, &tables, &plot::all(&results))
}

#[test]
fn the_page_is_well_formed_and_refers_to_nothing_outside() {
    let page = page_of("usual");
    check_nesting(&page);
    for word in ["http", "src=", "url(", "@import", "<script"] {
        assert!(!page.contains(word), "{word}");
    }
    assert_eq!(page.matches("<svg").count(), 3);
    assert!(page.contains("seed 7") && page.contains("Test 1, 2 cores"));
}

#[test]
fn names_cannot_break_it() {
    let page = page_of("<script>\"&'\u{1}\u{ffff}</td>");
    check_nesting(&page);
    assert!(
        page.contains("&lt;script&gt;&quot;&amp;&#39;&lt;/td&gt;") && !page.contains("<script")
    );
    assert!(!page.contains('\u{1}') && !page.contains('\u{ffff}'));
}
