//! Hello and MatrIR of *Abstracting path conditions* (the long report, A.3 and A.4): the necessary conditions that are computed for them imply those that are printed there, with the misprints corrected, for arrays of a few elements; and what reaches the
//! target satisfies them.

use super::c::checking;
use loupe_c::lower::Checks;
use loupe_symbolic::domain::{Feasible, Symbolic};
use loupe_symbolic::explore::{
    AllErrors, DraftedWay, Explorer, Fate, Leaf, LoopMode, Observer, Options, Undefined,
};
use loupe_symbolic::property::Property;
use loupe_symbolic::search::{Strategy, strategy};
use loupe_term::{Sort, SymbolId, Term};
use std::collections::BTreeSet;

/// What is compared on every way to the error.
struct Compared<'c> {
    /// What is printed, for an array that nothing is known of.
    printed: &'c dyn Fn(&mut Symbolic, Term) -> Term,
    /// Elements of arrays that reach the target.
    reaching: &'c [&'c [i64]],
    /// Which of them are possible on some way.
    possible: Vec<bool>,
    ways: usize,
}

impl Observer for Compared<'_> {
    fn leaf(&mut self, _: &mut Symbolic, _: &Leaf) {}

    fn settled(&mut self, domain: &mut Symbolic, way: &DraftedWay<'_>, fate: &Fate) {
        let conditions = way.conditions;
        if *fate == Fate::Refuted {
            return;
        }
        self.ways += 1;
        let symbols: BTreeSet<SymbolId> =
            conditions.iter().flat_map(|part| domain.terms.free_symbols(*part)).collect();
        let array = symbols.into_iter().find(|id| {
            let symbol = domain.terms.symbol_term(*id);
            domain.terms.sort(symbol) == Sort::Array(1)
                && domain.terms.symbol(*id).name.starts_with("undef")
        });
        let array = domain.terms.symbol_term(array.expect("the array is looked at"));
        let printed = (self.printed)(domain, array);
        let mut asked = conditions.to_vec();
        asked.push(domain.terms.not(printed));
        let answer = domain.ask(&asked).expect("no bug");
        assert!(matches!(answer, Feasible::No), "not what is printed: {answer:?}");
        for (elements, is_possible) in self.reaching.iter().zip(&mut self.possible) {
            let mut asked = conditions.to_vec();
            for (index, element) in elements.iter().enumerate() {
                let (index, element) = (domain.terms.int(index), domain.terms.int(*element));
                let there = domain.terms.select(array, index).expect("an array");
                asked.push(domain.terms.eq(there, element));
            }
            let answer = domain.ask(&asked).expect("no bug");
            *is_possible |= !matches!(answer, Feasible::No);
        }
    }
}

fn compare(text: &str, reaching: &[&[i64]], printed: &dyn Fn(&mut Symbolic, Term) -> Term) {
    // Nothing is known of elements that nobody has written.
    let (signed_overflow, uninitialised, pointer_arithmetic) = (false, false, false);
    let checks = Checks { signed_overflow, uninitialised, pointer_arithmetic };
    let program = checking(text, checks);
    let (property, loops) = (Property::UnreachCall, LoopMode::Necessary);
    let (all_errors, undefined) = (AllErrors::GoOn, Undefined::AssumedAbsent);
    let options = Options { property, loops, all_errors, undefined, ..Options::default() };
    let possible = vec![false; reaching.len()];
    let mut compared = Compared { printed, reaching, possible, ways: 0 };
    let explorer = Explorer::new(&program, options, strategy(Strategy::Dfs, &program, 7, &[]));
    let exploration = explorer.run(&mut compared, &|_, _| None).expect("no bug");
    assert!(compared.ways > 0, "nobody comes to the target: {:?}", exploration.drafts);
    assert!(compared.possible.iter().all(|possible| *possible), "{:?}", compared.possible);
}

const HELLO: [i64; 5] = [72, 101, 108, 108, 111];

/// φ̂ of A.3: for some κ₂ and κ₃, the elements before κ₂ are not 0 and no match begins there, the element at κ₂ is not 0, `H(κ₃) = 0`, and the κ₃ elements from κ₂ on are those of H. (The report has `=` for `≠` in what is said of the places before.)
#[test]
fn hello() {
    let text = "#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    int N = __VERIFIER_nondet_int();
    if (N < 6 || N > 8) return 0;
    int *A = malloc(N * sizeof(int));
    A[N - 1] = 0;
    const int H[6] = {72, 101, 108, 108, 111, 0};
    int h = 0;
    for (int i = 0; A[i] != 0; ++i) {
        int j = i, k = 0;
        while (H[k] != 0 && A[j] != 0 && A[j] == H[k]) { ++j; ++k; }
        if (H[k] == 0) { h = 1; break; }
        if (A[j] == 0) break;
    }
    if (h == 1) reach_error();
    return 0;
}
";
    let reaching: [&[i64]; 3] = [
        &[72, 101, 108, 108, 111, 0, 0],
        &[1, 72, 101, 108, 108, 111, 9],
        &[72, 72, 101, 108, 108, 111, 5],
    ];
    compare(text, &reaching, &|domain, array| {
        let terms = &mut domain.terms;
        let zero = terms.int(0);
        let element = |terms: &mut loupe_term::Terms, index: usize| {
            let index = terms.int(index);
            terms.select(array, index).expect("an array")
        };
        let matches = |terms: &mut loupe_term::Terms, start: usize| {
            let mut all = Vec::new();
            for (offset, letter) in HELLO.iter().enumerate() {
                let (there, letter) = (element(terms, start + offset), terms.int(*letter));
                all.push(terms.eq(there, letter));
            }
            terms.and(all)
        };
        let mut ways = Vec::new();
        for start in 0..=2 {
            let mut way = vec![matches(terms, start)];
            for before in 0..start {
                let there = element(terms, before);
                way.push(terms.ne(there, zero));
                let other = matches(terms, before);
                way.push(terms.not(other));
            }
            ways.push(terms.and(way));
        }
        terms.or(ways)
    });
}

/// φ̂ of A.4 says of the row κ₂ where the loop is left that the counts of its paths are such that more elements than the limit are in the range, of the columns from κ₂ on. (The report has κ₂ for τ₂ and loses the `ite` of j; here the matrix has 3 columns
/// and the limit is 1.)
#[test]
fn matrix_in_range() {
    let text = "#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    int N = __VERIFIER_nondet_int();
    if (N < 3 || N > 4) return 0;
    int *A = malloc(N * 3 * sizeof(int));
    int w = 0;
    for (int i = 0; i < 3; ++i) {
        int k = 0;
        for (int j = i; j < 3; ++j)
            if (A[3 * i + j] > 10 && A[3 * i + j] < 100) ++k;
        if (k > 1) { w = 1; break; }
    }
    if (w == 1) reach_error();
    return 0;
}
";
    let reaching: [&[i64]; 3] = [
        &[11, 99, 0, 0, 0, 0, 0, 0, 0],
        &[11, 10, 100, 0, 50, 60, 0, 0, 0],
        &[0, 20, 30, 0, 0, 0, 0, 0, 0],
    ];
    compare(text, &reaching, &|domain, array| {
        let terms = &mut domain.terms;
        let (ten, hundred) = (terms.int(10), terms.int(100));
        let is_within = |terms: &mut loupe_term::Terms, row: usize, column: usize| {
            let index = terms.int(3 * row + column);
            let element = terms.select(array, index).expect("an array");
            let both = [terms.lt(ten, element), terms.lt(element, hundred)];
            terms.and(both)
        };
        let mut ways = Vec::new();
        for row in 0..3 {
            for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                if a >= row {
                    let both = [is_within(terms, row, a), is_within(terms, row, b)];
                    ways.push(terms.and(both));
                }
            }
        }
        terms.or(ways)
    });
}
