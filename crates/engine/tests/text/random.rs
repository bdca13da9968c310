//! Random numbers, the same in every run.

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// 64 random bits (xorshift64*).
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        (self.bits() >> 8) % bound
    }

    pub(crate) fn chance(&mut self, one_in: u64) -> bool {
        self.below(one_in) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    /// An integer of a random size, often a special one.
    pub(crate) fn integer(&mut self) -> u64 {
        let special = [0, 1, 8, 9, 10, 127, 128, 255, 32767, 65535, 1 << 31, u32::MAX.into()];
        match self.below(4) {
            0 => self.pick(&special),
            1 => self.pick(&special).wrapping_neg(),
            2 => self.bits() >> self.below(64),
            _ => (self.bits() >> self.below(64)).wrapping_neg(),
        }
    }

    /// The bits of a `double`: random ones, decimal fractions, ties, powers of ten, special values.
    pub(crate) fn double(&mut self) -> u64 {
        let small = self.below(20000) as f64 - 10000.0;
        let value = match self.below(9) {
            0..3 => return self.bits(),
            3 => small,
            4 => small / 8.0 + 0.5,
            5 => small / 1000.0,
            6 => 10f64.powi(self.below(600) as i32 - 300) * (small / 16.0),
            7 => (self.bits() >> self.below(63)) as f64,
            _ => {
                self.pick(&[0.0, -0.0, f64::INFINITY, f64::NAN, -f64::NAN, 9.5, 0.5, 1e5, 999999.5])
            }
        };
        value.to_bits()
    }

    /// The bits of a `long double`: random ones, and the others that `double` has.
    pub(crate) fn long_double(&mut self) -> u128 {
        if self.chance(20) {
            let significand = self.pick(&[0, 1, 1 << 62, 1 << 63, u64::MAX]);
            return u128::from(significand) | self.pick(&[0, 1, 0x3fff, 0x7fff, 0xffff]) << 64;
        }
        if self.chance(3) {
            return u128::from(self.bits()) | u128::from(self.bits() as u16) << 64;
        }
        let bits = self.double();
        let value = f64::from_bits(bits);
        let sign = u128::from(value.is_sign_negative()) << 79;
        let exponent = (bits >> 52 & 0x7ff) as u128;
        let significand = u128::from(bits << 11 | 1 << 63);
        match exponent {
            // Zeros and subnormal numbers: as if they were long doubles.
            0 => sign | u128::from(bits << 12 >> 12),
            0x7ff => sign | 0x7fff << 64 | significand,
            _ => sign | (exponent + 16383 - 1023) << 64 | significand,
        }
    }
}
