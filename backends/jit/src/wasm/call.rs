//! Calls: of functions, through the table, and back to the host.

use super::callback::Callback;
use super::translation::{Calls, Translation, Traps, signature};
use super::trap::Reason;
use crate::Front;
use crate::code::CALLS;
use crate::context::{self, Element};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, ExtFuncData, ExternalName, Inst, InstBuilder, MemFlagsData, SigRef, Signature, UserExternalName, Value,
    types,
};
use wasmparser::FuncType;

impl<'m, 'f, F: Front<'f>> Translation<'m, 'f, F> {
    /// Emits a call of a callback with 64-bit arguments; returns its result, a 64-bit number, too.
    pub(super) fn call_back(&mut self, callback: Callback, args: &[Value]) -> Value {
        let mut signature = Signature::new(self.config.default_call_conv);
        signature.params.extend(vec![AbiParam::new(types::I64); args.len() + 1]);
        signature.returns.push(AbiParam::new(types::I64));
        let signature = self.builder.func_mut().import_signature(signature);
        let function = self.context(types::I64, context::callback(callback as usize));
        let mut all = vec![self.base];
        all.extend_from_slice(args);
        let call = self.builder.ins().call_indirect(signature, function, &all);
        self.builder.func().dfg.first_result(call)
    }

    pub(super) fn call(&mut self, function: u32) -> Option<()> {
        let ty = self.module.function_type(function)?;
        let mut args = vec![self.base];
        args.extend(self.pop_many(ty.params().len())?);
        if self.calls == Calls::Listed {
            let signature = self.imported_signature(self.module.type_number(function)?, ty)?;
            let number = self.builder.ins().iconst(types::I64, i64::from(function));
            let frames = self.enter_frame();
            let call = self.call_listed(signature, number, &args);
            return self.after_call(call, frames);
        }
        let callee = match self.callees.get(&function) {
            Some(&callee) => callee,
            None => {
                let signature = signature(ty, CALLS)?;
                let func = self.builder.func_mut();
                let signature = func.import_signature(signature);
                let name = func.declare_imported_user_function(UserExternalName::new(0, function));
                let name = ExternalName::user(name);
                let callee = func.import_function(ExtFuncData { name, signature, colocated: true, patchable: false });
                self.callees.insert(function, callee);
                callee
            }
        };
        let frames = self.enter_frame();
        let call = self.builder.ins().call(callee, &args);
        self.after_call(call, frames)
    }

    /// The signature of functions of type `ty`, whose number is `number`.
    fn imported_signature(&mut self, number: u32, ty: &FuncType) -> Option<SigRef> {
        if let Some(&imported) = self.signatures.get(&number) {
            return Some(imported);
        }
        let imported = self.builder.func_mut().import_signature(signature(ty, CALLS)?);
        self.signatures.insert(number, imported);
        Some(imported)
    }

    /// Calls function `number`, at the address that the context lists.
    fn call_listed(&mut self, signature: SigRef, number: Value, args: &[Value]) -> Inst {
        if self.calls == Calls::Listed {
            self.builder.ins().store(MemFlagsData::trusted(), number, self.base, context::CALLEE);
        }
        let functions = self.context(types::I64, context::FUNCTIONS);
        let size = self.builder.ins().iconst(types::I64, size_of::<u64>() as i64);
        let offset = self.builder.ins().imul(number, size);
        let place = self.builder.ins().iadd(functions, offset);
        let code = self.builder.ins().load(types::I64, MemFlagsData::trusted(), place, 0);
        self.builder.ins().call_indirect(signature, code, args)
    }

    pub(super) fn call_indirect(&mut self, type_index: u32) -> Option<()> {
        let ty = self.module.final_func_type(type_index)?;
        let place = self.pop()?;
        let mut args = vec![self.base];
        args.extend(self.pop_many(ty.params().len())?);
        let place = self.builder.ins().uextend(types::I64, place);
        let len = self.context(types::I64, context::TABLE_LEN);
        let is_beyond = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, place, len);
        self.trap_if(is_beyond, Reason::UndefinedElement);
        let table = self.context(types::I64, context::TABLE);
        let size = self.builder.ins().iconst(types::I64, size_of::<Element>() as i64);
        let offset = self.builder.ins().imul(place, size);
        let element = self.builder.ins().iadd(table, offset);
        let number = self.builder.ins().load(types::I64, MemFlagsData::trusted(), element, 0);
        let none = self.builder.ins().iconst(types::I64, context::NO_FUNCTION as i64);
        let is_empty = self.builder.ins().icmp(IntCC::Equal, number, none);
        self.trap_if(is_empty, Reason::UninitializedElement);
        let found = self.builder.ins().load(types::I64, MemFlagsData::trusted(), element, 8);
        let wanted = self.builder.ins().iconst(types::I64, i64::from(self.module.first_equal_type(type_index)?));
        let is_other = self.builder.ins().icmp(IntCC::NotEqual, found, wanted);
        self.trap_if(is_other, Reason::CallType);
        let signature = self.imported_signature(type_index, ty)?;
        let frames = self.enter_frame();
        let call = self.call_listed(signature, number, &args);
        self.after_call(call, frames)
    }

    fn after_call(&mut self, call: Inst, frames: Option<Value>) -> Option<()> {
        let results = self.builder.func().dfg.inst_results(call).to_vec();
        if self.traps_by == Traps::Returned {
            let trap = self.context(types::I64, context::TRAP);
            let bail = self.bail();
            self.go_on_unless(trap, bail);
        }
        self.leave_frame(frames);
        // The operators after the call are counted after it.
        self.begin_stretch();
        self.stack.extend(results);
        Some(())
    }
}
