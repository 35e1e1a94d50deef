//! What is folded while a function is built.

use ssaphire::check::Mode;
use ssaphire::fold::FoldOptions;
use ssaphire::{Certified, Event, Options};
use ssaphire_ir::fold::Folding;
use ssaphire_ir::judge::{Demands, Inspector};
use ssaphire_while::{build_folded, parse};

/// The SSA form of `source`, folded and accepted; and how many phis were made on the way.
fn folded(source: &str, options: FoldOptions) -> (String, usize) {
    let program = parse(source, &ssaphire_while::Options::default()).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let mut ssa = Certified::with_observer(Options::default(), Vec::<Event>::new());
    let mut folding = Folding::new(options);
    let built = build_folded(&program, 0, &mut ssa, &mut folding).expect("there is no limit");
    let is_phi = |event: &Event| matches!(event, Event::PhiMade { .. } | Event::IncompletePhi { .. });
    let num_phis = ssa.take_events().iter().filter(|event| is_phi(event)).count();
    let demands = Demands::of(Mode::Exact, &Options::default());
    let judgement = Inspector::default().judge_folded(&built.function, &mut ssa, &folding, demands);
    assert_eq!(judgement.refusals, [], "{}", built.function);
    assert_eq!(ssa.num_trusted(), 0);
    (built.function.to_string(), num_phis)
}

#[test]
fn figure_4_returns_the_parameter_and_no_phi_is_ever_made() {
    let source = "func f(x) { mask := 0; if x & mask { res := 0; } else { res := x; } return res; }";
    let (text, num_phis) = folded(source, FoldOptions::ALL);
    assert_eq!(
        text,
        "func f(%x.0) {\nvar x, mask, res\nblock0:\n  jump block1\nblock1:\n  jump block2\nblock2:\n  return %x.0\n}\n"
    );
    assert_eq!(num_phis, 0);
    assert_eq!(folded(source, FoldOptions::NONE).1, 1);
}
