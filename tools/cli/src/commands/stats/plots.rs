//! Scatter plots in the manner of Figures 20 to 22 of Cytron et al. 1991, as SVG.
//!
//! # Departures
//! Both axes are logarithmic, as functions differ by orders of magnitude; a function without any stands at 1, on the axis.

use ssaphire_ir::measure::{Measure, Measurements};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// What is plotted by statements.
const PLOTS: [(Measure, &str); 3] = [
    (Measure::Frontiers, "Size of the dominance frontiers"),
    (Measure::Phis, "Phis of the minimal form"),
    (Measure::ControlDependences, "Control dependences"),
];

/// The side of the square that holds the points.
const SIDE: f64 = 320.0;
/// Room for numbers and titles: to the left and below.
const MARGIN: f64 = 64.0;
/// Room above: the title.
const TOP: f64 = 40.0;
const PITCH: f64 = SIDE + MARGIN + 24.0;

/// Writes the plots of all functions, side by side.
///
/// # Errors
/// Where `out` has one.
pub(super) fn write(counts: &[Measurements], out: &mut dyn Write) -> io::Result<()> {
    let (width, height) = (PITCH * PLOTS.len() as f64 + 16.0, SIDE + TOP + MARGIN);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">"
    )?;
    writeln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>")?;
    for (number, &(measure, title)) in PLOTS.iter().enumerate() {
        writeln!(out, "<g transform=\"translate({} {TOP})\">", PITCH * number as f64 + MARGIN)?;
        write_plot(measure, title, counts, out)?;
        writeln!(out, "</g>")?;
    }
    writeln!(out, "</svg>")
}

fn write_plot(measure: Measure, title: &str, counts: &[Measurements], out: &mut dyn Write) -> io::Result<()> {
    let figure = |measure: Measure, counts: &Measurements| measure.of(counts).unwrap_or(0.0);
    let points = || counts.iter().map(|counts| (figure(Measure::Statements, counts), figure(measure, counts)));
    let x = Axis::of(points().map(|(x, _)| x));
    let y = Axis::of(points().map(|(_, y)| y));
    let middle = SIDE / 2.0;
    writeln!(out, "<text x=\"{middle}\" y=\"-14\" text-anchor=\"middle\" font-size=\"15\">{title}</text>")?;
    let below = SIDE + 40.0;
    writeln!(out, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">statements</text>")?;
    writeln!(out, "<rect width=\"{SIDE}\" height=\"{SIDE}\" fill=\"none\" stroke=\"black\"/>")?;
    for (at, number) in x.ticks() {
        writeln!(out, "<path d=\"M{at:.1} {SIDE}v6\" stroke=\"black\"/>")?;
        writeln!(out, "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{number}</text>", SIDE + 20.0)?;
    }
    for (at, number) in y.ticks() {
        let at = SIDE - at;
        writeln!(out, "<path d=\"M0 {at:.1}h-6\" stroke=\"black\"/>")?;
        writeln!(out, "<text x=\"-9\" y=\"{:.1}\" text-anchor=\"end\">{number}</text>", at + 4.0)?;
    }
    // Functions at the same place, to a tenth of a unit, are one point: a large module has many small ones.
    let place = |(a, b)| ((x.place(a) * 10.0).round() as i64, ((SIDE - y.place(b)) * 10.0).round() as i64);
    let places: BTreeSet<(i64, i64)> = points().map(place).collect();
    places.iter().try_for_each(|&(left, top)| {
        let (left, top) = (left as f64 / 10.0, top as f64 / 10.0);
        writeln!(out, "<circle cx=\"{left}\" cy=\"{top}\" r=\"2\" fill=\"steelblue\" fill-opacity=\"0.5\"/>")
    })
}

/// A logarithmic axis that begins at 1.
struct Axis {
    /// The powers of ten that it is long, at least one.
    decades: u32,
}

impl Axis {
    /// One that is long enough for all `figures`.
    fn of(figures: impl Iterator<Item = f64>) -> Self {
        let max = figures.fold(1.0, f64::max);
        Self { decades: (1..).find(|&decades| 10_f64.powf(f64::from(decades)) >= max).unwrap_or(1) }
    }

    fn place(&self, figure: f64) -> f64 {
        figure.max(1.0).log10() / f64::from(self.decades) * SIDE
    }

    /// Places and numbers of the powers of ten.
    fn ticks(&self) -> impl Iterator<Item = (f64, f64)> {
        (0..=self.decades).map(|decade| {
            let number = 10_f64.powi(decade as i32);
            (self.place(number), number)
        })
    }
}
