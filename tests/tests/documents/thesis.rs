//! What section 4.4 of the thesis says of its listings.

use crate::runs::vectors;
use crate::{Bound, Document, Runs};

/// From -2 to 3 are enough to come to every case of these loops.
const SMALL: [i64; 6] = [-2, -1, 0, 1, 2, 3];

/// All loops of the section.
pub(crate) fn documents() -> Vec<Document> {
    vec![
        Document {
            file: "thesis_4_4_1.uc",
            line: 8,
            kind: None,
            tag: "exact",
            bound: None,
            variables: &["a", "b", "e", "inc"],
            given: "true",
            summary: Some(
                "(exists ((k Int)) (and (>= k 0) (= a! (+ a (* inc k))) (= b! (- b (* inc k)))
                   (= e! e) (= inc! inc)))",
            ),
            runs: Some(Runs {
                streams: || {
                    let starts = vectors(2, &[-2, 0, 1]).into_iter();
                    let counts = |start: Vec<i64>| {
                        (0..4).map(move |count| {
                            [&[start[0], 3, 4, start[1]], &vec![5; count][..], &[0]].concat()
                        })
                    };
                    starts.flat_map(counts).collect()
                },
                entry: |s| vec![("a", s[0]), ("b", s[1]), ("e", s[2]), ("inc", s[3])],
                prints: &["a", "b", "e"],
                // So far did the runs above count.
                complete: "(<= (* inc (- a! a)) (* 3 inc inc))",
            }),
        },
        // The condition of the trace that skips the loop is v1 ≥ v2, and the second change of Table 4.5 is that of `a`.
        Document {
            file: "thesis_4_9.uc",
            line: 9,
            kind: Some(1),
            tag: "exact",
            bound: Some(Bound { assume: "true", text: "max(0, n - i)" }),
            variables: &["a", "i", "n"],
            given: "true",
            summary: Some(
                "(and (= n! n) (or (and (>= i n) (= i! i) (= a! a))
                   (and (< i n) (= i! n) (= a! (+ a (* 2 (- n i)))))))",
            ),
            runs: Some(Runs {
                streams: || vectors(2, &SMALL),
                entry: |s| vec![("a", 0), ("i", s[0]), ("n", s[1])],
                prints: &["a", "i"],
                complete: "true",
            }),
        },
        Document {
            file: "thesis_4_10.uc",
            line: 7,
            kind: Some(1),
            tag: "exact",
            bound: Some(Bound { assume: "true", text: "max(0, n - x, 2*n - x - z)" }),
            variables: &["n", "x", "z"],
            given: "true",
            summary: Some(crate::proteus::TAKING_TURNS),
            runs: Some(Runs {
                streams: || vectors(3, &SMALL),
                entry: |s| vec![("n", s[0]), ("x", s[1]), ("z", s[2])],
                prints: &["x", "z"],
                complete: "true",
            }),
        },
        // Table 4.4 has `j < 5` where the listing has `j < 8`.
        // "Can not thus be summarized", says the thesis; but `a` and `j` have nothing to do with each other.
        Document {
            file: "thesis_4_11.uc",
            line: 7,
            kind: Some(2),
            tag: "exact",
            bound: Some(Bound { assume: "true", text: "max(0, 100 - i)" }),
            variables: &["i", "j", "a"],
            given: "true",
            summary: None,
            runs: Some(Runs {
                streams: || {
                    let starts = vectors(2, &[-7, 6, 8, 30]).into_iter();
                    let long = |s: Vec<i64>| [85, 98, 103].map(|i| [&[i], &s[..]].concat());
                    starts.flat_map(long).collect()
                },
                entry: |s| vec![("i", s[0]), ("j", s[1]), ("a", s[2])],
                prints: &["i", "j", "a"],
                complete: "true",
            }),
        },
        Document {
            file: "thesis_4_12.uc",
            line: 8,
            kind: Some(3),
            tag: "over",
            bound: None,
            variables: &["i", "j", "k", "n"],
            given: "true",
            summary: None,
            runs: Some(Runs {
                streams: || {
                    let starts = vectors(3, &[-1, 0, 2]).into_iter();
                    let steps = |start: Vec<i64>| {
                        let steps = vectors(2, &[-3, 0, 1, 2]).into_iter();
                        steps.map(move |steps| [&start[..], &steps, &[9]].concat())
                    };
                    starts.flat_map(steps).collect()
                },
                entry: |s| vec![("i", s[0]), ("j", 0), ("k", s[1]), ("n", s[2])],
                prints: &["i", "j", "k"],
                complete: "true",
            }),
        },
        Document {
            file: "thesis_4_13.uc",
            line: 24,
            kind: None,
            tag: "exact",
            bound: Some(Bound { assume: "true", text: "max(0, n - x, 2*n - x - z)" }),
            variables: &["n", "x", "z"],
            given: "true",
            summary: Some(crate::proteus::TAKING_TURNS),
            runs: None,
        },
        // `res` grows by n in every iteration, not by realX: the inner loop has put n into `x`. It does so where realX < n, which the
        // program sees to; for any other entry `x` stays.
        Document {
            file: "thesis_4_13.uc",
            line: 21,
            kind: None,
            tag: "exact",
            bound: Some(Bound { assume: "true", text: "max(0, n - i)" }),
            variables: &["n", "x", "z", "res", "i", "realX", "realZ"],
            given: "true",
            summary: Some(
                "(and (= n! n) (= realX! realX) (= realZ! realZ) (or
                   (and (>= i n) (= i! i) (= x! x) (= z! z) (= res! res))
                   (and (< i n) (= i! n) (= x! (ite (< realX n) n realX))
                     (= z! (ite (and (< realX n) (< realZ n)) n realZ))
                     (= res! (+ res (* (- n i) x!))))))",
            ),
            runs: Some(Runs {
                streams: || vectors(3, &SMALL),
                entry: |s| {
                    let n = s[0].max(1);
                    let (x, z) = (s[1].min(n - 1), s[2].min(n - 1));
                    let [x, z] = [("x", "realX", x), ("z", "realZ", z)];
                    vec![
                        ("n", n),
                        (x.0, x.2),
                        (x.1, x.2),
                        (z.0, z.2),
                        (z.1, z.2),
                        ("i", 0),
                        ("res", 0),
                    ]
                },
                prints: &["n", "x", "z", "res", "i"],
                complete: "true",
            }),
        },
        Document {
            file: "thesis_4_14.uc",
            line: 11,
            kind: None,
            tag: "exact",
            bound: Some(Bound { assume: "true", text: "max(0, n - i)" }),
            variables: &["n", "x", "z", "res", "i", "realX", "realZ"],
            given: "true",
            summary: Some(
                "(and (= n! n) (= realX! realX) (= realZ! realZ) (or
                   (and (>= i n) (= i! i) (= x! x) (= z! z) (= res! res))
                   (and (< i n) (= i! n) (= x! (ite (< realX n) n realX))
                     (= z! (ite (< realX n) n realZ)) (= res! (+ res (* (- n i) x!))))))",
            ),
            runs: Some(outer()),
        },
        Document {
            file: "thesis_4_15.uc",
            line: 11,
            kind: None,
            tag: "exact",
            bound: Some(Bound { assume: "true", text: "max(0, n - i)" }),
            variables: &["n", "x", "z", "res", "i", "realX", "realZ"],
            given: "true",
            summary: Some(
                "(and (= n! n) (= realX! realX) (= realZ! realZ) (or
                   (and (>= i n) (= i! i) (= x! x) (= z! z) (= res! res))
                   (and (< i n) (= i! n) (= x! n) (= z! n) (= res! (+ res (* (- n i) n))))))",
            ),
            runs: Some(outer()),
        },
    ]
}

/// The loops without an inner one.
fn outer() -> Runs {
    Runs {
        streams: || {
            let starts = vectors(4, &[-1, 1, 2]).into_iter();
            starts.map(|s| vec![s[0], 7, 8, 5, s[1], s[2], s[3]]).collect()
        },
        entry: |s| {
            let names = ["n", "x", "z", "res", "i", "realX", "realZ"];
            names.into_iter().zip(s.iter().copied()).collect()
        },
        prints: &["x", "z", "res", "i"],
        complete: "true",
    }
}
