//! Stack maps, under a collector that moves everything at every call.
//!
//! A reference is a number and the count of calls at which it was right. At a
//! call the references in the slots that its stack map names are moved, and no
//! others: whoever holds one elsewhere holds a stale one, and is found when it
//! is handed to a call or returned.

use crate::common::{Numbers, finalize, verify};
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, ExtFuncData, ExternalName, Function, Inst, InstBuilder, InstructionData, Opcode,
    Signature, StackSlot, UserFuncName, Value, types::I64,
};
use cranelift_codegen::isa::CallConv;
use std::collections::HashMap;

/// What a block does to the references.
#[derive(Clone, Copy, Debug)]
enum Op {
    Make(usize),
    Copy(usize, usize),
    /// Hands it to a function, which makes sure that it is not stale.
    Check(usize),
}

/// A block, and where it leads: by a number that changes in each block.
#[derive(Clone, Debug)]
struct Part {
    ops: Vec<Op>,
    targets: [usize; 2],
}

fn random(numbers: &mut Numbers) -> (usize, Vec<Part>) {
    let (num_references, num_blocks) = (1 + numbers.below(4), 2 + numbers.below(7));
    let part = |numbers: &mut Numbers| Part {
        ops: (0..numbers.below(5))
            .map(|_| {
                let [x, y] = [0; 2].map(|_: usize| numbers.below(num_references));
                match numbers.below(4) {
                    0 => Op::Make(x),
                    1 => Op::Copy(x, y),
                    _ => Op::Check(x),
                }
            })
            .collect(),
        targets: [0; 2].map(|_: usize| 1 + numbers.below(num_blocks - 1)),
    };
    (num_references, (0..num_blocks).map(|_| part(numbers)).collect())
}

macro_rules! front_end {
    ($name:ident, $krate:ident) => {
        fn $name(num_references: usize, parts: &[Part], has_maps: bool) -> Function {
            use $krate::{FunctionBuilder, FunctionBuilderContext, Variable};
            let mut signature = Signature::new(CallConv::SystemV);
            signature.params.push(AbiParam::new(I64));
            signature.returns.push(AbiParam::new(I64));
            let mut func = Function::with_name_signature(UserFuncName::default(), signature.clone());
            let mut context = FunctionBuilderContext::new();
            let mut builder = FunctionBuilder::new(&mut func, &mut context);
            let signature = builder.import_signature(signature);
            let [make, check] = ["make", "check"].map(|name| {
                let name = ExternalName::testcase(name);
                builder.import_function(ExtFuncData { name, signature, colocated: false, patchable: false })
            });
            let blocks: Vec<Block> = parts.iter().map(|_| builder.create_block()).collect();
            let exit = builder.create_block();
            let number = builder.declare_var(I64);
            let references: Vec<Variable> = (0..num_references).map(|_| builder.declare_var(I64)).collect();
            if has_maps {
                references.iter().for_each(|&reference| builder.declare_var_needs_stack_map(reference));
            }
            builder.append_block_params_for_function_params(blocks[0]);
            for (index, part) in parts.iter().enumerate() {
                builder.switch_to_block(blocks[index]);
                if index == 0 {
                    let given = builder.block_params(blocks[0])[0];
                    builder.def_var(number, given);
                    for &reference in &references {
                        let call = builder.ins().call(make, &[given]);
                        let made = builder.inst_results(call)[0];
                        builder.def_var(reference, made);
                    }
                }
                for &op in &part.ops {
                    match op {
                        Op::Make(reference) => {
                            let name = builder.use_var(number);
                            let call = builder.ins().call(make, &[name]);
                            let made = builder.inst_results(call)[0];
                            builder.def_var(references[reference], made);
                        }
                        Op::Copy(reference, other) => {
                            let value = builder.use_var(references[other]);
                            builder.def_var(references[reference], value);
                        }
                        Op::Check(reference) => {
                            let value = builder.use_var(references[reference]);
                            builder.ins().call(check, &[value]);
                        }
                    }
                }
                let (before, one) = (builder.use_var(number), builder.ins().iconst(I64, 1));
                let next = builder.ins().isub(before, one);
                builder.def_var(number, next);
                let go_on = builder.create_block();
                builder.ins().brif(next, go_on, &[], exit, &[]);
                builder.switch_to_block(go_on);
                let two = builder.ins().iconst(I64, 2);
                let odd = builder.ins().band(next, two);
                builder.ins().brif(odd, blocks[part.targets[0]], &[], blocks[part.targets[1]], &[]);
            }
            builder.switch_to_block(exit);
            let result = builder.use_var(references[0]);
            builder.ins().return_(&[result]);
            builder.seal_all_blocks();
            finalize!(builder);
            func
        }
    };
}

front_end!(build_here, ssaphire_cranelift);
front_end!(build_there, cranelift_frontend);

/// Whether their stack maps are right: those of 0.132 lack references, and let two that live at once share a slot.
const THEY_MAP: bool = !cfg!(before_0_133);

/// References: `name * STRIDE + calls`, where calls are those made so far.
const STRIDE: i64 = 1_000;

/// A machine whose collector moves references.
struct Machine<'f> {
    func: &'f Function,
    /// Whether there are stack maps; where there are none, references stay as they were made.
    has_maps: bool,
    contents: HashMap<Value, i64>,
    slots: HashMap<StackSlot, i64>,
    calls: i64,
    /// The names of the references that were checked.
    checked: Vec<i64>,
}

impl Machine<'_> {
    fn get(&self, value: Value) -> i64 {
        self.contents[&self.func.dfg.resolve_aliases(value)]
    }

    #[track_caller]
    fn name_of(&self, reference: i64) -> i64 {
        if self.has_maps {
            assert_eq!(reference % STRIDE, self.calls, "stale\n{}", self.func.display());
        }
        reference / STRIDE
    }

    fn call(&mut self, inst: Inst, callee: &str, argument: i64) -> i64 {
        if callee == "check" {
            let name = self.name_of(argument);
            self.checked.push(name);
        }
        for entry in self.func.dfg.user_stack_map_entries(inst).unwrap_or(&[]) {
            let held = self.slots[&entry.slot];
            let name = self.name_of(held);
            self.slots.insert(entry.slot, name * STRIDE + self.calls + 1);
        }
        self.calls += 1;
        argument * STRIDE + self.calls
    }

    fn step(&mut self, inst: Inst) {
        let args: Vec<i64> = self.func.dfg.inst_args(inst).iter().map(|&arg| self.get(arg)).collect();
        let slot_at = |address: i64| StackSlot::from_u32(address as u32);
        let result = match self.func.dfg.insts[inst] {
            InstructionData::UnaryImm { imm, .. } => imm.bits(),
            InstructionData::Binary { opcode: Opcode::Isub, .. } => args[0] - args[1],
            InstructionData::Binary { opcode: Opcode::Band, .. } => args[0] & args[1],
            InstructionData::Load { .. } => self.slots[&slot_at(args[0])],
            InstructionData::Store { .. } => {
                self.slots.insert(slot_at(args[1]), args[0]);
                return;
            }
            #[cfg(before_0_134)]
            InstructionData::StackLoad { stack_slot, .. } => self.slots[&stack_slot],
            #[cfg(before_0_134)]
            InstructionData::StackStore { stack_slot, .. } => {
                self.slots.insert(stack_slot, args[0]);
                return;
            }
            #[cfg(not(before_0_134))]
            InstructionData::StackAddr { stack_slot, .. } => i64::from(stack_slot.as_u32()),
            InstructionData::Call { func_ref, .. } => {
                let callee = self.func.dfg.ext_funcs[func_ref].name.display(None).to_string();
                self.call(inst, callee.trim_start_matches('%'), args[0])
            }
            _ => return,
        };
        self.contents.insert(self.func.dfg.first_result(inst), result);
    }

    /// The name of the reference returned.
    fn run(&mut self, number: i64) -> i64 {
        let func = self.func;
        let mut block = func.layout.entry_block().unwrap();
        self.contents.insert(func.dfg.block_params(block)[0], number);
        loop {
            func.layout.block_insts(block).for_each(|inst| self.step(inst));
            let last = func.layout.last_inst(block).unwrap();
            let asked = func.dfg.inst_args(last).first().map(|&asked| self.get(asked));
            let calls = func.dfg.insts[last].branch_destination(&func.dfg.jump_tables, &func.dfg.exception_tables);
            let taken = match func.dfg.insts[last].opcode() {
                Opcode::Return => return self.name_of(asked.unwrap()),
                Opcode::Brif => calls[usize::from(asked == Some(0))],
                _ => calls[0],
            };
            block = taken.block(&func.dfg.value_lists);
            let arguments: Vec<i64> = taken
                .args(&func.dfg.value_lists)
                .map(|argument| match argument {
                    BlockArg::Value(value) => self.get(value),
                    other => panic!("{other:?}: no exceptions here"),
                })
                .collect();
            self.contents.extend(func.dfg.block_params(block).iter().copied().zip(arguments));
        }
    }
}

fn run(func: &Function, has_maps: bool, number: i64) -> (i64, Vec<i64>) {
    let (contents, slots) = <(HashMap<Value, i64>, _)>::default();
    let mut machine = Machine { func, has_maps, contents, slots, calls: 0, checked: Vec::new() };
    (machine.run(number), machine.checked)
}

fn num_entries(func: &Function) -> usize {
    let insts = func.layout.blocks().flat_map(|block| func.layout.block_insts(block));
    insts.map(|inst| func.dfg.user_stack_map_entries(inst).map_or(0, <[_]>::len)).sum()
}

#[test]
fn no_reference_is_stale_after_a_call() {
    let mut numbers = Numbers(3);
    let (mut num_here, mut num_there) = ([0; 2], [0; 2]);
    for index in 0..1_000 {
        let (num_references, parts) = random(&mut numbers);
        let (ours, theirs) = (build_here(num_references, &parts, true), build_there(num_references, &parts, THEY_MAP));
        verify(&ours);
        for number in [1, 9, 20] {
            let (here, there) = (run(&ours, true, number), run(&theirs, THEY_MAP, number));
            assert_eq!(here, there, "{index}: {parts:?}\n{}", ours.display());
        }
        for (sum, func) in [(&mut num_here, &ours), (&mut num_there, &theirs)] {
            sum[0] += num_entries(func);
            sum[1] += func.sized_stack_slots.len();
        }
    }
    assert!(num_here[0] > 1_000);
    if THEY_MAP {
        assert!(num_here[0] <= num_there[0] && num_here[1] <= num_there[1], "{num_here:?} {num_there:?}");
    }
}
