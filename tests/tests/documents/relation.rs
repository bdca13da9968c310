//! Relations that `loupe loops --emit smt2` prints, and questions about them to solvers.

use loupe_tests::cvc5;
use loupe_tests::process::Loupe;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// For one question, in milliseconds: what a solver does not see by then, it does not see.
const MILLISECONDS: u32 = 10_000;

/// So many questions are always asked twice.
const FEW: usize = 4;

/// What a solver may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Sat,
    Unsat,
    Unknown,
}

/// The relation of one loop.
pub(crate) struct Relation {
    /// All definitions of the file.
    definitions: String,
    name: String,
    /// What it was made for.
    precondition: String,
    /// How many of the variables are its parameters: the first ones.
    known: usize,
    /// The variables in their order, each with its sort.
    pub(crate) variables: Vec<(String, String)>,
    exits: usize,
}

/// Values by the names of variables.
pub(crate) type Values = BTreeMap<String, i64>;

impl Relation {
    /// The relation of the loop in a line: its name ends as its tag says.
    pub(crate) fn of(file: &Path, line: u64) -> Result<Self, String> {
        let run = Loupe::new(["loops".as_ref(), file.as_os_str()]).args(["--emit", "smt2"]).run();
        if run.status != 0 {
            return Err(format!("{}: {run}", file.display()));
        }
        let forms = forms(&run.stdout);
        let definitions: Vec<&str> =
            forms.iter().filter(|form| form.starts_with("(define-")).copied().collect();
        let names = [format!("loop_{line}"), format!("loop_{line}_over")];
        let find = |name: &String| {
            let head = format!("(define-fun {name} (");
            definitions
                .iter()
                .find_map(|form| form.strip_prefix(&head))
                .map(|rest| (name.clone(), rest))
        };
        let (name, rest) = names
            .iter()
            .find_map(find)
            .ok_or_else(|| format!("{}: no relation for line {line}", file.display()))?;
        let mut parameters = parameters(rest);
        // The last one is the number of the exit; entry values come before exit values.
        parameters.pop();
        parameters.truncate(parameters.len() / 2);
        Ok(Relation {
            definitions: definitions.join("\n"),
            name,
            precondition: format!("loop_{line}_pre"),
            known: parameters.len(),
            variables: parameters,
            exits: exits(&run.stdout, line),
        })
    }

    /// Adds variables that the relation does not mention: it leaves them as they are.
    pub(crate) fn add(&mut self, names: &[&str]) {
        for name in names {
            if self.variables.iter().all(|(known, _)| known != name) {
                self.variables.push(((*name).to_owned(), "Int".to_owned()));
            }
        }
    }

    /// The parameters with a mark, each behind a space.
    fn known(&self, mark: &str) -> String {
        let known = self.variables[..self.known].iter();
        known.map(|(name, _)| format!(" {}", marked(name, mark))).collect()
    }

    /// The same as a formula over `v` and `v!`, for whatever exit.
    fn formula(&self) -> String {
        let (entry, exit) = (self.known(""), self.known("!"));
        let exits = (0..self.exits).map(|number| format!("({}{entry}{exit} {number})", self.name));
        let exits = exits.collect::<Vec<_>>().join(" ");
        let others = self.variables[self.known..].iter();
        let same = others.map(|(name, _)| format!(" (= {name} {})", marked(name, "!")));
        format!("(and (or false {exits}){})", same.collect::<String>())
    }

    fn parameters(&self) -> String {
        let mark = |mark: &'static str| {
            self.variables
                .iter()
                .map(move |(name, sort)| format!("({} {sort})", marked(name, mark)))
        };
        mark("").chain(mark("!")).collect::<Vec<_>>().join(" ")
    }

    /// Answers to questions, each a formula over `v` and `v!`, in which `(loop!)` is the relation of Loupe, `(document!)` another
    /// one, and `(pre!)` what Loupe assumes.
    /// Values that are known are put in beforehand.
    /// `None` if that needs cvc5, and the machine does not have it.
    pub(crate) fn ask(&self, document: &str, questions: &[Question]) -> Option<Vec<Answer>> {
        let parameters = self.parameters();
        let (own, names) = (self.formula(), self.arguments());
        let mut script = format!(
            "(set-logic ALL)\n{}\n(define-fun loop! ({parameters}) Bool {own})\n\
             (define-fun document! ({parameters}) Bool {document})\n",
            self.definitions
        );
        for question in questions {
            let declare = |(name, sort): &(String, String), mark| {
                format!("(declare-const {} {sort})\n", marked(name, mark))
            };
            script += "(push 1)\n";
            for variable in &self.variables {
                script += &(declare(variable, "") + &declare(variable, "!"));
            }
            let formula = question.formula.replace("(loop!)", &format!("(loop! {names})"));
            let formula = formula.replace("(document!)", &format!("(document! {names})"));
            let pre = format!("({}{})", self.precondition, self.known(""));
            script += &format!("(assert {})\n", formula.replace("(pre!)", &pre));
            for (name, value) in &question.values {
                script += &format!("(assert (= {} {}))\n", symbol(name), literal(*value));
            }
            script += "(check-sat)\n(pop 1)\n";
        }
        answers(&script, questions.len())
    }

    fn arguments(&self) -> String {
        let names = |mark: &'static str| self.variables.iter().map(move |(n, _)| marked(n, mark));
        names("").chain(names("!")).collect::<Vec<_>>().join(" ")
    }
}

/// A formula with what is known of its variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Question {
    pub(crate) formula: String,
    pub(crate) values: Values,
}

/// `v` or `v!`, quoted as the variable is.
pub(crate) fn marked(name: &str, mark: &str) -> String {
    match name.strip_suffix('|') {
        Some(start) => format!("{start}{mark}|"),
        None => format!("{name}{mark}"),
    }
}

/// A name as a symbol.
fn symbol(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_!.".contains(c);
    if name.starts_with('|') || name.chars().all(is_plain) {
        name.to_owned()
    } else {
        format!("|{name}|")
    }
}

pub(crate) fn literal(number: i64) -> String {
    if number < 0 { format!("(- {})", number.unsigned_abs()) } else { number.to_string() }
}

/// The forms of a script, without comments between them.
fn forms(script: &str) -> Vec<&str> {
    let (mut forms, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    let (mut is_comment, mut is_quoted) = (false, false);
    for (position, character) in script.char_indices() {
        match character {
            '\n' => is_comment = false,
            _ if is_comment => {}
            '|' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            ';' => is_comment = true,
            '(' => {
                if depth == 0 {
                    start = position;
                }
                depth += 1;
            }
            ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    forms.push(&script[start..=position]);
                }
            }
            _ => {}
        }
    }
    forms
}

/// `(name sort)` up to the parenthesis that ends the list.
fn parameters(text: &str) -> Vec<(String, String)> {
    let close = {
        let mut depth = 1_usize;
        let end = text.char_indices().find(|(_, character)| {
            match character {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        end.map_or(text.len(), |(position, _)| position)
    };
    let split = |form: &str| {
        let inner = &form[1..form.len() - 1];
        let end = match inner.strip_prefix('|') {
            Some(rest) => rest.find('|').map_or(inner.len(), |end| end + 2),
            None => inner.find(' ').unwrap_or(inner.len()),
        };
        (inner[..end].to_owned(), inner[end..].trim().to_owned())
    };
    forms(&text[..close]).into_iter().map(split).collect()
}

/// How many exits the comments before the relations of a loop list.
fn exits(script: &str, line: u64) -> usize {
    let head = format!("(define-fun loop_{line}_pre ");
    let before = script.split(&head).next().unwrap_or_default();
    let comments = before.lines().rev().take_while(|line| line.starts_with(';') || line.is_empty());
    comments.filter(|line| line.starts_with("; exit ")).count()
}

/// What solvers say: Loupe's own chain, and cvc5 where that is set up. One that knows is enough; two that know say the same.
fn answers(script: &str, questions: usize) -> Option<Vec<Answer>> {
    let own = own_answers(script).unwrap_or_else(|| vec![Answer::Unknown; questions]);
    assert_eq!(own.len(), questions, "{script}");
    if !own.contains(&Answer::Unknown) && questions > FEW {
        return Some(own);
    }
    let Some(other) = cvc5_answers(script) else {
        return (!own.contains(&Answer::Unknown)).then_some(own);
    };
    assert_eq!(other.len(), questions, "{other:?}\n{script}");
    let both = own.into_iter().zip(other).enumerate().map(|(number, pair)| match pair {
        (Answer::Unknown, answer) | (answer, Answer::Unknown) => answer,
        (first, second) => {
            assert_eq!(first, second, "question {number} of\n{script}");
            first
        }
    });
    Some(both.collect())
}

fn answer(text: &str) -> Answer {
    match text {
        "sat" => Answer::Sat,
        "unsat" => Answer::Unsat,
        _ => Answer::Unknown,
    }
}

/// `None` if the script has quantifiers that are not for Loupe's own chain.
fn own_answers(script: &str) -> Option<Vec<Answer>> {
    static NUMBER: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("document-{number}.smt2"));
    fs::write(&file, script).expect("a file");
    let seconds = (f64::from(MILLISECONDS) / 1e3).to_string();
    let call = Loupe::new(["solve".as_ref(), file.as_os_str()]);
    let run = call.args(["--format", "json", "--timeout", &seconds]).run();
    if run.status == 3 && run.stderr.contains("this is not supported") {
        return None;
    }
    if run.status == 3 && run.stderr.contains("this is not supported") {
        return None;
    }
    let report: serde_json::Value = serde_json::from_str(&run.stdout)
        .unwrap_or_else(|error| panic!("{error}\n{run}\n{script}"));
    let answers = report["answers"].as_array().unwrap_or_else(|| panic!("{run}"));
    Some(answers.iter().map(|own| answer(own["answer"].as_str().unwrap_or_default())).collect())
}

fn cvc5_answers(script: &str) -> Option<Vec<Answer>> {
    Some(cvc5::ask(script, MILLISECONDS)?.iter().map(|line| answer(line)).collect())
}
