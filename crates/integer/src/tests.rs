//! The oracle is `i128` arithmetic, and `BigInt` beyond it.

use super::*;
use proptest::prelude::*;

fn big(value: i128) -> Integer {
    Integer::from_big(BigInt::from(value))
}

/// Small numbers, numbers around the borders of the fast path, and anything.
fn any_integer() -> impl Strategy<Value = i128> {
    prop_oneof![
        -20i128..20,
        (-3i128..3).prop_map(|d| i128::from(i64::MAX) + d),
        (-3i128..3).prop_map(|d| i128::from(i64::MIN) + d),
        any::<i64>().prop_map(i128::from),
        (-(1i128 << 100)..(1i128 << 100)),
    ]
}

proptest! {
    #[test]
    fn arithmetic_agrees_with_i128(a in any_integer(), b in any_integer()) {
        let (x, y) = (big(a), big(b));
        prop_assert_eq!(x.add(&y), big(a + b));
        prop_assert_eq!(x.sub(&y), big(a - b));
        prop_assert_eq!(x.mul(&y), Integer::from_big(BigInt::from(a) * BigInt::from(b)));
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x == y, a == b);
        prop_assert_eq!(x.div_truncated(&y), a.checked_div(b).map(big));
        prop_assert_eq!(x.rem_truncated(&y), a.checked_rem(b).map(big));
        prop_assert_eq!(x.rem_euclidean(&y), a.checked_rem_euclid(b).map(big));
        prop_assert_eq!(x.div_floor(&y), a.checked_div_euclid(b).map(|q| {
            // Euclidean and floor quotients differ by one for negative divisors with a remainder.
            let inexact = a.rem_euclid(b) != 0;
            big(if b < 0 && inexact { q - 1 } else { q })
        }));
        let (mut p, mut q) = (a.unsigned_abs(), b.unsigned_abs());
        while q != 0 {
            (p, q) = (q, p % q);
        }
        prop_assert_eq!(x.gcd(&y), Integer::from_big(BigInt::from(p)));
        prop_assert_eq!(x.bit_and(&y), big(a & b));
        prop_assert_eq!(x.bit_or(&y), big(a | b));
        prop_assert_eq!(x.bit_xor(&y), big(a ^ b));
        prop_assert_eq!(x.neg(), big(-a));
    }

    #[test]
    fn shifts_agree_with_i128(a in any_integer(), count in 0u32..20, far in 60u32..120) {
        prop_assert_eq!(big(a).shift_left(count), big(a << count));
        prop_assert_eq!(big(a).shift_right(count), big(a >> count));
        prop_assert_eq!(big(a).shift_right(far), big(a >> far));
    }

    #[test]
    fn wrapping_agrees_with_machine_conversions(a in any_integer()) {
        prop_assert_eq!(big(a).wrap(8, Signedness::Signed), big(i128::from(a as i8)));
        prop_assert_eq!(big(a).wrap(8, Signedness::Unsigned), big(i128::from(a as u8)));
        prop_assert_eq!(big(a).wrap(32, Signedness::Signed), big(i128::from(a as i32)));
        prop_assert_eq!(big(a).wrap(32, Signedness::Unsigned), big(i128::from(a as u32)));
        prop_assert_eq!(big(a).wrap(64, Signedness::Signed), big(i128::from(a as i64)));
        prop_assert_eq!(big(a).wrap(64, Signedness::Unsigned), big(i128::from(a as u64)));
        prop_assert_eq!(big(a).wrap(1, Signedness::Unsigned), big(a & 1));
    }

    #[test]
    fn printing_and_reading_are_inverse(a in any_integer()) {
        prop_assert_eq!(a.to_string().parse::<Integer>(), Ok(big(a)));
        prop_assert_eq!(big(a).to_string(), a.to_string());
    }
}

#[test]
fn only_decimal_digits_are_read() {
    for text in ["", "-", "+1", " 1", "1_000", "0x10", "--1", "1.0"] {
        assert_eq!(text.parse::<Integer>(), Err(NotAnInteger), "{text:?}");
    }
}

#[test]
fn every_value_has_one_form() {
    let edge = Integer::from(i64::MAX);
    assert_eq!(edge.add(&Integer::ONE).sub(&Integer::ONE), edge);
    assert_eq!(Integer::power_of_two(63).to_i64(), None);
    assert_eq!(Integer::power_of_two(62).to_i64(), Some(1 << 62));
    assert_eq!(Integer::from(i64::MIN).neg(), Integer::power_of_two(63));
    assert_eq!(Integer::power_of_two(63).neg().to_i64(), Some(i64::MIN));
}
