//! What is an error, and what is not.

use crate::common::{config, empty_function, run, verify};
use cranelift_codegen::ir::{Block, Function, InstBuilder, SourceLoc, Value, types::I64};
use ssaphire::{IdLimits, Options};
use ssaphire_cranelift::{FinalizeError, FunctionBuilder, FunctionBuilderContext, Undefined, UndefinedUse, Variable};

/// A function with so many blocks besides the entry, which is the current one and sealed, and its two parameters.
fn begin<'a>(
    func: &'a mut Function,
    context: &'a mut FunctionBuilderContext,
    num_blocks: usize,
) -> (FunctionBuilder<'a>, Vec<Block>, [Value; 2]) {
    let mut builder = FunctionBuilder::new(func, context);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    builder.seal_block(entry);
    let blocks = (0..num_blocks).map(|_| builder.create_block()).collect();
    let params = [0, 1].map(|index| builder.block_params(entry)[index]);
    (builder, blocks, params)
}

fn enter(builder: &mut FunctionBuilder<'_>, block: Block) {
    builder.switch_to_block(block);
    builder.seal_block(block);
}

/// A variable that one branch defines is used after both; then one that nothing defines.
fn undefined_uses(context: &mut FunctionBuilderContext, func: &mut Function) -> Result<(), FinalizeError> {
    let (mut builder, blocks, [asked, number]) = begin(func, context, 2);
    let [some, none] = [builder.declare_var(I64), builder.declare_var(I64)];
    builder.ins().brif(asked, blocks[0], &[], blocks[1], &[]);
    enter(&mut builder, blocks[0]);
    builder.def_var(some, number);
    builder.ins().jump(blocks[1], &[]);
    enter(&mut builder, blocks[1]);
    builder.set_srcloc(SourceLoc::new(7));
    let left = builder.use_var(some);
    builder.set_srcloc(SourceLoc::new(9));
    let right = builder.use_var(none);
    let sum = builder.ins().iadd(left, right);
    builder.ins().return_(&[sum]);
    builder.try_finalize(config())
}

#[test]
fn uses_of_undefined_variables_are_errors_that_say_where() {
    let mut by_default = FunctionBuilderContext::default();
    let refused = undefined_uses(&mut by_default, &mut empty_function());
    assert!(matches!(refused, Err(FinalizeError::Undefined(_))), "{refused:?}");
    let (mut context, mut func) = (FunctionBuilderContext::new(), empty_function());
    let Err(FinalizeError::Undefined(uses)) = undefined_uses(&mut context, &mut func) else { panic!("accepted") };
    let use_of = |variable, srcloc, is_always| UndefinedUse {
        variable: Variable::from_u32(variable),
        block: Block::from_u32(2),
        srcloc: SourceLoc::new(srcloc),
        is_always,
    };
    assert_eq!(uses, [use_of(0, 7, false), use_of(1, 9, true)]);
    let said = FinalizeError::Undefined(uses).to_string();
    assert_eq!(
        said,
        "var0: may be undefined where block2 uses it at @0007\nvar1: is undefined where block2 uses it at @0009"
    );
}

#[test]
fn undefined_variables_are_zero_on_request() {
    let (mut context, mut func) = (FunctionBuilderContext::with_undefined(Undefined::Zero), empty_function());
    undefined_uses(&mut context, &mut func).unwrap();
    verify(&func);
    assert_eq!((run(&func, 0, 5), run(&func, 1, 5)), (0, 5));
}

#[test]
fn in_unreachable_code_every_variable_is_zero() {
    let (mut context, mut func) = (FunctionBuilderContext::new(), empty_function());
    let (mut builder, blocks, [_, number]) = begin(&mut func, &mut context, 1);
    let variable = builder.declare_var(I64);
    builder.ins().return_(&[number]);
    enter(&mut builder, blocks[0]);
    assert!(builder.is_unreachable());
    let value = builder.use_var(variable);
    builder.ins().return_(&[value]);
    builder.try_finalize(config()).unwrap();
    verify(&func);
    assert_eq!(run(&func, 0, 5), 5);
}

#[test]
fn blocks_that_nobody_comes_to_need_nothing() {
    let (mut context, mut func) = (FunctionBuilderContext::new(), empty_function());
    let (mut builder, blocks, [_, number]) = begin(&mut func, &mut context, 2);
    builder.seal_block(blocks[0]);
    builder.ins().return_(&[number]);
    builder.seal_all_blocks();
    builder.try_finalize(config()).unwrap();
    verify(&func);
    assert_eq!(func.layout.blocks().count(), 1);
}

#[test]
fn blocks_that_are_left_as_they_were_need_nothing() {
    let (mut context, mut func) = (FunctionBuilderContext::new(), empty_function());
    let (mut builder, blocks, [_, number]) = begin(&mut func, &mut context, 4);
    let variable = builder.declare_var(I64);
    builder.ins().return_(&[number]);
    enter(&mut builder, blocks[0]);
    builder.seal_block(blocks[1]);
    builder.switch_to_block(blocks[1]);
    // Neither is an instruction.
    builder.switch_to_block(blocks[2]);
    builder.def_var(variable, number);
    builder.append_block_param(blocks[2], I64);
    builder.switch_to_block(blocks[3]);
    builder.try_finalize(config()).unwrap();
    verify(&func);
    assert_eq!(func.layout.blocks().count(), 1);
}

/// A conditional whose `else` turns up after its first branch was made; both ways return, and nobody comes to the block after it.
#[test]
fn blocks_that_all_branches_have_left_need_nothing() {
    let ways: [fn(&mut FunctionBuilder<'_>, Block); 4] = [
        |_, _| {},
        |builder, after| builder.seal_block(after),
        |builder, _| builder.seal_all_blocks(),
        |builder, after| enter(builder, after),
    ];
    for end in ways {
        let (mut context, mut func) = (FunctionBuilderContext::new(), empty_function());
        let (mut builder, blocks, [asked, number]) = begin(&mut func, &mut context, 3);
        let [then, after, otherwise] = blocks[..] else { unreachable!() };
        let branch = builder.ins().brif(asked, then, &[], after, &[]);
        builder.append_block_param(after, I64);
        enter(&mut builder, then);
        builder.ins().return_(&[number]);
        builder.change_jump_destination(branch, after, otherwise);
        enter(&mut builder, otherwise);
        builder.ins().return_(&[asked]);
        end(&mut builder, after);
        builder.try_finalize(config()).unwrap();
        verify(&func);
        assert_eq!(func.layout.blocks().count(), 3);
        assert_eq!((run(&func, 0, 5), run(&func, 1, 5)), (0, 5));
    }
}

#[test]
fn what_breaks_the_contract_is_an_error_in_release_builds_too() {
    type Part = fn(&mut FunctionBuilder<'_>, &[Block]);
    let parts: [(&str, Part); 4] = [
        ("block1: already sealed", |builder, blocks| {
            builder.ins().jump(blocks[0], &[]);
            enter(builder, blocks[0]);
            builder.seal_block(blocks[0]);
        }),
        ("block1: an edge from block1 is added after the block was sealed", |builder, blocks| {
            builder.ins().jump(blocks[0], &[]);
            enter(builder, blocks[0]);
            builder.ins().jump(blocks[0], &[]);
        }),
        (
            "block1: never sealed (incoming edges so far: 1, incomplete phis: 0); block1: never terminated",
            |builder, blocks| {
                builder.ins().jump(blocks[0], &[]);
            },
        ),
        ("block0: an edge from block0 enters the entry: insert a block before it", |builder, _| {
            let entry = builder.current_block().unwrap();
            builder.ins().jump(entry, &[]);
        }),
    ];
    let mut context = FunctionBuilderContext::new();
    for (said, part) in parts {
        let mut func = empty_function();
        let (mut builder, blocks, _) = begin(&mut func, &mut context, 1);
        part(&mut builder, &blocks);
        assert_eq!(builder.try_finalize(config()).unwrap_err().to_string(), said);
    }
    // The context is as good as new.
    let mut func = empty_function();
    let (mut builder, _, [_, number]) = begin(&mut func, &mut context, 0);
    builder.ins().return_(&[number]);
    builder.try_finalize(config()).unwrap();
    verify(&func);
}

/// A conditional whose `else` turns up after its first branch was made.
#[test]
fn a_branch_changes_its_destination() {
    let (mut context, mut func) = (FunctionBuilderContext::new(), empty_function());
    let (mut builder, blocks, [asked, number]) = begin(&mut func, &mut context, 3);
    let [then, after, otherwise] = blocks[..] else { unreachable!() };
    let variable = builder.declare_var(I64);
    builder.def_var(variable, number);
    let branch = builder.ins().brif(asked, then, &[], after, &[]);
    enter(&mut builder, then);
    builder.ins().jump(after, &[]);
    builder.change_jump_destination(branch, after, otherwise);
    enter(&mut builder, otherwise);
    let minus_one = builder.ins().iconst(I64, -1);
    builder.def_var(variable, minus_one);
    builder.ins().jump(after, &[]);
    enter(&mut builder, after);
    let value = builder.use_var(variable);
    builder.ins().return_(&[value]);
    builder.try_finalize(config()).unwrap();
    verify(&func);
    assert_eq!((run(&func, 0, 5), run(&func, 1, 5)), (-1, 5));
    assert_eq!(func.dfg.block_params(after).len(), 1);
}

/// A loop in which so many variables change.
fn wide_loop(func: &mut Function, num_variables: usize) -> Result<(), FinalizeError> {
    let mut context = FunctionBuilderContext::new();
    let (mut builder, blocks, [_, number]) = begin(func, &mut context, 2);
    let variables: Vec<Variable> = (0..num_variables).map(|_| builder.declare_var(I64)).collect();
    variables.iter().for_each(|&variable| builder.def_var(variable, number));
    builder.ins().jump(blocks[0], &[]);
    builder.switch_to_block(blocks[0]);
    for &variable in &variables {
        let value = builder.use_var(variable);
        let next = builder.ins().iadd(value, value);
        builder.def_var(variable, next);
    }
    builder.ins().brif(number, blocks[0], &[], blocks[1], &[]);
    builder.seal_block(blocks[0]);
    enter(&mut builder, blocks[1]);
    builder.ins().return_(&[number]);
    builder.try_finalize(config())
}

#[test]
fn a_block_has_as_many_parameters_as_it_can() {
    let most = usize::from(u16::MAX);
    let mut func = empty_function();
    wide_loop(&mut func, most).unwrap();
    assert_eq!(func.dfg.block_params(Block::from_u32(1)).len(), most);
    let mut func = empty_function();
    let said = wide_loop(&mut func, most + 1).unwrap_err().to_string();
    assert_eq!(said, "block1: 65536 parameters, but the limit is 65535");
    assert_eq!(func.dfg.block_params(Block::from_u32(1)).len(), 0);
}

#[test]
fn what_the_builder_refuses_is_told_at_the_end() {
    let refused = |options: Options| {
        let mut context = FunctionBuilderContext::with_options(Undefined::Error, options);
        let mut func = empty_function();
        let (mut builder, blocks, [_, number]) = begin(&mut func, &mut context, 50);
        let variable = builder.declare_var(I64);
        builder.def_var(variable, number);
        for &block in &blocks {
            builder.ins().jump(block, &[]);
            builder.switch_to_block(block);
            if block != blocks[3] {
                builder.seal_block(block);
            }
            builder.use_var(variable);
        }
        builder.ins().jump(blocks[3], &[]);
        builder.seal_block(blocks[3]);
        builder.try_finalize(config())
    };
    let defaults = Options::default;
    refused(defaults()).unwrap();
    let too_much = refused(defaults().with_work_limit(0));
    assert!(matches!(&too_much, Err(FinalizeError::Call(error)) if error.stopped().is_some()), "{too_much:?}");
    let limit = |blocks, variables, values| defaults().with_ids(IdLimits { blocks, variables, values });
    let beyond = |ids: Options| refused(ids).unwrap_err();
    assert!(matches!(beyond(limit(10, 10, 1000)), FinalizeError::Call(_)), "of a block");
    assert!(matches!(beyond(limit(0, 10, 1000)), FinalizeError::Call(_)), "of the entry");
    assert!(matches!(beyond(limit(100, 0, 1000)), FinalizeError::Call(_)), "of a variable");
    assert!(matches!(beyond(limit(100, 10, 1)), FinalizeError::Call(_)), "of a value");
    assert!(matches!(beyond(limit(100, 10, 2)), FinalizeError::Call(_)), "of a phi");
}

/// A chain of blocks of which each defines a variable of its own, all used at the end: steps, and no table of both.
#[test]
fn a_diagonal_costs_what_is_in_it() {
    const LEN: usize = 30_000;
    let (mut context, mut func) = (FunctionBuilderContext::new(), empty_function());
    let (mut builder, blocks, [_, number]) = begin(&mut func, &mut context, LEN);
    let variables: Vec<Variable> = (0..LEN).map(|_| builder.declare_var(I64)).collect();
    for (&block, &variable) in blocks.iter().zip(&variables) {
        builder.ins().jump(block, &[]);
        enter(&mut builder, block);
        builder.def_var(variable, number);
    }
    let mut sum = number;
    for &variable in &variables {
        let value = builder.use_var(variable);
        sum = builder.ins().iadd(sum, value);
    }
    builder.ins().return_(&[sum]);
    builder.try_finalize(config()).unwrap();
    let stats = *context.stats();
    assert!(stats.work <= 40 * LEN as u64, "{stats:?}");
    assert_eq!(run(&func, 0, 2), 2 * (LEN as i64 + 1));
}

/// A switch whose cases fall into each other and count.
#[test]
fn cases_that_fall_through_cost_what_is_in_them() {
    const CASES: usize = 40_000;
    let (mut context, mut func) = (FunctionBuilderContext::new(), empty_function());
    let (mut builder, blocks, [asked, number]) = begin(&mut func, &mut context, CASES + 1);
    let variable = builder.declare_var(I64);
    builder.def_var(variable, number);
    let mut switch = ssaphire_cranelift::Switch::new();
    blocks[..CASES].iter().enumerate().for_each(|(case, &block)| switch.set_entry(case as u128, block));
    switch.emit(&mut builder, asked, blocks[CASES]);
    for pair in blocks.windows(2) {
        enter(&mut builder, pair[0]);
        let (value, one) = (builder.use_var(variable), builder.ins().iconst(I64, 1));
        let next = builder.ins().iadd(value, one);
        builder.def_var(variable, next);
        builder.ins().jump(pair[1], &[]);
    }
    enter(&mut builder, blocks[CASES]);
    let value = builder.use_var(variable);
    builder.ins().return_(&[value]);
    builder.try_finalize(config()).unwrap();
    let stats = *context.stats();
    assert!(stats.work <= 40 * CASES as u64, "{stats:?}");
    assert_eq!(run(&func, CASES as i64 - 10, 5), 15);
    assert_eq!(run(&func, CASES as i64 + 10, 5), 5);
}

/// Compilers keep contexts where threads share them.
#[test]
fn contexts_are_sent_and_shared() {
    fn is_shared<T: Send + Sync>(_: &T) {}
    is_shared(&FunctionBuilderContext::new());
}
