//! wasmtime, set up so that its answers can be compared bit by bit.

use crate::outcome::Outcome;
use ssaphire_wasm::Number;
use wasmtime::{
    Caller, Config, Engine, Error, ExternType, Global, GlobalType, Instance, Linker, Memory, MemoryType, Module,
    Mutability, OptLevel, Ref, RefType, Store, Table, TableType, Trap, Val,
};

/// wasmtime with every proposal that it has and the front end reads.
///
/// Of the not-a-numbers that WebAssembly allows as a result of arithmetic it
/// gives the canonical one, as our machine does. What is compiled is not
/// optimized: each function runs a few times only.
pub(crate) fn engine() -> Engine {
    let mut config = Config::new();
    config.cranelift_nan_canonicalization(true).cranelift_opt_level(OptLevel::None);
    config.wasm_function_references(true).wasm_gc(true).wasm_exceptions(true);
    config.wasm_tail_call(true).wasm_memory64(true).wasm_multi_memory(true);
    config.wasm_extended_const(true).wasm_wide_arithmetic(true).wasm_relaxed_simd(true);
    Engine::new(&config).expect("wasmtime supports these proposals")
}

/// An instance, with `spectest` to import from.
pub(crate) fn instantiate(store: &mut Store<()>, module: &Module) -> Result<Instance, Error> {
    let mut linker = Linker::new(store.engine());
    define_functions(&mut linker)?;
    for (name, val) in [
        ("global_i32", Val::I32(666)),
        ("global_i64", Val::I64(666)),
        ("global_f32", Val::F32(666.6f32.to_bits())),
        ("global_f64", Val::F64(666.6f64.to_bits())),
    ] {
        let ty = GlobalType::new(val.ty(&*store)?, Mutability::Const);
        let global = Global::new(&mut *store, ty, val)?;
        linker.define(&*store, "spectest", name, global)?;
    }
    let table = Table::new(&mut *store, TableType::new(RefType::FUNCREF, 10, Some(20)), Ref::Func(None))?;
    linker.define(&*store, "spectest", "table", table)?;
    let memory = Memory::new(&mut *store, MemoryType::new(1, Some(2)))?;
    linker.define(&*store, "spectest", "memory", memory)?;
    define_absent(&mut linker, module)?;
    linker.instantiate(store, module)
}

/// As for our machine, functions that are not called need not be there.
fn define_absent(linker: &mut Linker<()>, module: &Module) -> Result<(), Error> {
    linker.allow_shadowing(true);
    for import in module.imports().filter(|import| import.module() != "spectest") {
        if let ExternType::Func(ty) = import.ty() {
            let called = |_: Caller<'_, ()>, _: &[Val], _: &mut [Val]| Err(Error::msg("there is no such function"));
            linker.func_new(import.module(), import.name(), ty, called)?;
        }
    }
    Ok(())
}

/// The functions of `spectest`, which print nothing here.
fn define_functions(linker: &mut Linker<()>) -> Result<(), Error> {
    linker.func_wrap("spectest", "print", || {})?;
    linker.func_wrap("spectest", "print_i32", |_: i32| {})?;
    linker.func_wrap("spectest", "print_i64", |_: i64| {})?;
    linker.func_wrap("spectest", "print_f32", |_: f32| {})?;
    linker.func_wrap("spectest", "print_f64", |_: f64| {})?;
    linker.func_wrap("spectest", "print_i32_f32", |_: i32, _: f32| {})?;
    linker.func_wrap("spectest", "print_f64_f64", |_: f64, _: f64| {})?;
    Ok(())
}

/// Calls the function that is exported under a name.
pub(crate) fn call(store: &mut Store<()>, instance: Instance, name: &str, args: &[Number]) -> Result<Outcome, String> {
    let function = instance.get_func(&mut *store, name).ok_or("no such function")?;
    let args: Option<Vec<Val>> = args.iter().map(val).collect();
    // What stands here is overwritten, whatever its type.
    let mut results = vec![Val::I32(0); function.ty(&*store).results().len()];
    match function.call(&mut *store, &args.ok_or("an argument is no number")?, &mut results) {
        Ok(()) => Ok(Outcome::Returned(results.iter().map(Into::into).collect())),
        Err(error) => trap(&error),
    }
}

/// The outcome that an error of wasmtime is.
pub(crate) fn trap(error: &Error) -> Result<Outcome, String> {
    error.downcast_ref::<Trap>().map(|&trap| Outcome::Trapped(trap)).ok_or_else(|| format!("{error:#}"))
}

fn val(number: &Number) -> Option<Val> {
    match *number {
        Number::I32(number) => Some(Val::I32(number)),
        Number::I64(number) => Some(Val::I64(number)),
        Number::F32(bits) => Some(Val::F32(bits)),
        Number::F64(bits) => Some(Val::F64(bits)),
        _ => None,
    }
}
