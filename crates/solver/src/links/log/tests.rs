use super::*;
use crate::answer::{LinkStatistics, Reason, Solver};
use crate::limits::Limits;
use crate::links::Link;
use std::cell::RefCell;
use std::rc::Rc;

/// What was written, for those who hold a copy.
#[derive(Clone, Default)]
struct Page(Rc<RefCell<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A solver that has an excuse of two lines.
struct Excuse;

impl Solver for Excuse {
    fn check(&mut self, _: &mut Terms, _: &Query<'_>) -> Result<Answer, Error> {
        let words = "gone after a while\n(assert false)".to_owned();
        Ok(Answer::Unknown(Reason::Failure(words)))
    }

    fn statistics(&self) -> Vec<LinkStatistics> {
        Vec::new()
    }
}

#[test]
fn a_log_comes_back_as_the_queries_that_were_asked() {
    let mut terms = Terms::new();
    // The name that tells the second from the first is the third's own.
    let [x, y, z] = ["x", "x", "x!1"].map(|name| terms.int_symbol(name));
    let sum = terms.add(y, z);
    let flag = terms.fresh("odd name ;", loupe_term::Sort::Bool, Default::default());
    let queries = [vec![terms.lt(x, sum), flag], vec![], vec![terms.lt(sum, x), terms.not(flag)]];
    let page = Page::default();
    let mut link = Link::new(Log::new(Box::new(page.clone())), Box::new(Excuse));
    let limits = Limits::default();
    for assertions in &queries {
        link.check(&mut terms, &Query { assertions, limits: &limits }).expect("it is written");
    }
    let text = String::from_utf8(page.0.borrow().clone()).expect("a text");
    let mut other = Terms::new();
    let entries = entries(&mut other, &text).expect("what was written can be read");
    assert_eq!(entries.len(), queries.len(), "{text}");
    for (entry, query) in entries.iter().zip(&queries) {
        assert_eq!(entry.answer, "unknown (the solver failed: gone after a while (assert false))");
        assert_eq!(entry.assertions.len(), query.len());
    }
    // Symbols of one name are told apart, and are the same in all queries.
    let negated = other.not(entries[0].assertions[1]);
    assert_eq!(entries[2].assertions[1], negated);
    let (below, above) = (entries[0].assertions[0], entries[2].assertions[0]);
    assert_eq!(other.free_symbols(below).len(), 3, "{text}");
    assert_eq!(other.free_symbols(below), other.free_symbols(above));
    assert_ne!(below, above);
}
