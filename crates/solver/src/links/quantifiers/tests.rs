use super::*;
use crate::answer::{LinkStatistics, Solver};
use crate::limits::Limits;
use crate::links::Link;
use loupe_term::Quantifier;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// A solver that knows nothing after a while, and notes what it might have spent.
struct Slow(Rc<RefCell<Vec<Limits>>>);

const WHILE: Duration = Duration::from_millis(10);

impl Solver for Slow {
    fn check(&mut self, _: &mut Terms, query: &Query<'_>) -> Result<Answer, Error> {
        self.0.borrow_mut().push(query.limits.clone());
        std::thread::sleep(WHILE);
        Ok(Answer::Unknown(Reason::Work))
    }

    fn statistics(&self) -> Vec<LinkStatistics> {
        Vec::new()
    }
}

#[test]
fn all_that_is_tried_shares_the_limits() {
    let mut terms = Terms::new();
    let [x, t] = ["x", "t"].map(|name| terms.int_symbol(name));
    let (zero, below) = (terms.int(0), terms.lt(t, x));
    let all = terms.quantify(Quantifier::Forall, t, [zero, x], below).expect("sorts fit");
    for work in [0, 3, 1_000_000] {
        let asked = Rc::new(RefCell::new(Vec::new()));
        let mut link = Link::new(Quantifiers, Box::new(Slow(Rc::clone(&asked))));
        let limits = Limits { work, ..Limits::default() };
        let query = Query { assertions: &[all], limits: &limits };
        let answer = link.check(&mut terms, &query);
        assert!(matches!(answer, Ok(Answer::Unknown(Reason::Work))), "{answer:?}");
        let asked = asked.borrow();
        assert_eq!(asked.len(), 3);
        for (turn, one) in (0..).zip(asked.iter()) {
            // No work at all would mean any amount of it to some solver.
            assert!((1..=work.max(1)).contains(&one.work), "{}", one.work);
            assert!(one.time + WHILE * turn <= limits.time, "{:?}", one.time);
        }
    }
}
