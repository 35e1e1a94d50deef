//! Cranelift as a host: phis become block parameters.
//!
//! A phi has to be a value at once, and a parameter of its block only if it
//! stays. So it begins as a parameter of a limbo block, which is in no layout;
//! at the end the parameters that stay move to their blocks, and the others
//! become aliases.

use crate::build::{Code, Sealing, Way, all_ways, build, random_programs};
use crate::programs::{End, Program, Statement, add, by_hand, if_slot, switch_slot};
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::function::FunctionStencil;
use cranelift_codegen::ir::{
    self, AbiParam, BlockArg, Function, Inst, InstBuilder, InstructionData, JumpTableData, Opcode, Signature, Type,
    UserFuncName, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_codegen::{settings, verify_function};
use ssaphire::{Block, Engine, FinishError, Forwarding, HostError, KeptPhis, PhiHost, Strict, Value, Variable};

// ---------------------------------------------------------------- the host --

/// A function, and what Cranelift does not know of it.
struct CraneliftHost {
    func: Function,
    /// Index = variable.
    types: Vec<Type>,
    /// Blocks of parameters that are no block's yet; the last one has room.
    limbo: Vec<ir::Block>,
}

/// Cranelift numbers the parameters of a block with 16 bits.
const MAX_PARAMS: usize = u16::MAX as usize;

fn block(block: Block) -> ir::Block {
    ir::Block::from_u32(block.index() as u32)
}

fn value(value: Value) -> ir::Value {
    ir::Value::from_u32(value.index() as u32)
}

fn id(value: ir::Value) -> Value {
    Value::new(value.as_u32() as usize)
}

impl PhiHost for CraneliftHost {
    fn new_phi(&mut self, _: Block, variable: Variable) -> Value {
        let dfg = &mut self.func.dfg;
        if self.limbo.last().is_none_or(|&limbo| dfg.num_block_params(limbo) == MAX_PARAMS) {
            self.limbo.push(dfg.make_block());
        }
        id(dfg.append_block_param(self.limbo[self.limbo.len() - 1], self.types[variable.index()]))
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        let entry = self.func.layout.entry_block().unwrap();
        let mut cursor = FuncCursor::new(&mut self.func).at_first_insertion_point(entry);
        id(cursor.ins().iconst(self.types[variable.index()], 0))
    }

    fn finish(&mut self, phis: &KeptPhis<'_>, stands_for: &Forwarding<'_>) -> Result<(), HostError> {
        for at in self.func.layout.blocks() {
            let has = self.func.dfg.num_block_params(at) + phis.in_block(Block::new(at.as_u32() as usize)).len();
            if has > MAX_PARAMS {
                return Err(HostError::new(format!("{at} would have {has} parameters, the limit is {MAX_PARAMS}")));
            }
        }
        let FunctionStencil { dfg, layout, .. } = &mut *self.func;
        for limbo in self.limbo.drain(..) {
            dfg.detach_block_params(limbo);
        }
        for phi in phis.iter() {
            dfg.attach_block_param(block(phi.block), value(phi.value));
            for operand in phi.edge_operands() {
                let branch = layout.last_inst(block(operand.source)).unwrap();
                let (tables, exceptions) = (&mut dfg.jump_tables, &mut dfg.exception_tables);
                let edges = dfg.insts[branch].branch_destination_mut(tables, exceptions);
                edges[operand.slot as usize].append_argument(value(operand.value), &mut dfg.value_lists);
            }
        }
        for (from, to) in stands_for.iter() {
            dfg.change_to_alias(value(from), value(to));
        }
        Ok(())
    }
}

// ---------------------------------------------------------- the code it takes --

impl CraneliftHost {
    /// A function with so many empty blocks, which calls a function for each type to print.
    fn new(num_variables: usize, num_blocks: usize) -> Self {
        let mut func = Function::with_name_signature(UserFuncName::default(), Signature::new(CallConv::Fast));
        for (number, of_type) in [types::I64, types::I32].into_iter().enumerate() {
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
        let of_variable = |variable| if variable % 2 == 0 { types::I64 } else { types::I32 };
        Self { func, types: (0..num_variables).map(of_variable).collect(), limbo: vec![] }
    }

    fn num_params(&self) -> Vec<usize> {
        self.func.layout.blocks().map(|block| self.func.dfg.num_block_params(block)).collect()
    }

    fn at_end(&mut self, at: Block) -> FuncCursor<'_> {
        FuncCursor::new(&mut self.func).at_bottom(block(at))
    }
}

impl Code for CraneliftHost {
    fn constant(&mut self, block: Block, variable: Variable, number: i64) -> Value {
        let of_type = self.types[variable.index()];
        id(self.at_end(block).ins().iconst(of_type, number))
    }

    fn add(&mut self, block: Block, _: Variable, left: Value, right: Value) -> Value {
        id(self.at_end(block).ins().iadd(value(left), value(right)))
    }

    fn print(&mut self, block: Block, variable: Variable, argument: Value) {
        let print = ir::FuncRef::from_u32((variable.index() % 2) as u32);
        self.at_end(block).ins().call(print, &[value(argument)]);
    }

    fn end(&mut self, at: Block, end: &End, asked: Option<Value>) {
        let asked = asked.map(value);
        let targets: Vec<ir::Block> = end.targets().into_iter().map(block).collect();
        let pool = &mut self.func.dfg.value_lists;
        let calls: Vec<_> = targets.iter().map(|&target| ir::BlockCall::new(target, [], pool)).collect();
        match (end, asked) {
            (End::If(..), Some(asked)) => _ = self.at_end(at).ins().brif(asked, targets[0], &[], targets[1], &[]),
            (End::Switch(..), Some(asked)) => {
                let table = self.func.create_jump_table(JumpTableData::new(calls[0], &calls[1..]));
                self.at_end(at).ins().br_table(asked, table);
            }
            (End::Return, _) => _ = self.at_end(at).ins().return_(&[]),
            _ => _ = self.at_end(at).ins().jump(targets[0], &[]),
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

fn host_for(program: &Program) -> Strict<CraneliftHost> {
    Strict::new(CraneliftHost::new(program.num_variables(), program.blocks.len()))
}

/// Builds, verifies, runs; the parameters of each block.
#[track_caller]
fn check(name: &str, program: &Program, way: Way) -> Vec<usize> {
    let mut host = host_for(program);
    let stats = build(program, &mut host, way).unwrap();
    let func = &host.func;
    let verified = verify_function(func, &settings::Flags::new(settings::builder()));
    assert!(verified.is_ok(), "{name}, {way:?}: {}\n{}", verified.unwrap_err(), func.display());
    assert_eq!(run(func, 200), program.run(Some(0), 200), "{name}, {way:?}\n{}", func.display());
    assert_eq!(host.num_params().iter().sum::<usize>() as u64, stats.phis_kept, "{name}, {way:?}");
    host.num_params()
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
    let widest = wide_loop(MAX_PARAMS);
    let mut host = host_for(&widest);
    build(&widest, &mut host, way).unwrap();
    // Not verified: Cranelift's verifier looks at each parameter once per parameter.
    assert_eq!(host.num_params(), [0, MAX_PARAMS, 0]);

    let program = wide_loop(MAX_PARAMS + 1);
    let mut host = host_for(&program);
    let error = build(&program, &mut host, way).unwrap_err();
    assert_eq!(error, FinishError::Host(HostError::new("block1 would have 65536 parameters, the limit is 65535")));
    assert_eq!(host.num_params(), [0, 0, 0]);
    let dfg = &host.func.dfg;
    assert_eq!(host.limbo.iter().map(|&limbo| dfg.num_block_params(limbo)).sum::<usize>(), MAX_PARAMS + 1);
    assert!(dfg.values().all(|value| dfg.resolve_aliases(value) == value));
}
