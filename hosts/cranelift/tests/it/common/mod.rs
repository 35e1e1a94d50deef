//! Random programs, and one front end for both crates.

use cranelift_codegen::data_value::DataValue;
use cranelift_codegen::ir::{AbiParam, Function, Signature, UserFuncName, types};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_codegen::settings::{Flags, builder};
use cranelift_codegen::verify_function;
use cranelift_interpreter::environment::FunctionStore;
use cranelift_interpreter::interpreter::{Interpreter, InterpreterState};
use cranelift_interpreter::step::ControlFlow;
use target_lexicon::PointerWidth;

/// What a block does to the variables.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Constant(usize, i64),
    Copy(usize, usize),
    Add(usize, usize, usize),
    Multiply(usize, usize, usize),
    /// Calls the function that answers its argument, and drops the answer.
    Call(usize),
}

/// How a block ends, after the program has taken a step: one block where it ends when the steps are used up.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Goto(usize),
    If(usize, usize, usize),
    /// By a variable, to the block of a case or else to the last one.
    Switch(usize, Vec<(u128, usize)>, usize),
}

/// Block 0 is the entry, which defines every variable; nothing leads to it.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) num_variables: usize,
    pub(crate) blocks: Vec<(Vec<Op>, End)>,
    /// Whether each block is sealed when the last branch to it is there, or all at the end.
    pub(crate) seals_early: bool,
}

/// A small generator of numbers.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }
}

impl Program {
    pub(crate) fn random(numbers: &mut Numbers) -> Self {
        let (num_variables, num_blocks) = (1 + numbers.below(5), 2 + numbers.below(9));
        let target = |numbers: &mut Numbers| 1 + numbers.below(num_blocks - 1);
        let mut blocks = Vec::new();
        for _ in 0..num_blocks {
            let ops = (0..numbers.below(4)).map(|_| {
                let [x, y, z] = [0; 3].map(|_: usize| numbers.below(num_variables));
                match numbers.below(6) {
                    0 => Op::Constant(x, numbers.below(7) as i64),
                    1 => Op::Copy(x, y),
                    2 | 3 => Op::Add(x, y, z),
                    4 => Op::Multiply(x, y, z),
                    _ => Op::Call(x),
                }
            });
            let ops = ops.collect();
            let asked = numbers.below(num_variables);
            let end = match numbers.below(5) {
                0 | 1 => End::Goto(target(numbers)),
                2 | 3 => End::If(asked, target(numbers), target(numbers)),
                _ => {
                    let mut cases: Vec<(u128, usize)> = Vec::new();
                    let mut next = 0;
                    for _ in 0..numbers.below(12) {
                        next += if numbers.below(3) == 0 { 1 + numbers.below(5) as u128 } else { 1 };
                        cases.push((next - 1, target(numbers)));
                    }
                    End::Switch(asked, cases, target(numbers))
                }
            };
            blocks.push((ops, end));
        }
        Self { num_variables, blocks, seals_early: numbers.below(2) == 0 }
    }
}

/// A target of 64 bits.
pub(crate) fn config() -> TargetFrontendConfig {
    TargetFrontendConfig {
        default_call_conv: CallConv::SystemV,
        pointer_width: PointerWidth::U64,
        page_size_align_log2: 12,
    }
}

/// From a number of steps and another number to a number.
pub(crate) fn empty_function() -> Function {
    let mut signature = Signature::new(CallConv::SystemV);
    signature.params.extend([AbiParam::new(types::I64); 2]);
    signature.returns.push(AbiParam::new(types::I64));
    Function::with_name_signature(UserFuncName::testcase("program"), signature)
}

#[track_caller]
pub(crate) fn verify(func: &Function) {
    let verified = verify_function(func, &Flags::new(builder()));
    assert!(verified.is_ok(), "{}\n{}", verified.unwrap_err(), func.display());
}

/// What the function returns.
pub(crate) fn run(func: &Function, steps: i64, number: i64) -> i64 {
    let mut answer = Function::with_name_signature(UserFuncName::testcase("answer"), {
        let mut signature = Signature::new(CallConv::SystemV);
        signature.params.push(AbiParam::new(types::I64));
        signature
    });
    let mut cursor = cranelift_codegen::cursor::FuncCursor::new(&mut answer);
    use cranelift_codegen::cursor::Cursor;
    use cranelift_codegen::ir::InstBuilder;
    let block = cursor.func.dfg.make_block();
    cursor.func.dfg.append_block_param(block, types::I64);
    cursor.insert_block(block);
    cursor.ins().return_(&[]);
    let mut store = FunctionStore::default();
    store.add("program".to_owned(), func);
    store.add("%answer".to_owned(), &answer);
    let state = InterpreterState::default().with_function_store(store);
    let arguments = [DataValue::I64(steps), DataValue::I64(number)];
    match Interpreter::new(state).with_fuel(Some(1_000_000)).call_by_name("program", &arguments) {
        Ok(ControlFlow::Return(results)) => match results[..] {
            [DataValue::I64(result)] => result,
            ref other => panic!("{other:?}"),
        },
        other => panic!("{other:?}\n{}", func.display()),
    }
}

/// Finalizes, by the call that the version of Cranelift has.
macro_rules! finalize {
    ($builder:ident) => {
        #[cfg(before_0_134)]
        $builder.finalize();
        #[cfg(not(before_0_134))]
        $builder.finalize($crate::common::config());
    };
}
pub(crate) use finalize;

/// The front end, with the builder of a crate: all that differs is the import.
macro_rules! front_end {
    ($name:ident, $krate:ident) => {
        fn $name(func: &mut Function, context: &mut $krate::FunctionBuilderContext, program: &Program, has_maps: bool) {
            use $krate::{FunctionBuilder, Switch, Variable};
            let mut builder = FunctionBuilder::new(func, context);
            let blocks: Vec<Block> = program.blocks.iter().map(|_| builder.create_block()).collect();
            let exit = builder.create_block();
            let answer = {
                let mut signature = Signature::new(CallConv::SystemV);
                signature.params.push(AbiParam::new(types::I64));
                let signature = builder.import_signature(signature);
                let name = ExternalName::testcase("answer");
                builder.import_function(ExtFuncData { name, signature, colocated: false, patchable: false })
            };
            let steps = builder.declare_var(types::I64);
            let variables: Vec<Variable> =
                (0..program.num_variables).map(|_| builder.declare_var(types::I64)).collect();
            if has_maps {
                variables.iter().step_by(2).for_each(|&variable| builder.declare_var_needs_stack_map(variable));
            }
            // How many branches to each block are still to come.
            let mut missing = vec![0; blocks.len()];
            for (_, end) in &program.blocks {
                for target in end.targets() {
                    missing[target] += 1;
                }
            }
            for (index, (ops, end)) in program.blocks.iter().enumerate() {
                builder.switch_to_block(blocks[index]);
                if index == 0 {
                    builder.append_block_params_for_function_params(blocks[0]);
                    if program.seals_early {
                        builder.seal_block(blocks[0]);
                    }
                    let [given, number] = [0, 1].map(|place| builder.block_params(blocks[0])[place]);
                    builder.def_var(steps, given);
                    for (place, &variable) in variables.iter().enumerate() {
                        let offset = builder.ins().iconst(types::I64, place as i64);
                        let value = builder.ins().iadd(number, offset);
                        builder.def_var(variable, value);
                    }
                } else if program.seals_early && missing[index] == 0 && !program.is_entered(index) {
                    builder.seal_block(blocks[index]);
                }
                for &op in ops {
                    let mut value_of = |variable: usize| builder.use_var(variables[variable]);
                    let (variable, value) = match op {
                        Op::Constant(variable, number) => (variable, builder.ins().iconst(types::I64, number)),
                        Op::Copy(variable, other) => (variable, value_of(other)),
                        Op::Add(variable, left, right) => {
                            let (left, right) = (value_of(left), value_of(right));
                            (variable, builder.ins().iadd(left, right))
                        }
                        Op::Multiply(variable, left, right) => {
                            let (left, right) = (value_of(left), value_of(right));
                            (variable, builder.ins().imul(left, right))
                        }
                        Op::Call(argument) => {
                            let argument = value_of(argument);
                            builder.ins().call(answer, &[argument]);
                            continue;
                        }
                    };
                    builder.def_var(variables[variable], value);
                }
                let left = builder.use_var(steps);
                let one = builder.ins().iconst(types::I64, 1);
                let left = builder.ins().isub(left, one);
                builder.def_var(steps, left);
                let go_on = builder.create_block();
                builder.ins().brif(left, go_on, &[], exit, &[]);
                builder.seal_block(go_on);
                builder.switch_to_block(go_on);
                match end {
                    End::Goto(target) => _ = builder.ins().jump(blocks[*target], &[]),
                    End::If(asked, then, otherwise) => {
                        let asked = builder.use_var(variables[*asked]);
                        builder.ins().brif(asked, blocks[*then], &[], blocks[*otherwise], &[]);
                    }
                    End::Switch(asked, cases, otherwise) => {
                        let asked = builder.use_var(variables[*asked]);
                        let mut switch = Switch::new();
                        cases.iter().for_each(|&(number, target)| switch.set_entry(number, blocks[target]));
                        switch.emit(&mut builder, asked, blocks[*otherwise]);
                    }
                }
                for target in end.targets() {
                    missing[target] -= 1;
                    if program.seals_early && missing[target] == 0 {
                        builder.seal_block(blocks[target]);
                    }
                }
            }
            builder.switch_to_block(exit);
            if program.seals_early {
                builder.seal_block(exit);
            }
            let mut sum = builder.use_var(variables[0]);
            for &variable in &variables[1..] {
                let (value, five) = (builder.use_var(variable), builder.ins().iconst(types::I64, 5));
                let sum_times_five = builder.ins().imul(sum, five);
                sum = builder.ins().iadd(sum_times_five, value);
            }
            builder.ins().return_(&[sum]);
            if !program.seals_early {
                builder.seal_all_blocks();
            }
            finalize!(builder);
        }
    };
}
pub(crate) use front_end;

impl End {
    pub(crate) fn targets(&self) -> Vec<usize> {
        match self {
            Self::Goto(target) => vec![*target],
            Self::If(_, then, otherwise) => vec![*then, *otherwise],
            Self::Switch(_, cases, otherwise) => cases.iter().map(|&(_, target)| target).chain([*otherwise]).collect(),
        }
    }
}

impl Program {
    pub(crate) fn is_entered(&self, block: usize) -> bool {
        self.blocks.iter().any(|(_, end)| end.targets().contains(&block))
    }
}
