//! What Proteus says of the loops in its Fig. 1 and 6.

use crate::runs::vectors;
use crate::{Bound, Document, Runs};

/// The summary in the introduction of the paper, of Fig. 1(a).
pub(crate) const TAKING_TURNS: &str = "(and (= n! n) (or (and (>= x n) (= x! x) (= z! z))
    (and (< x n) (<= n z) (= x! n) (= z! z)) (and (< x n) (< z n) (= x! n) (= z! n))))";

/// Fig. 1(d): which path is first is known at entry; which is last is the one whose variable is 0. If these are the same, and it
/// was 1, there is no other iteration.
const THREE_WAYS: &str = "(or
    (and (or (= x1 0) (= x2 0) (= x3 0)) (= x1! x1) (= x2! x2) (= x3! x3) (= c1! c1) (= c2! c2))
    (and (> x1 0) (> x2 0) (> x3 0) (<= 0 c1! 1) (<= 0 c2! 1)
      (<= 0 x1! x1) (<= 0 x2! x2) (<= 0 x3! x3)
      (ite (not (= c1 0)) (< x1! x1) (ite (not (= c2 0)) (< x2! x2) (< x3! x3)))
      (or (and (= x1! 0) (> x2! 0) (> x3! 0)
            (=> (and (not (= c1 0)) (= x1 1)) (and (= x2! x2) (= x3! x3))))
          (and (= x2! 0) (> x1! 0) (> x3! 0)
            (=> (and (= c1 0) (not (= c2 0)) (= x2 1)) (and (= x1! x1) (= x3! x3))))
          (and (= x3! 0) (> x1! 0) (> x2! 0)
            (=> (and (= c1 0) (= c2 0) (= x3 1)) (and (= x1! x1) (= x2! x2)))))))";

/// The loops with conditions on induction variables, and those that inputs decide.
pub(crate) fn documents() -> Vec<Document> {
    [plain(), with_inputs(), with_arrays()].into_iter().flatten().collect()
}

fn plain() -> Vec<Document> {
    vec![
        Document {
            file: "proteus_1a.c",
            line: 9,
            kind: Some(1),
            tag: "exact",
            bound: Some(Bound { assume: "true", text: "max(0, n - x, 2*n - x - z)" }),
            variables: &["n", "x", "z"],
            given: "true",
            summary: Some(TAKING_TURNS),
            runs: Some(Runs {
                streams: || vectors(3, &[-2, -1, 0, 1, 2, 3]),
                entry: |s| vec![("n", s[0]), ("x", s[1]), ("z", s[2])],
                prints: &["x", "z"],
                complete: "true",
            }),
        },
        // The paper has no summary for it, only its type: both counters have a pattern of their own, and together none.
        Document {
            file: "proteus_1b.c",
            line: 8,
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
    ]
}

fn with_inputs() -> Vec<Document> {
    vec![
        // The paper takes 1 for every step, and says LINT for the bound, from i = 0. A sum of m - 1 inputs from 1 to 5 that stays below
        // 6 is s, and one more input comes to it: exact, since sums of inputs are solved. Failed assumptions are exits too; only the values behind the loop are looked at.
        Document {
            file: "proteus_1c.c",
            line: 9,
            kind: Some(3),
            tag: "exact",
            bound: Some(Bound { assume: "true", text: "max(0, 6 - i)" }),
            variables: &["i", "k"],
            given: "(and (< (- 1000) i 1000) (< (- 1000) k 1000))",
            summary: Some(
                "(or (and (>= i 6) (= i! i) (= k! k))
                   (exists ((m Int) (s Int)) (and (< i 6) (>= m 1) (= k! (+ k m))
                     (<= (+ i (- m 1)) s) (<= s (+ i (* 5 (- m 1)))) (< s 6)
                     (<= 6 i!) (<= (+ s 1) i!) (<= i! (+ s 5)))))",
            ),
            runs: Some(Runs {
                streams: || {
                    let steps = vectors(4, &[1, 2, 3, 4, 5]).into_iter();
                    steps.flat_map(|s| [3, 4, 7].map(|i| [&[i, 10], &s[..]].concat())).collect()
                },
                entry: |s| vec![("i", s[0]), ("k", s[1])],
                prints: &["i", "k"],
                complete: "(>= i! 6)",
            }),
        },
        // The paper lets the first path be any.
        Document {
            file: "proteus_1d.c",
            line: 13,
            kind: Some(4),
            tag: "over",
            bound: Some(Bound { assume: "true", text: "max(0, x1 + x2 + x3 - 2)" }),
            variables: &["x1", "x2", "x3", "c1", "c2"],
            given: "(and (<= 0 c1 1) (<= 0 c2 1))",
            summary: Some(THREE_WAYS),
            runs: Some(Runs {
                streams: || {
                    let paths = vectors(4, &[0, 1, 2]).into_iter();
                    let stream = |path: Vec<i64>| {
                        // c1 and c2 that choose these paths, and what they are behind the last one.
                        let chosen = path.iter().flat_map(|path| [i64::from(*path == 0), i64::from(*path == 1)]);
                        let chosen: Vec<i64> = chosen.chain([1, 0, 0, 1]).collect();
                        let sizes = [[1, 1, 2], [2, 1, 1], [2, 2, 1], [0, 2, 1], [2, 1, 2]];
                        sizes.map(|sizes| [&sizes[..], &chosen].concat())
                    };
                    paths.flat_map(stream).collect()
                },
                entry: |s| vec![("x1", s[0]), ("x2", s[1]), ("x3", s[2]), ("c1", s[3]), ("c2", s[4])],
                prints: &["x1", "x2", "x3", "c1", "c2"],
                // Both of `c1` and `c2` are never chosen.
                complete: "(and (not (= 1 c1! c2!)) (or (= x1 0) (not (= 0 c1! c2!))))",
            }),
        },
        // The error is not reached. Numbers of type `int` start again behind the largest one.
        Document {
            file: "proteus_1f.c",
            line: 7,
            kind: Some(3),
            tag: "exact",
            bound: None,
            variables: &["s", "x1", "x2"],
            given: "(= s 1) (= x1 0) (= x2 0)",
            summary: Some(
                "(and (<= 1 s! 4) (<= (- 2147483648) x1! 2147483647) (<= (- 2147483648) x2! 2147483647)
                   (= x1! (ite (= s! 2) (ite (= x2! 2147483647) (- 2147483648) (+ x2! 1)) x2!)))",
            ),
            runs: Some(Runs {
                streams: || (0..=12).map(|count| [vec![1; count], vec![0]].concat()).collect(),
                entry: |_| vec![("s", 1), ("x1", 0), ("x2", 0)],
                prints: &["s", "x1", "x2"],
                // From 0 on, the rest is as far away as the numbers of the type go.
                complete: "(and (<= 1 x1! 3) (<= 1 x2! 3))",
            }),
        },
        // The paper's summary has the last of these exits only.
        Document {
            file: "proteus_6a.c",
            line: 10,
            kind: None,
            tag: "exact",
            bound: Some(Bound {
                assume: "0 < m && m < n && i == 0 && j == 0",
                text: "m*n + n",
            }),
            variables: &["m", "n", "i", "j"],
            given: "(< 0 m n) (= i 0) (= j 0)",
            summary: Some(
                "(and (= m! m) (= n! n) (or (and (<= 0 i!) (< i! n) (<= 0 j! m)) (and (= i! n) (= j! 0))))",
            ),
            runs: Some(Runs {
                streams: || {
                    let sizes = [[1, 2], [1, 3], [2, 3], [2, 4]].into_iter();
                    let counts = |[m, n]: [i64; 2]| {
                        let most = usize::try_from(m * n + n).unwrap_or_default();
                        (0..=most).map(move |count| [vec![m, n], vec![1; count], vec![0]].concat())
                    };
                    sizes.flat_map(counts).collect()
                },
                entry: |s| vec![("m", s[0]), ("n", s[1]), ("i", 0), ("j", 0)],
                prints: &["i", "j"],
                complete: "true",
            }),
        },
    ]
}

fn with_arrays() -> Vec<Document> {
    vec![
        // The paper cannot summarise it.
        Document {
            file: "proteus_1e.c",
            line: 13,
            kind: Some(4),
            tag: "over",
            bound: None,
            variables: &[
                "|A[0]|", "|A[1]|", "|A[2]|", "|A[3]|", "|B[0]|", "|B[1]|", "|B[2]|", "|B[3]|",
                "lenA", "lenB", "i", "j",
            ],
            given: "true",
            summary: None,
            runs: Some(Runs {
                streams: || {
                    let texts = [
                        [1, 1, 2, 1, 1, 2],
                        [1, 2, 1, 1, 1, 1],
                        [2, 2, 2, 2, 1, 2],
                        [1, 2, 1, 2, 2, 2],
                    ];
                    let texts = texts.into_iter();
                    texts.flat_map(|t| [2, 1].map(|b| [&[4, b], &t[..]].concat())).collect()
                },
                entry: |s| {
                    let names = ["|A[0]|", "|A[1]|", "|A[2]|", "|A[3]|", "|B[0]|"];
                    let own = names.into_iter().zip(s[2..7].iter().copied());
                    let more = if s[1] == 2 { Some(("|B[1]|", s[7])) } else { None };
                    own.chain(more)
                        .chain([("lenA", 4), ("lenB", s[1]), ("i", 0), ("j", 0)])
                        .collect()
                },
                prints: &["i", "j"],
                complete: "true",
            }),
        },
        // The search ends at the first 3.
        Document {
            file: "proteus_6b.c",
            line: 13,
            kind: None,
            tag: "template",
            // The other two limits are those of accesses that fail: t8 is the length that the array is declared with.
            bound: Some(Bound {
                assume: "true",
                text: "max(0, min(size - j, t8 - j, a.len - a.off - j))",
            }),
            variables: &["size", "a.len", "a.off", "a", "j"],
            given: "true",
            summary: None,
            runs: None,
        },
    ]
}
