//! Axes: from values to places.

/// How values are spread over an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scale {
    /// Evenly, from 0 to a greatest value.
    Linear(f64),
    /// By their logarithms, from one power of ten to another.
    Logarithmic(i32, i32),
}

/// About so many marks stand on an axis.
const MARKS: f64 = 6.0;

impl Scale {
    /// An even scale up to at least this value, which ends with a mark.
    pub(super) fn linear(greatest: f64) -> Self {
        let greatest = greatest.max(1.0);
        let step = step(greatest);
        Scale::Linear((greatest / step).ceil() * step)
    }

    /// A logarithmic scale for these values, which are greater than 0.
    pub(super) fn logarithmic(least: f64, greatest: f64) -> Self {
        let least = least.max(1e-9).log10().floor() as i32;
        let greatest = greatest.max(1e-9).log10().ceil() as i32;
        Scale::Logarithmic(least, greatest.max(least + 1))
    }

    /// Where a value is, from 0 to 1.
    pub(super) fn place(self, value: f64) -> f64 {
        let place = match self {
            Scale::Linear(greatest) => value / greatest,
            Scale::Logarithmic(least, greatest) => {
                (value.max(f64::MIN_POSITIVE).log10() - f64::from(least))
                    / f64::from(greatest - least)
            }
        };
        place.clamp(0.0, 1.0)
    }

    /// The values with marks, and their names.
    pub(super) fn marks(self) -> Vec<(f64, String)> {
        match self {
            Scale::Linear(greatest) => {
                let step = step(greatest);
                let count = (greatest / step).round() as u32;
                (0..=count).map(|number| f64::from(number) * step).map(|v| (v, name(v))).collect()
            }
            Scale::Logarithmic(least, greatest) => {
                (least..=greatest).map(|power| 10f64.powi(power)).map(|v| (v, name(v))).collect()
            }
        }
    }

    /// The greatest value.
    pub(super) fn end(self) -> f64 {
        match self {
            Scale::Linear(greatest) => greatest,
            Scale::Logarithmic(_, greatest) => 10f64.powi(greatest),
        }
    }
}

/// 1, 2 or 5 times a power of ten, so that there are about as many marks as wanted.
fn step(greatest: f64) -> f64 {
    let rough = greatest / MARKS;
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= rough);
    // Whole things are counted.
    (factor.unwrap_or(10.0) * power).max(1.0)
}

/// A number without digits that say nothing.
pub(super) fn name(value: f64) -> String {
    match value {
        _ if value >= 1e9 => format!("{}G", value / 1e9),
        _ if value >= 1e6 => format!("{}M", value / 1e6),
        _ if value >= 1e4 => format!("{}k", value / 1e3),
        _ => {
            let text = format!("{value:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_cover_their_values() {
        for greatest in [0.0, 1.0, 7.0, 49.0, 50.0, 123.0, 9_999_999.0] {
            let scale = Scale::linear(greatest);
            let marks = scale.marks();
            assert!(scale.end() >= greatest && marks.len() <= 12, "{greatest}: {marks:?}");
            assert_eq!((marks[0].0, scale.place(0.0)), (0.0, 0.0));
            assert_eq!(scale.place(scale.end()), 1.0);
        }
        let scale = Scale::logarithmic(0.013, 5.0);
        assert_eq!(scale, Scale::Logarithmic(-2, 1));
        let names: Vec<String> = scale.marks().into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["0.01", "0.1", "1", "10"]);
        assert_eq!((scale.place(0.01), scale.place(10.0), scale.place(0.0)), (0.0, 1.0, 0.0));
        assert_eq!(Scale::logarithmic(1.0, 1.0), Scale::Logarithmic(0, 1));
    }
}
