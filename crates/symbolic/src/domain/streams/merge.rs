//! What was read on two ways as one.

use super::Streams;
use crate::domain::Symbolic;
use crate::merge::Apart;
use crate::trail::Trail;
use loupe_term::Term;

impl Symbolic {
    /// The streams of a state that two others are merged to; the selector holds in the first.
    pub(crate) fn merged_streams(
        &mut self,
        selector: Term,
        a: &Streams,
        b: &Streams,
    ) -> Result<Streams, Apart> {
        let (ours, theirs) = (&a.command_line, &b.command_line);
        let are_alike = ours.count == theirs.count && ours.bytes.keys().eq(theirs.bytes.keys());
        if a.taken != b.taken || a.start != b.start || !are_alike {
            return Err(Apart::Streams);
        }
        let undefined = match a.undefined == b.undefined {
            true => a.undefined.clone(),
            false => {
                let (a, b) = (self.term(&a.undefined), self.term(&b.undefined));
                let choice = self.terms.ite(selector, a, b);
                self.int_of(choice)
            }
        };
        // Bytes have symbols by their position, so one of the lists begins with the other.
        let bytes = if a.bytes.len() >= b.bytes.len() { &a.bytes } else { &b.bytes };
        Ok(Streams {
            readings: Trail::merged(selector, &a.readings, &b.readings),
            start: a.start,
            undefined,
            unknowns: Trail::merged(selector, &a.unknowns, &b.unknowns),
            bytes: bytes.clone(),
            taken: a.taken,
            command_line: a.command_line.clone(),
            occasions: a.occasions.max(b.occasions),
        })
    }
}
