//! What is usual in many functions, and whether size matters.

/// The spread of a figure over functions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The smallest.
    pub min: f64,
    /// The smallest that half of them do not exceed.
    pub median: f64,
    /// The smallest that 95 of 100 do not exceed.
    pub percentile_95: f64,
    /// The largest.
    pub max: f64,
    /// How far the figure grows in proportion to the size, from -1 to 1 (Pearson).
    ///
    /// None where all figures, or all sizes, are the same.
    pub correlation: Option<f64>,
}

impl Summary {
    /// The summary of `points`, each a size and a figure, both finite; none of no points.
    ///
    /// # Complexity
    /// O(*n* log *n*), *n* the points.
    pub fn of(points: &[(f64, f64)]) -> Option<Self> {
        let mut figures: Vec<f64> = points.iter().map(|&(_, figure)| figure).collect();
        figures.sort_unstable_by(f64::total_cmp);
        let (&min, &max) = (figures.first()?, figures.last()?);
        // Number `ceil(share * n)`, from one: so many do not exceed it. In whole numbers, for 0.95 is none.
        let percentile = |percent: usize| figures[(percent * figures.len()).div_ceil(100) - 1];
        let correlation = correlation(points);
        Some(Self { min, median: percentile(50), percentile_95: percentile(95), max, correlation })
    }
}

/// Pearson's coefficient.
fn correlation(points: &[(f64, f64)]) -> Option<f64> {
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (mean_x, mean_y) = (mean(|point| point.0), mean(|point| point.1));
    // Constants are told by comparison: the mean of many may be off by a rounding.
    let is_constant = |of: fn(&(f64, f64)) -> f64| points.windows(2).all(|pair| of(&pair[0]) == of(&pair[1]));
    if is_constant(|point| point.0) || is_constant(|point| point.1) {
        return None;
    }
    let (mut together, mut of_x, mut of_y) = (0.0, 0.0, 0.0);
    for (x, y) in points.iter().map(|(x, y)| (x - mean_x, y - mean_y)) {
        together += x * y;
        of_x += x * x;
        of_y += y * y;
    }
    let coefficient: f64 = together / (of_x.sqrt() * of_y.sqrt());
    Some(coefficient.clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::Summary;

    fn of(figures: impl IntoIterator<Item = f64>) -> Summary {
        let points: Vec<(f64, f64)> = figures.into_iter().enumerate().map(|(x, y)| (x as f64, y)).collect();
        Summary::of(&points).unwrap()
    }

    #[test]
    fn percentiles_are_those_of_the_definition() {
        for len in 1..=200_u32 {
            // All different, and not in order: 7 has no divisor in common with 211.
            let figures: Vec<f64> = (1..=len).map(|index| f64::from(index * 7 % 211)).collect();
            let summary = of(figures.iter().copied());
            for (percent, found) in [(50, summary.median), (95, summary.percentile_95)] {
                let is_enough = |bound: f64| {
                    figures.iter().filter(|&&figure| figure <= bound).count() as u32 * 100 >= percent * len
                };
                let expected = figures.iter().copied().filter(|&bound| is_enough(bound)).fold(f64::INFINITY, f64::min);
                assert_eq!(found, expected, "{percent} % of {len}");
            }
            assert_eq!(summary.min, figures.iter().copied().fold(f64::INFINITY, f64::min));
            assert_eq!(summary.max, figures.iter().copied().fold(0.0, f64::max));
        }
    }

    #[test]
    fn a_line_is_correlated_and_a_constant_is_not() {
        let close = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-12;
        assert!(close(of([3.0, 5.0, 7.0, 9.0]).correlation, 1.0));
        assert!(close(of([9.0, 5.0, 1.0]).correlation, -1.0));
        // Deviations (-1, 0, 1) and (-1, 2, -1) / 3: nothing in common.
        assert!(close(of([0.0, 1.0, 0.0]).correlation, 0.0));
        // Deviations (-1.5, -0.5, 0.5, 1.5) and (-1.5, 0.5, -0.5, 1.5): 4 by 5.
        assert!(close(of([1.0, 3.0, 2.0, 4.0]).correlation, 0.8));
        assert_eq!(of([0.1; 1000]).correlation, None);
        assert_eq!(Summary::of(&[(1.0, 2.0), (1.0, 3.0)]).unwrap().correlation, None);
        assert_eq!(of([4.0]).correlation, None);
    }

    #[test]
    fn nothing_has_no_summary() {
        assert_eq!(Summary::of(&[]), None);
    }
}
