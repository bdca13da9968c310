//! Random numbers: SplitMix64 (Steele, Lea, Flood 2014). A search needs many numbers that look random and
//! are the same for the same seed on every machine and in every version; it needs no more than that.

/// A source of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Generator {
    state: u64,
}

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        Generator { state: seed }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, all equally likely; 0 if `bound` is.
    ///
    /// The high word of `number * bound` (Lemire 2019). Each result comes from ⌊2⁶⁴ / bound⌋ numbers or from
    /// one more; numbers whose low word is below 2⁶⁴ mod bound are refused, which leaves equally many.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        if bound <= 1 {
            return 0;
        }
        let surplus = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.next()) * u128::from(bound);
            if product as u64 >= surplus {
                return (product >> 64) as u64;
            }
        }
    }

    /// An index below `length`, all equally likely.
    pub(crate) fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_reference_implementation() {
        let mut generator = Generator::new(1234567);
        let numbers = [(); 3].map(|()| generator.next());
        assert_eq!(numbers, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn all_numbers_below_a_bound_are_equally_likely() {
        let mut generator = Generator::new(1);
        // With a bound near 2⁶⁴ · 2/3, a missing refusal would make every second number twice as likely.
        let bound = u64::MAX / 3 * 2;
        let even = (0..10_000).filter(|_| generator.below(bound).is_multiple_of(2)).count();
        assert!((4_800..5_200).contains(&even), "{even}");
        let mut counts = [0; 5];
        for _ in 0..10_000 {
            counts[generator.index(5)] += 1;
        }
        assert!(counts.iter().all(|count| (1_850..2_150).contains(count)), "{counts:?}");
    }

    #[test]
    fn no_numbers_lie_below_nothing() {
        assert_eq!(Generator::new(0).below(0), 0);
        assert_eq!(Generator::new(0).below(1), 0);
    }
}
