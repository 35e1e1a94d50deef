//! Calls of the program's functions, and operations that are left to the machine.

use super::function::{Held, Lowering};
use super::program::signature;
use super::site::Why;
use crate::Error;
use crate::context::{FRAMES, MAX_FRAMES, NUM_RESULTS, TRAP, callback};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, ExtFuncData, ExternalName, InstBuilder, Signature, UserExternalName, types};
use ssaphire_ir::interp::TrapKind;
use ssaphire_ir::{Basic, InstRef};
use types::I64;

impl Lowering<'_, '_> {
    /// Calls function number `callee`.
    pub(super) fn call(&mut self, callee: usize, inst: InstRef<'_, Basic>, args: &[Held]) -> Result<(), Error> {
        let frames = self.load(I64, FRAMES);
        let limit = self.load(I64, MAX_FRAMES);
        let is_full = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, frames, limit);
        self.trap_if(is_full, Why::Frames);
        let (wanted, given) = (self.shared.num_params[callee], args.len());
        if wanted == given {
            let more = self.builder.ins().iadd_imm_s(frames, 1);
            self.store(more, FRAMES);
            self.call_function(callee, args);
            let trap = self.load(I64, TRAP);
            let ended = self.ended();
            self.go_on_unless(trap, ended);
            self.store(frames, FRAMES);
        } else {
            let always = self.builder.ins().iconst(I64, 1);
            self.trap_if(always, Why::Kind(TrapKind::ArgumentCount { wanted, given }));
        }
        let count = self.load(I64, NUM_RESULTS);
        let wanted = inst.results.len();
        let enough = self.builder.ins().iconst(I64, wanted as i64);
        let is_less = self.builder.ins().icmp(IntCC::UnsignedLessThan, count, enough);
        self.trap_if(is_less, Why::Results { wanted });
        let results = self.take(wanted);
        self.define(inst, results);
        self.go_on(inst)
    }

    fn call_function(&mut self, callee: usize, args: &[Held]) {
        let mut passed = vec![self.base];
        for &held in args {
            passed.push(held.number);
            if self.shared.has_companions {
                passed.push(self.undefined(held));
            }
        }
        let signature = self.builder.import_signature(signature(args.len(), self.shared.has_companions));
        let name = self.builder.func.declare_imported_user_function(UserExternalName::new(0, callee as u32));
        let name = ExternalName::user(name);
        let callee = self.builder.import_function(ExtFuncData { name, signature, colocated: true, patchable: false });
        self.builder.ins().call(callee, &passed);
    }

    /// Lets the machine execute an operation.
    pub(super) fn ask_machine(&mut self, inst: InstRef<'_, Basic>, args: &[Held]) -> Result<(), Error> {
        self.pass(args);
        let site = self.site(Why::Machine);
        let config = self.config;
        let mut signature = Signature::new(config.default_call_conv);
        signature.params.extend([AbiParam::new(I64); 2]);
        signature.returns.push(AbiParam::new(I64));
        let signature = self.builder.import_signature(signature);
        let function = self.load(I64, callback(0));
        let number = self.builder.ins().iconst(I64, site as i64);
        let base = self.base;
        let call = self.builder.ins().call_indirect(signature, function, &[base, number]);
        let slot = self.builder.inst_results(call)[0];
        let zero = self.builder.ins().iconst(I64, 0);
        let is_over = self.builder.ins().icmp(IntCC::SignedLessThan, slot, zero);
        self.trap_at(is_over, site);
        let results = self.take(inst.results.len());
        self.define(inst, results);
        if inst.targets.len() > 1 {
            return self.go_to_slot(slot, inst.targets.len());
        }
        self.go_on(inst)
    }

    /// Continues after a call or operation that has returned: along the first edge if it ends its block.
    fn go_on(&mut self, inst: InstRef<'_, Basic>) -> Result<(), Error> {
        if !inst.targets.is_empty() {
            let (target, passed) = self.edge(0)?;
            self.builder.ins().jump(target, &passed);
        }
        Ok(())
    }
}
