//! Where the inputs of a run come from.

use crate::args::Run;
use crate::console::SharedWriter;
use crate::load::{read_bytes, read_text};
use crate::status::Failed;
use loupe_engine::concrete::{BadInput, ByteSource, InputSource, RunLength, parse_input_file};
use loupe_integer::Integer;
use std::io::{self, BufRead};

/// Inputs, and values of uninitialised variables.
pub(crate) struct Inputs {
    pub(crate) input: Box<dyn InputSource>,
    pub(crate) undefined: Box<dyn InputSource>,
}

impl Inputs {
    /// The inputs that the command line names; `out` is flushed before anybody is made to wait.
    pub(crate) fn of(run: &Run, out: &SharedWriter) -> Result<Inputs, Failed> {
        let undefined = match &run.uninitialised {
            None => RunLength::default(),
            Some(numbers) => RunLength::parse(numbers)
                .map_err(|error| Failed::bad_input(format!("--uninitialised: {error}")))?,
        };
        let undefined = Box::new(undefined);
        if let Some(numbers) = &run.input {
            let input = RunLength::parse(numbers)
                .map_err(|error| Failed::bad_input(format!("--input: {error}")))?;
            return Ok(Inputs { input: Box::new(input), undefined });
        }
        let Some(path) = &run.input_file else {
            let kind = if run.ascii { Kind::Characters } else { Kind::Numbers };
            let input = StandardInput { kind, out: out.clone(), words: Vec::new(), last: None };
            return Ok(Inputs { input: Box::new(input), undefined });
        };
        if run.ascii {
            let input: RunLength = read_bytes(path)?.into_iter().map(Integer::from).collect();
            return Ok(Inputs { input: Box::new(input), undefined });
        }
        let text = read_text(path)?;
        let (input, undefined) = parse_input_file(&text)
            .map_err(|error| Failed::bad_input(format!("{}: {error}", path.display())))?;
        Ok(Inputs { input: Box::new(input), undefined: Box::new(undefined) })
    }
}

/// What standard input consists of.
enum Kind {
    Numbers,
    Characters,
}

/// Standard input, read line by line when the program wants more, so that it can be typed.
struct StandardInput {
    kind: Kind,
    out: SharedWriter,
    /// What has been read and not asked for, the next one last.
    words: Vec<(Integer, u64)>,
    /// The last answer and its position.
    last: Option<(u64, Integer)>,
}

impl StandardInput {
    /// Reads one more line; `false` at the end.
    fn fill(&mut self, position: u64) -> Result<bool, BadInput> {
        // Whoever types wants to see what has been put out so far.
        self.out.flush();
        let mut line = Vec::new();
        let read = io::stdin().lock().read_until(b'\n', &mut line);
        if read.map_err(|error| BadInput::Unreadable(error.to_string()))? == 0 {
            return Ok(false);
        }
        self.words = match self.kind {
            Kind::Characters => line.iter().map(|byte| (Integer::from(*byte), 1)).collect(),
            Kind::Numbers => {
                let text = String::from_utf8_lossy(&line);
                let numbers = RunLength::parse(&text).map_err(|error| error.moved_by(position))?;
                numbers.runs().collect()
            }
        };
        self.words.reverse();
        Ok(true)
    }
}

impl InputSource for StandardInput {
    fn get(&mut self, position: u64) -> Result<Option<Integer>, BadInput> {
        if let Some((known, value)) = &self.last
            && *known == position
        {
            return Ok(Some(value.clone()));
        }
        while self.words.is_empty() {
            if !self.fill(position)? {
                return Ok(None);
            }
        }
        let Some((value, count)) = self.words.last_mut() else {
            return Ok(None);
        };
        let value = value.clone();
        *count -= 1;
        if *count == 0 {
            self.words.pop();
        }
        self.last = Some((position, value.clone()));
        Ok(Some(value))
    }
}

/// Standard input as bytes, read when the program wants more.
pub(crate) struct StandardBytes {
    out: SharedWriter,
    /// What was read last, and the position of its first byte.
    piece: Vec<u8>,
    start: u64,
}

impl StandardBytes {
    pub(crate) fn new(out: &SharedWriter) -> Self {
        StandardBytes { out: out.clone(), piece: Vec::new(), start: 0 }
    }
}

impl ByteSource for StandardBytes {
    fn byte(&mut self, position: u64) -> Result<Option<u8>, BadInput> {
        let at = position.checked_sub(self.start).and_then(|at| usize::try_from(at).ok());
        let byte = at.and_then(|at| self.piece.get(at).copied());
        if byte.is_some() {
            return Ok(byte);
        }
        // Whoever types wants to see what has been put out so far.
        self.out.flush();
        let mut input = io::stdin().lock();
        let more = input.fill_buf().map_err(|error| BadInput::Unreadable(error.to_string()))?;
        let more = more.to_vec();
        input.consume(more.len());
        let byte = more.first().copied();
        if byte.is_some() {
            self.piece = more;
            self.start = position;
        }
        Ok(byte)
    }
}
