//! Fingerprints of what runs depend on.

/// A number of 64 bits for some pieces of text, in hexadecimal digits; the same on every machine and in every version (FNV-1a).
///
/// Where a piece ends counts: `["ab", "c"]` is not `["a", "bc"]`.
pub fn fingerprint<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> String {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const FACTOR: u64 = 0x0000_0100_0000_01b3;
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(FACTOR);
    let hash = pieces.into_iter().fold(START, |hash, piece| {
        let length = (piece.len() as u64).to_le_bytes();
        length.iter().chain(piece).fold(hash, |hash, byte| step(hash, *byte))
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::fingerprint;

    #[test]
    fn it_never_changes_and_sees_every_byte() {
        let of = |pieces: &[&str]| fingerprint(pieces.iter().map(|piece| piece.as_bytes()));
        assert_eq!(of(&[]), "cbf29ce484222325");
        assert_eq!(of(&["ab", "c"]), of(&["ab", "c"]));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["ab"]), of(&["ab", ""]));
    }
}
