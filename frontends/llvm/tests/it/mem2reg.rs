//! The situations of LLVM's tests of `mem2reg`: promotion gives what `mem2reg` of each version has left, which is kept in files.

use ssaphire::graph::{DominatorTree, FlatCfg};
use ssaphire::{Block, Builder, Certified, Value};
use ssaphire_ir::{Action, Arg, Dest, Function, InstRef, ValueKind};
use ssaphire_llvm::{Llvm, Module, certify_promotion};
use std::collections::HashMap;

/// A file with functions before promotion, and what `mem2reg` of a version has made of it.
struct Case {
    name: &'static str,
    version: u32,
    before: &'static str,
    by_mem2reg: &'static str,
}

macro_rules! cases {
    ($($name:literal: $($version:literal),*;)*) => {
        &[$($(Case {
            name: $name,
            version: $version,
            before: include_str!(concat!("../files/mem2reg/", $name, ".ll")),
            by_mem2reg: include_str!(concat!("../files/mem2reg/", $version, "/", $name, ".ll")),
        }),*),*]
    };
}

/// The README beside the files says how they were made, and why some versions are missing.
const CASES: &[Case] = cases! {
    "values": 14, 16, 19, 22;
    "unreachable": 14, 16, 19, 22;
    "kept": 14, 16, 19, 22;
    "other-type": 16, 19, 22;
    "lifetimes": 14, 16, 19, 22;
    "spaces": 14, 16, 19, 22;
    "assumptions": 14, 16, 19, 22;
    "promises": 14, 16, 19, 22;
    "frames": 14, 16, 19, 22;
    "debug-addresses": 14, 16;
    "debug-calls": 14, 16;
    "debug-records": 19, 22;
};

/// Our promotion of a text by the rules of a version.
fn promoted(text: &str, version: u32) -> String {
    let module = Module::new(text).with_version(version);
    let mut ssa = Certified::<Builder>::default();
    let mut written = Vec::new();
    let promotion = module.rewrite(&mut written, |_, function| Ok(module.read(function)?.promote(&mut ssa)?)).unwrap();
    assert!(promotion.skipped.is_empty(), "{:?}", promotion.skipped);
    String::from_utf8(written).unwrap()
}

/// The functions of a text, in order.
fn functions(text: &str) -> Vec<Function<Llvm>> {
    let module = Module::new(text);
    let read = |function| module.read(&function).unwrap_or_else(|error| panic!("{error}: {text}")).into_body();
    module.functions().map(read).collect()
}

/// Values of one function, paired with those of another in which they have other names.
struct Pairing<'f> {
    forms: [&'f Function<Llvm>; 2],
    /// By phi, its block and its place there.
    phis: [HashMap<Value, (Block, usize)>; 2],
    pairs: [HashMap<Value, Value>; 2],
    pending: Vec<[Value; 2]>,
}

impl<'f> Pairing<'f> {
    fn new(forms: [&'f Function<Llvm>; 2]) -> Self {
        let phis = forms.map(|form| {
            let of_block =
                |block| (0..).zip(form.block(block).phis().iter()).map(move |(at, phi)| (phi.value, (block, at)));
            form.blocks().flat_map(of_block).collect()
        });
        Self { forms, phis, pairs: [HashMap::new(), HashMap::new()], pending: Vec::new() }
    }

    /// Pairs two values. Whether they are in no other pair, and the same if they are constants.
    fn pair(&mut self, [one, other]: [Value; 2]) -> bool {
        match (self.forms[0].value(one).kind, self.forms[1].value(other).kind) {
            (ValueKind::Constant(one), ValueKind::Constant(other)) => return one.text() == other.text(),
            (ValueKind::Undefined, ValueKind::Undefined) => return true,
            _ => {}
        }
        let [there, back] = &mut self.pairs;
        if !there.contains_key(&one) {
            self.pending.push([one, other]);
        }
        *there.entry(one).or_insert(other) == other && *back.entry(other).or_insert(one) == one
    }

    /// Pairs the operands and the results of two instructions.
    fn pair_insts(&mut self, one: &InstRef<'_, Llvm>, other: &InstRef<'_, Llvm>) -> bool {
        let args = one.args.iter().zip(other.args).map(|pair| match pair {
            (&Arg::Value(one), &Arg::Value(other)) => [one, other],
            _ => panic!("a variable"),
        });
        let results = one.results.iter().zip(other.results).map(|pair| match pair {
            (&Dest::Value(one), &Dest::Value(other)) => [one, other],
            _ => panic!("a variable"),
        });
        text_of(one) == text_of(other) && args.chain(results).all(|pair| self.pair(pair))
    }

    /// Pairs the operands of phis that are paired, until no more come.
    fn follow_phis(&mut self) -> bool {
        while let Some([one, other]) = self.pending.pop() {
            let both = match [self.phis[0].get(&one), self.phis[1].get(&other)] {
                [None, None] => continue,
                [Some(&(block, at)), Some(&(other_block, other_at))] if block == other_block => {
                    [(0, at), (1, other_at)]
                        .map(|(form, at)| self.forms[form].block(block).phis().get(at).unwrap().operands)
                }
                _ => return false,
            };
            if !both[0].iter().zip(both[1]).all(|(&one, &other)| self.pair([one, other])) {
                return false;
            }
        }
        true
    }
}

/// The text of an operation without its place in the source program.
fn text_of<'f>(inst: &InstRef<'f, Llvm>) -> &'f str {
    let Action::Op(op) = inst.action else { panic!("a copy") };
    op.text().split_once(", !dbg !").map_or(op.text(), |(text, _)| text)
}

fn is_record(inst: &InstRef<'_, Llvm>) -> bool {
    ["@llvm.dbg.", "#dbg_"].iter().any(|name| text_of(inst).contains(name))
}

/// The instructions of a block but for records for debuggers.
fn insts(form: &Function<Llvm>, block: Block) -> Vec<InstRef<'_, Llvm>> {
    form.block(block).insts().iter().filter(|inst| !is_record(inst)).collect()
}

/// Whether two functions are the same up to names and the order of phis, in blocks for which `is_compared` holds.
fn are_same(one: &Function<Llvm>, other: &Function<Llvm>, is_compared: impl Fn(Block) -> bool) -> bool {
    let mut pairing = Pairing::new([one, other]);
    let are_params_paired =
        one.params().iter().zip(other.params()).all(|(param, other)| pairing.pair([param.value, other.value]));
    let are_blocks_same =
        one.blocks().zip(other.blocks()).filter(|&(block, _)| is_compared(block)).all(|(block, other_block)| {
            let [data, other_data] = [one.block(block), other.block(other_block)];
            let [insts, other_insts] = [insts(one, block), insts(other, other_block)];
            data.phis().len() == other_data.phis().len()
                && data.targets() == other_data.targets()
                && insts.len() == other_insts.len()
                && insts.iter().zip(&other_insts).all(|(inst, other)| pairing.pair_insts(inst, other))
        });
    one.num_blocks() == other.num_blocks() && are_params_paired && are_blocks_same && pairing.follow_phis()
}

/// Functions in which `mem2reg` leaves stores and loads with `poison` as their address, in blocks that control cannot reach: it promotes
/// in reachable blocks, and then replaces the address in the others. Nothing is left of a slot here.
const DIFFERENT_IN_DEAD_BLOCKS: [&str; 3] =
    ["a_dead_store_into_a_loop", "a_dead_store_of_a_dead_load", "a_dead_block_into_a_join"];

#[test]
fn promotion_gives_what_mem2reg_of_each_version_leaves() {
    let (mut num_same, mut num_same_where_reachable) = (0, 0);
    for &Case { name, version, before, by_mem2reg } in CASES {
        let by_us = promoted(before, version);
        let (ours, theirs) = (functions(&by_us), functions(by_mem2reg));
        assert_eq!(ours.len(), theirs.len());
        for (one, other) in ours.iter().zip(&theirs) {
            let tree = DominatorTree::new(&FlatCfg::new(one).unwrap());
            let is_different = DIFFERENT_IN_DEAD_BLOCKS.contains(&one.name());
            let is_same = are_same(one, other, |block| !is_different || tree.is_reachable(block));
            assert!(is_same, "{name}, LLVM {version}, {}:\n{by_us}\n{by_mem2reg}", one.name());
            assert_eq!(is_different, !are_same(one, other, |_| true), "{}", one.name());
            *(if is_different { &mut num_same_where_reachable } else { &mut num_same }) += 1;
        }
        assert_accepted(before, &by_us, version);
        assert_accepted(before, by_mem2reg, version);
    }
    assert_eq!((num_same, num_same_where_reachable), (305, 12));
}

/// Asserts that every function is accepted as what it was before, promoted by a version.
#[track_caller]
fn assert_accepted(before: &str, after: &str, version: u32) {
    let [before, after] = [before, after].map(|text| Module::new(text).with_version(version));
    for judged in certify_promotion(&before, &after, 1) {
        assert!(judged.result.is_ok(), "LLVM {version}, {}: {}", judged.name, judged.result.unwrap_err());
        assert!(judged.certificate.is_some(), "LLVM {version}, {}: no certificate", judged.name);
    }
}

/// Functions for which LLVM 14 and 16 compare the size of the variable with that of the slot, and say that its value is not known.
const DIFFERENT_BY_SIZE: [&str; 2] = ["one_operator", "two_operators"];

#[test]
fn records_for_debuggers_are_those_of_mem2reg() {
    for &Case { name, version, before, by_mem2reg } in CASES.iter().filter(|case| case.name.starts_with("debug")) {
        let by_us = promoted(before, version);
        for (one, other) in functions(&by_us).iter().zip(&functions(by_mem2reg)) {
            let is_different = version <= 16 && DIFFERENT_BY_SIZE.contains(&one.name());
            let are_same = one.blocks().all(|block| records(one, block) == records(other, block));
            assert_eq!(are_same, !is_different, "{name}, LLVM {version}, {}:\n{by_us}\n{by_mem2reg}", one.name());
        }
    }
}

/// The records for debuggers in a block without the numbers of metadata, sorted: those of phis come in the order of these.
fn records(form: &Function<Llvm>, block: Block) -> Vec<String> {
    let insts = form.block(block).insts().iter();
    let texts = insts.filter(is_record).map(|inst| match inst.action {
        Action::Op(op) => {
            op.text().split('!').map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit())).collect()
        }
        Action::Copy => panic!("a copy"),
    });
    let mut texts: Vec<String> = texts.collect();
    texts.sort_unstable();
    texts
}

#[test]
fn functions_that_llvm_would_skip_are_promoted() {
    let before = include_str!("../files/mem2reg/optnone.ll");
    for version in [14, 16, 19, 22] {
        let by_us = promoted(before, version);
        assert!(by_us.contains("ret i64 %x"), "{by_us}");
        assert_accepted(before, &by_us, version);
    }
    for by_mem2reg in [
        include_str!("../files/mem2reg/14/optnone.ll"),
        include_str!("../files/mem2reg/16/optnone.ll"),
        include_str!("../files/mem2reg/19/optnone.ll"),
        include_str!("../files/mem2reg/22/optnone.ll"),
    ] {
        assert!(by_mem2reg.contains("alloca i64"));
        assert_accepted(before, by_mem2reg, 22);
    }
}

#[test]
fn what_assumptions_say_of_slots_becomes_undefined_up_to_version_20() {
    let before = "define void @f() {\n  %s = alloca i32\n  call void @llvm.assume(i1 true) [ \"align\"(ptr %s, i64 4) ]\n  ret void\n}\n";
    for (version, filler) in [(19, "undef"), (20, "undef"), (22, "poison")] {
        let by_us = promoted(before, version);
        assert!(by_us.contains(&format!("\"ignore\"(ptr {filler}, i64 4)")), "LLVM {version}: {by_us}");
    }
}
