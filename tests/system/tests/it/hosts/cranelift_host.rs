//! Cranelift's host, driven by hand: every engine, every way of sealing, any order.

use super::build::{Code, Sealing, Way, all_ways, build, random_programs};
use super::programs::{End, Program, Statement, add, by_hand, if_slot, switch_slot};
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{
    self, AbiParam, BlockArg, Function, Inst, InstBuilder, InstructionData, JumpTableData, Opcode, Signature, Type,
    UserFuncName, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_codegen::{settings, verify_function};
use ssaphire::{Block, Ssa, Stats, Strict, Value, Variable};
use ssaphire_cranelift::ids::{self, clif_block, clif_value, clif_variable};
use ssaphire_cranelift::{CraneliftHost, HostContext};
use ssaphire_literature::Engine;

/// Cranelift numbers the parameters of a block with 16 bits.
const MAX_PARAMS: usize = u16::MAX as usize;

// ---------------------------------------------------------- the code it takes --

/// A function with so many empty blocks, which calls a function for each type to print.
fn empty_function(num_blocks: usize) -> Function {
    let mut func = Function::with_name_signature(UserFuncName::default(), Signature::new(CallConv::Fast));
    for (number, of_type) in TYPES.into_iter().enumerate() {
        let mut signature = Signature::new(CallConv::Fast);
        signature.params.push(AbiParam::new(of_type));
        let signature = func.import_signature(signature);
        let name = func.declare_imported_user_function(ir::UserExternalName::new(0, number as u32));
        let name = ir::ExternalName::user(name);
        func.import_function(ir::ExtFuncData { name, signature, colocated: false, patchable: false });
    }
    for _ in 0..num_blocks {
        let block = func.dfg.make_block();
        func.layout.append_block(block);
    }
    func
}

/// Variables have these in turn.
const TYPES: [Type; 2] = [types::I64, types::I32];

fn num_params(func: &Function) -> Vec<usize> {
    func.layout.blocks().map(|block| func.dfg.num_block_params(block)).collect()
}

fn at_end<'f>(host: &'f mut CraneliftHost<'_>, at: Block) -> FuncCursor<'f> {
    FuncCursor::new(host.func).at_bottom(clif_block(at))
}

impl Code for CraneliftHost<'_> {
    fn take(&mut self, result: &Ssa<'_>) -> Result<(), String> {
        self.write(result).map_err(|error| error.to_string())
    }

    fn constant(&mut self, block: Block, variable: Variable, number: i64) -> Value {
        let of_type = self.var_type(clif_variable(variable)).unwrap();
        ids::value(at_end(self, block).ins().iconst(of_type, number))
    }

    fn add(&mut self, block: Block, _: Variable, left: Value, right: Value) -> Value {
        ids::value(at_end(self, block).ins().iadd(clif_value(left), clif_value(right)))
    }

    fn print(&mut self, block: Block, variable: Variable, argument: Value) {
        let print = ir::FuncRef::from_u32((variable.index() % 2) as u32);
        at_end(self, block).ins().call(print, &[clif_value(argument)]);
    }

    fn end(&mut self, at: Block, end: &End, asked: Option<Value>) {
        let asked = asked.map(clif_value);
        let targets: Vec<ir::Block> = end.targets().into_iter().map(clif_block).collect();
        let pool = &mut self.func.dfg.value_lists;
        let calls: Vec<_> = targets.iter().map(|&target| ir::BlockCall::new(target, [], pool)).collect();
        match (end, asked) {
            (End::If(..), Some(asked)) => _ = at_end(self, at).ins().brif(asked, targets[0], &[], targets[1], &[]),
            (End::Switch(..), Some(asked)) => {
                let table = self.func.create_jump_table(JumpTableData::new(calls[0], &calls[1..]));
                at_end(self, at).ins().br_table(asked, table);
            }
            (End::Return, _) => _ = at_end(self, at).ins().return_(&[]),
            _ => _ = at_end(self, at).ins().jump(targets[0], &[]),
        }
    }
}

// ------------------------------------------------------------------ what it does --

/// What `func` prints on the way through at most so many blocks.
fn run(func: &Function, num_steps: usize) -> Vec<Option<i64>> {
    let mut contents = vec![0; func.dfg.num_values()];
    let mut printed = Vec::new();
    let mut at = func.layout.entry_block().unwrap();
    for _ in 0..num_steps {
        for inst in func.layout.block_insts(at) {
            step(func, inst, &mut contents, &mut printed);
        }
        let branch = func.layout.last_inst(at).unwrap();
        let edges = func.dfg.insts[branch].branch_destination(&func.dfg.jump_tables, &func.dfg.exception_tables);
        let asked = func.dfg.inst_args(branch).first().map(|&asked| contents[resolve(func, asked)]);
        let slot = match func.dfg.insts[branch].opcode() {
            Opcode::Return => return printed,
            Opcode::Brif => if_slot(asked),
            Opcode::BrTable => switch_slot(asked, edges.len()),
            _ => 0,
        };
        let arguments: Vec<i64> = edges[slot]
            .args(&func.dfg.value_lists)
            .map(|argument| match argument {
                BlockArg::Value(argument) => contents[resolve(func, argument)],
                other => panic!("{other:?}: no exceptions here"),
            })
            .collect();
        at = edges[slot].block(&func.dfg.value_lists);
        for (&param, argument) in func.dfg.block_params(at).iter().zip(arguments) {
            contents[param.as_u32() as usize] = argument;
        }
    }
    printed
}

fn resolve(func: &Function, value: ir::Value) -> usize {
    func.dfg.resolve_aliases(value).as_u32() as usize
}

fn step(func: &Function, inst: Inst, contents: &mut [i64], printed: &mut Vec<Option<i64>>) {
    let operands: Vec<i64> = func.dfg.inst_args(inst).iter().map(|&value| contents[resolve(func, value)]).collect();
    let result = match func.dfg.insts[inst] {
        InstructionData::UnaryImm { imm, .. } => imm.bits(),
        InstructionData::Binary { .. } => {
            let is_narrow = func.dfg.value_type(func.dfg.first_result(inst)) == types::I32;
            add(is_narrow, operands[0], operands[1])
        }
        InstructionData::Call { .. } => return printed.push(Some(operands[0])),
        _ => return,
    };
    contents[func.dfg.first_result(inst).as_u32() as usize] = result;
}

/// Builds a program: the function, and what the builder counted.
fn build_function(program: &Program, way: Way) -> (Function, Result<Stats, String>) {
    let (mut func, mut context) = (empty_function(program.blocks.len()), HostContext::default());
    let mut host = CraneliftHost::new(&mut func, &mut context);
    for variable in 0..program.num_variables() {
        host.declare_var(TYPES[variable % 2]);
    }
    let result = build(program, &mut Strict::new(host), way);
    (func, result)
}

/// Builds, verifies, runs; the parameters of each block.
#[track_caller]
fn check(name: &str, program: &Program, way: Way) -> Vec<usize> {
    let (func, result) = build_function(program, way);
    let stats = result.unwrap();
    let verified = verify_function(&func, &settings::Flags::new(settings::builder()));
    assert!(verified.is_ok(), "{name}, {way:?}: {}\n{}", verified.unwrap_err(), func.display());
    assert_eq!(run(&func, 200), program.run(Some(0), 200), "{name}, {way:?}\n{}", func.display());
    assert_eq!(num_params(&func).iter().sum::<usize>() as u64, stats.phis_kept, "{name}, {way:?}");
    num_params(&func)
}

#[test]
fn programs_by_hand_have_the_parameters_they_need() {
    for (name, program, phis) in by_hand() {
        for way in all_ways() {
            assert_eq!(check(name, &program, way), phis, "{name}, {way:?}");
        }
    }
}

#[test]
fn random_programs_verify_and_do_the_same() {
    for (index, (program, way)) in random_programs().enumerate() {
        check(&format!("program {index}"), &program, way);
    }
}

/// A loop that writes and reads so many variables.
fn wide_loop(num_variables: usize) -> Program {
    let constants = (0..num_variables).map(|variable| Statement::Constant(variable, 1));
    let sums = (0..num_variables).map(|variable| Statement::Add(variable, variable, variable));
    let blocks = vec![(constants.collect(), End::Goto(1)), (sums.collect(), End::If(0, 1, 2)), (vec![], End::Return)];
    Program { blocks }
}

#[test]
fn more_parameters_than_cranelift_can_number_are_refused_before_the_first_write() {
    let way = Way { engine: Engine::Marker, sealing: Sealing::Announced, order: 0 };
    let (func, result) = build_function(&wide_loop(MAX_PARAMS), way);
    result.unwrap();
    // Not verified: Cranelift's verifier looks at each parameter once per parameter.
    assert_eq!(num_params(&func), [0, MAX_PARAMS, 0]);

    let (func, result) = build_function(&wide_loop(MAX_PARAMS + 1), way);
    assert_eq!(result.unwrap_err(), "block1: 65536 parameters, but the limit is 65535");
    assert_eq!(num_params(&func), [0, 0, 0]);
    // All phis are where they began, and none has become an alias.
    assert_eq!(func.dfg.blocks.iter().map(|block| func.dfg.num_block_params(block)).sum::<usize>(), MAX_PARAMS + 1);
    assert!(func.dfg.values().all(|value| func.dfg.resolve_aliases(value) == value));
}
