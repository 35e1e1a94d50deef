//! Names in place of ids.

use ssaphire::{Block, Builder, Certified, Named, Names, SsaBuilder, SsaBuilderExt, Value, ValueCounter, Variable};

fn names() -> Names {
    let mut names = Names::default();
    names.name_block(Block::new(1), "header");
    names.name_block(Block::new(12), "exit");
    names.name_variable(Variable::new(0), "x1");
    names.name_variable(Variable::new(1), "größe");
    names
}

#[test]
fn words_that_are_ids_with_a_name_are_replaced() {
    let names = names();
    let describe = |words: &str| names.describe(&words);
    assert_eq!(describe("block1: x0 is written in block12"), "header: x1 is written in exit");
    assert_eq!(describe("x1 of [block1, block2]: v1"), "größe of [header, block2]: v1");
    assert_eq!(
        describe("blocks block1x block_1 subblock1 x 1 x00001x block99999999999999999999"),
        "blocks block1x block_1 subblock1 x 1 x00001x block99999999999999999999"
    );
    assert_eq!(describe("é block1é, (block1)"), "é block1é, (header)");
    assert_eq!(describe(""), "");
    assert_eq!(Names::default().describe(&"block1"), "block1");
}

#[test]
fn the_last_name_counts_until_names_are_forgotten() {
    let mut names = names();
    names.name_block(Block::new(1), "loop");
    assert_eq!((names.block(Block::new(1)), names.block(Block::new(2))), (Some("loop"), None));
    assert_eq!(names.variable(Variable::new(7)), None);
    names.clear();
    assert_eq!(names, Names::default());
}

#[test]
fn errors_complaints_and_violations_can_be_described() {
    let mut ssa = Named::new(Certified::new());
    ssa.names = names();
    let (mut host, header, size) = (ValueCounter::starting_at(1), Block::new(1), Variable::new(1));
    ssa.terminate(Block::new(0), &[header]);
    let error = ssa.finish(&mut host).unwrap_err();
    assert_eq!(
        ssa.describe(&error),
        "header: never sealed (incoming edges so far: 1, incomplete phis: 0); header: never terminated"
    );
    ssa.seal_block(&mut host, header);
    ssa.write_variable(header, size, Value::new(0));
    assert_eq!(ssa.read_variable(&mut host, header, size), Value::new(0));
    ssa.terminate(header, &[]);
    ssa.finish(&mut host).unwrap();
    assert_eq!(ssa.builder.complaints(), [""; 0]);
    ssa.clear();
    assert_eq!(ssa.names, Names::default());
}

#[test]
fn what_is_told_reaches_the_builder() {
    // A value made in the entry, and first written below: right only if the certifying builder hears of it.
    let complaints = |tells: bool| {
        let mut ssa = Named::new(Certified::default());
        // The complaints are counted, with the feature `judge`, too.
        ssa.builder.set_judging(false);
        let (mut host, [top, left, right, join], x) =
            (ValueCounter::starting_at(1), [0, 1, 2, 3].map(Block::new), Variable::new(0));
        if tells {
            ssa.define(top, Value::new(0));
        }
        ssa.terminate(top, &[left, right]);
        for arm in [left, right] {
            ssa.seal_block(&mut host, arm);
            ssa.write_variable(arm, x, Value::new(0));
            ssa.terminate(arm, &[join]);
        }
        ssa.seal_block(&mut host, join);
        ssa.read_variable(&mut host, join, x);
        ssa.terminate(join, &[]);
        ssa.finish(&mut host).unwrap();
        ssa.builder.complaints().len()
    };
    assert_eq!((complaints(true), complaints(false)), (0, 1));
}

#[test]
#[should_panic(expected = "header: größe is written after the block was filled")]
fn calls_panic_with_names() {
    let mut ssa = Named { builder: Builder::default(), names: names() };
    ssa.terminate(Block::new(1), &[]);
    ssa.write_variable(Block::new(1), Variable::new(1), Value::new(0));
}
