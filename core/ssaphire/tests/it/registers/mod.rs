//! A second host, by the public traits alone: register bytecode is constructed, folded, transformed and repaired.
//!
//! Mistakes that are made on purpose (`tests/mutants`) have to be found by it, too.

mod build;
mod code;
mod duplicate;
mod form;
mod host;

use build::build;
use code::{Code, End};
use duplicate::{duplicate, remove_unreachable};
use form::Form;
use ssaphire::check::{Mode, Program, judge, rules};
use ssaphire::fold::{FoldOptions, FoldStats, Folder};
use ssaphire::{Block, Certified, Event, Options};
use std::fmt::Write;

/// The SSA form of the code, judged; what was folded, and how many phis were made on the way.
#[track_caller]
fn built(source: &Code, options: FoldOptions) -> (Code, FoldStats, usize) {
    let mut ssa = Certified::with_observer(Options::default(), Vec::<Event>::new());
    let mut folder = Folder::new(options);
    let host = build(source, &mut ssa, &mut folder).unwrap();
    ssa.compare(&host);
    let is_phi = |event: &&Event| matches!(event, Event::PhiMade { .. } | Event::IncompletePhi { .. });
    let num_phis = ssa.take_events().iter().filter(is_phi).count();
    let mut program = Program::new();
    let ranked = ssa.certify_ranked(&mut program).unwrap();
    let verdict = judge(&program, Mode::Exact);
    assert!(ranked.minimal.is_ok(), "{ranked}\n{source}");
    assert!(verdict.is_accepted(), "{:?}\n{source}\n{}", verdict.violations, host.code);
    assert_eq!(ssa.differences(), Some(&[][..]), "{source}\n{}", host.code);
    assert_eq!(ssa.num_trusted(), 0, "{source}");
    check_rules(&host.code);
    (host.into_inner().code, *folder.stats(), num_phis)
}

#[track_caller]
fn check_rules(code: &Code) {
    let form = Form { code, cfg: code.cfg().unwrap() };
    assert_eq!(rules(&form), [], "{code}");
}

/// The lines of a text, without what stands around them.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[track_caller]
fn check(source: &str, expected: &str) {
    let text = built(&Code::parse(source), FoldOptions::ALL).0.to_string();
    assert_eq!(lines(&text), lines(expected), "\n{text}");
}

/// Fig. 4 of Braun et al. 2013: the mask decides the branch.
const MASKED: &str = "
    block0:
    r1 = const 0
    r2 = and r0 r1
    branch r2 block1 block2
    block1:
    r3 = const 0
    jump block3
    block2:
    r3 = move r0
    jump block3
    block3:
    return r3";

#[test]
fn figure_4_returns_the_parameter_and_no_phi_is_ever_made() {
    check(MASKED, "block0:\n jump block2\n block1:\n block2:\n jump block3\n block3:\n return r0");
    let source = Code::parse(MASKED);
    assert_eq!(built(&source, FoldOptions::ALL).2, 0);
    assert_eq!(built(&source, FoldOptions::NONE).2, 1);
}

#[test]
fn what_a_loop_does_not_change_is_a_constant_once_its_header_is_sealed() {
    let source = "
        block0:
        r1 = const 5
        r2 = const 1
        jump block1
        block1:
        r3 = less r4 r0
        branch r3 block2 block3
        block2:
        r5 = add r1 r2
        print r5
        r4 = add r4 r2
        jump block1
        block3:
        return r5";
    check(
        source,
        "
        block0:
        r10 = const 0
        r2 = const 1
        r11 = const 6
        jump block1
        block1:
        r3 = phi r10 r9 block0 block2
        r12 = phi r10 r11 block0 block2
        r5 = less r3 r0
        branch r5 block2 block3
        block2:
        print r11
        r9 = add r3 r2
        jump block1
        block3:
        return r12",
    );
    assert_eq!(built(&Code::parse(source), FoldOptions::ALL).1.late, 1);
}

#[test]
fn operations_are_computed_once_where_control_has_passed() {
    check(
        "
        block0:
        r1 = input
        r2 = sub r0 r1
        r3 = add r2 r1
        r4 = less r0 r1
        branch r4 block1 block2
        block1:
        r5 = greater r1 r3
        r6 = add r1 r0
        print r6
        return r5
        block2:
        r6 = add r0 r1
        r7 = sub r6 r0
        return r7",
        "
        block0:
        r1 = input
        r2 = sub r0 r1
        r3 = less r0 r1
        branch r3 block1 block2
        block1:
        r4 = add r1 r0
        print r4
        return r3
        block2:
        r5 = add r0 r1
        return r1",
    );
}

#[test]
fn a_loop_whose_header_is_duplicated_in_front_is_repaired() {
    let source = "
        block0:
        r1 = const 1
        r2 = input
        jump block1
        block1:
        r3 = less r2 r0
        branch r3 block2 block3
        block2:
        r2 = add r2 r1
        jump block1
        block3:
        return r2";
    let mut code = built(&Code::parse(source), FoldOptions::ALL).0;
    assert!(duplicate(&mut code, Block::new(0)).unwrap());
    let expected = "
        block0:
        r1 = const 1
        r2 = input
        r8 = move r2
        r9 = less r8 r0
        branch r9 block2 block3
        block1:
        r3 = phi r7 block2
        r5 = less r3 r0
        branch r5 block2 block3
        block2:
        r10 = phi r8 r3 block0 block1
        r7 = add r10 r1
        jump block1
        block3:
        r11 = phi r8 r3 block0 block1
        return r11";
    let text = code.to_string();
    assert_eq!(lines(&text), lines(expected), "\n{text}");
    check_rules(&code);
}

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        ((self.0 >> 33) as usize) % limit
    }
}

/// Any graph of some blocks, in which no edge leads to the first one.
fn random_source(random: &mut Random) -> String {
    const OPS: [&str; 8] = ["add", "sub", "mul", "div", "and", "less", "greater", "add"];
    let (num_blocks, num_registers) = (2 + random.below(8), 2 + random.below(5));
    let mut text = String::new();
    for block in 0..num_blocks {
        let mut line = |line: String| writeln!(text, "{line}").unwrap();
        line(format!("block{block}:"));
        for _ in 0..random.below(6) {
            let [x, y, z] = [(); 3].map(|()| random.below(num_registers));
            line(match random.below(12) {
                0 | 1 => format!("r{x} = const {}", random.below(4)),
                2 => format!("r{x} = input"),
                3 => format!("r{x} = move r{y}"),
                4 => format!("print r{x}"),
                _ => format!("r{x} = {} r{y} r{z}", OPS[random.below(OPS.len())]),
            });
        }
        let [one, other] = [(); 2].map(|()| 1 + random.below(num_blocks - 1));
        let register = random.below(num_registers);
        line(match random.below(6) {
            0 => format!("return r{register}"),
            1 | 2 => format!("jump block{one}"),
            _ => format!("branch r{register} block{one} block{other}"),
        });
    }
    text
}

/// So many blocks are entered before a run is stopped.
const LONG: usize = 40;

#[track_caller]
fn check_runs(source: &Code, code: &Code) {
    for argument in [-1, 0, 2] {
        let (before, after) = (source.run(argument, LONG), code.run(argument, LONG));
        match before.end {
            End::TooLong => assert!(after.printed.starts_with(&before.printed), "{source}\n{code}"),
            _ => assert_eq!(before, after, "{argument}:\n{source}\n{code}"),
        }
    }
}

/// Random code is built, and some of its blocks are duplicated: what was folded, and how many blocks.
pub(crate) fn check_random(seed: u64) -> (FoldStats, u64) {
    let mut random = Random(seed);
    let source = Code::parse(&random_source(&mut random));
    let mut options = FoldOptions::ALL;
    if random.below(3) == 0 {
        let mut may = || random.below(2) == 0;
        (options.constants, options.identities, options.common) = (may(), may(), may());
        (options.branches, options.late) = (may(), may());
    }
    let (mut code, stats, _) = built(&source, options);
    check_runs(&source, &code);
    remove_unreachable(&mut code);
    let mut num_duplicated = 0;
    for _ in 0..3 {
        let block = Block::new(random.below(code.num_blocks()));
        num_duplicated += u64::from(duplicate(&mut code, block).unwrap());
        check_rules(&code);
        check_runs(&source, &code);
    }
    (stats, num_duplicated)
}

#[test]
fn random_code_is_folded_transformed_and_repaired_and_does_what_it_did() {
    let (mut sum, mut num_duplicated) = (FoldStats::default(), 0);
    for seed in 0..3000 {
        let (stats, duplicated) = check_random(seed);
        sum.constants += stats.constants;
        sum.identities += stats.identities;
        sum.common += stats.common;
        sum.branches += stats.branches;
        sum.late += stats.late;
        num_duplicated += duplicated;
    }
    let all = [sum.constants, sum.identities, sum.common, sum.branches, sum.late, num_duplicated];
    assert!(all.iter().all(|&count| count > 50), "{all:?}");
}

/// Builds the code with all options.
#[track_caller]
fn check_options(source: &str) {
    let source = Code::parse(source);
    for bits in 0..32 {
        let has = |bit: u32| bits & (1 << bit) != 0;
        let mut options = FoldOptions::NONE;
        (options.constants, options.identities, options.common) = (has(0), has(1), has(2));
        (options.branches, options.late) = (has(3), has(4));
        check_runs(&source, &built(&source, options).0);
    }
}

#[test]
pub(crate) fn a_law_is_about_what_an_argument_stood_for_when_it_was_found() {
    // The difference is found to see through the sum while a phi stands for the sum, which is replaced in turn.
    check_options(
        "
        block0:
        r0 = const 3
        r2 = const 2
        jump block1
        block1:
        r4 = add r5 r1
        r2 = move r3
        branch r1 block2 block2
        block2:
        branch r2 block3 block3
        block3:
        r5 = less r2 r1
        r3 = sub r4 r1
        branch r3 block2 block1",
    );
}

#[test]
pub(crate) fn a_law_about_how_a_phi_that_is_dropped_was_computed_is_told() {
    check_options(
        "
        block0:
        jump block1
        block1:
        r1 = add r3 r2
        r0 = sub r1 r2
        r2 = input
        branch r4 block1 block2
        block2:
        return r0",
    );
}

#[test]
pub(crate) fn a_value_is_replaced_by_what_was_read_on_the_way_to_it() {
    check_options(
        "
        block0:
        r0 = add r1 r2
        r2 = add r4 r3
        jump block2
        block1:
        r5 = const 1
        print r3
        r4 = move r5
        r2 = and r1 r5
        r3 = add r0 r1
        branch r2 block3 block5
        block2:
        branch r0 block4 block1
        block3:
        r2 = add r1 r4
        r2 = move r5
        r1 = add r0 r5
        r2 = const 0
        print r4
        branch r0 block2 block5
        block4:
        branch r4 block2 block5
        block5:
        r1 = mul r0 r1
        print r4
        branch r3 block4 block4
        block6:
        r1 = less r4 r3
        r0 = const 2
        r4 = greater r1 r3
        r5 = add r5 r1
        r2 = move r5
        jump block2",
    );
}

#[test]
pub(crate) fn a_value_that_unreachable_code_computes_from_itself_stays() {
    let source = "
        block0:
        return r0
        block1:
        r0 = add r2 r0
        jump block2
        block2:
        branch r0 block1 block2
        block3:
        jump block1";
    check_options(source);
    let text = built(&Code::parse(source), FoldOptions::ALL).0.to_string();
    assert!(text.contains(" = add "), "{text}");
}
