//! Exceptions of both proposals, as they run: from the bytecode by every engine, in variable form, and over memory.

use ssaphire::Certified;
use ssaphire_ir::Function;
use ssaphire_ir::interp::{Limits, TrapKind};
use ssaphire_ir::memory::OverMemory;
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_wasm::{Instance, Module, Number, Reason, RunError, TranslateOptions, Translator, Wasm, load};

type Outcome = Result<Vec<Number>, RunError>;

/// Calls the function `f` of a module: what comes of it, whatever the form that runs.
#[track_caller]
fn run(wat: &str, args: &[i32]) -> Outcome {
    let module = load(wat).unwrap_or_else(|error| panic!("{error}"));
    let args: Vec<Number> = args.iter().map(|&arg| Number::I32(arg)).collect();
    let call = |instance: Result<Instance<'_>, RunError>| {
        let function = module.function_named("f").unwrap_or_else(|| panic!("there is no `f`"));
        instance.and_then(|mut instance| instance.call(function, &args))
    };
    let source = call(Instance::with_functions(&module, Limits::default(), variable_forms(&module)));
    for &engine in Engine::ALL {
        let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
        let built = call(Instance::with_builder(&module, Limits::default(), &mut ssa));
        assert_eq!(without_place(&built), without_place(&source), "{engine}");
    }
    // A slot of a reference type stays where it is given a more precise one, and such functions do not run.
    let promote = |function: &Function<Wasm>| Some(OverMemory::of(function).ok()?.function);
    if let Some(promoted) = variable_forms(&module).iter().map(promote).collect() {
        let promoted = call(Instance::with_functions(&module, Limits::default(), promoted));
        assert_eq!(without_place(&promoted), without_place(&source), "over memory");
    } else {
        assert!(wat.contains("exnref"), "slots of numbers are promoted");
    }
    source
}

fn variable_forms(module: &Module) -> Vec<Function<Wasm>> {
    let mut options = TranslateOptions::default();
    (options.keeps_variables, options.canonical) = (true, false);
    let mut translator = Translator::new(module, options);
    let mut ssa = Certified::default();
    ssa.set_recording(false);
    let translate = |index| translator.translate(index, &mut ssa).unwrap_or_else(|error| panic!("{error}"));
    module.defined_functions().map(translate).collect()
}

/// Where an instruction stands is not the same in all forms.
fn without_place(outcome: &Outcome) -> Result<Vec<Number>, String> {
    outcome.clone().map_err(|error| match error {
        RunError::Trap(trap) => trap.kind.to_string(),
        other => other.to_string(),
    })
}

/// Checks what `f` returns for each of these arguments.
#[track_caller]
fn check(fields: &str, cases: &[(i32, i32)]) {
    let wat = format!("(module {FIELDS} {fields})");
    for &(arg, wanted) in cases {
        assert_eq!(run(&wat, &[arg]), Ok(vec![Number::I32(wanted)]), "{arg}");
    }
}

/// `$throws` returns its argument plus 10, but throws `$t` with it for 1, `$u` for 2, and traps for 3.
const FIELDS: &str = "(tag $t (param i32)) (tag $u (param i32 i64))
    (func $throws (param $x i32) (result i32)
      (if (i32.eq (local.get $x) (i32.const 1)) (then (throw $t (local.get $x))))
      (if (i32.eq (local.get $x) (i32.const 2)) (then (throw $u (local.get $x) (i64.const 5))))
      (if (i32.eq (local.get $x) (i32.const 3)) (then (unreachable)))
      (i32.add (local.get $x) (i32.const 10)))
    (func $calls (param $x i32) (result i32) (i32.add (i32.const 1000) (call $throws (local.get $x))))";

#[test]
fn the_first_clause_of_the_tag_catches() {
    check(
        "(func $f (param $x i32) (result i32)
           try (result i32)
             (call $calls (local.get $x))
             catch $t (i32.const 100) (i32.add)
             catch $u (i32.wrap_i64) (i32.add)
             catch $t (drop) (i32.const -1) end)",
        &[(0, 1010), (1, 101), (2, 7)],
    );
    check(
        "(func $f (param $x i32) (result i32)
           try (result i32)
             (call $throws (local.get $x))
             catch $t
             catch_all (i32.const 7) end)",
        &[(0, 10), (1, 1), (2, 7)],
    );
}

#[test]
fn a_trap_is_no_exception() {
    let wat = format!(
        "(module {FIELDS} (func $f (param $x i32) (result i32)
           try (result i32) (call $throws (local.get $x)) catch_all (i32.const 7) end))"
    );
    let Err(RunError::Trap(trap)) = run(&wat, &[3]) else { panic!("it does not trap") };
    assert_eq!(trap.kind.to_string(), "unreachable");
}

#[test]
fn what_nothing_catches_is_said() {
    let wat = format!(
        "(module {FIELDS} (func $f (param $x i32) (result i32)
           try (result i32) (call $calls (local.get $x)) catch $u (drop) (drop) (i32.const 7) end))"
    );
    assert_eq!(run(&wat, &[2]), Ok(vec![Number::I32(7)]));
    let Err(RunError::Trap(trap)) = run(&wat, &[1]) else { panic!("it is caught") };
    assert_eq!(trap.kind, TrapKind::Uncaught);
}

#[test]
fn locals_are_as_they_were_when_it_was_thrown() {
    check(
        "(func $f (param $x i32) (result i32) (local $y i32)
           (local.set $y (i32.const 100))
           try
             (local.set $y (i32.const 200))
               (local.set $y (call $throws (local.get $x)))
               (local.set $y (call $throws (i32.const 1)))
             catch_all end
           (local.get $y))",
        &[(0, 10), (1, 200), (2, 200)],
    );
}

#[test]
fn a_rethrow_keeps_tag_and_payload() {
    check(
        "(func $f (param $x i32) (result i32)
           try (result i32)
             try (result i32)
               (call $throws (local.get $x))
               catch_all (rethrow 0) end
             catch $t (i32.const 20) (i32.add)
             catch $u (i32.wrap_i64) (i32.add) (i32.const 30) (i32.add) end)",
        &[(0, 10), (1, 21), (2, 37)],
    );
}

#[test]
fn a_rethrow_in_a_nested_catch_chooses_its_exception() {
    // The outer exception has payload x, the inner one 50.
    let nested = |depth| {
        format!(
            "(func $f (param $x i32) (result i32)
               try (result i32)
                 try $outer (result i32)
                   (throw $t (local.get $x))
                   catch $t
                     (drop)
                     try $inner (result i32)
                       (throw $t (i32.const 50))
                       catch_all (rethrow {depth}) end end
                 catch $t end)"
        )
    };
    check(&nested("$inner"), &[(8, 50)]);
    check(&nested("$outer"), &[(8, 8)]);
}

#[test]
fn a_delegate_passes_the_handlers_between() {
    let delegate = |depth| {
        format!(
            "(func $f (param $x i32) (result i32)
               try $far (result i32)
                 try $near (result i32)
                   try (result i32) (call $throws (local.get $x)) delegate {depth}
                   catch_all (i32.const 33) end
                 catch $t (drop) (i32.const 44)
                 catch_all (i32.const 55) end)"
        )
    };
    check(&delegate("$near"), &[(0, 10), (1, 33), (2, 33)]);
    check(&delegate("$far"), &[(0, 10), (1, 44), (2, 55)]);
    // To the caller, past both.
    check(
        &format!(
            "{} (func $g (export \"g\") (param i32) (result i32) (i32.const 0))",
            delegate("2").replace("$f", "$inner")
                + "(func $f (param $x i32) (result i32)
                 try (result i32) (call $inner (local.get $x)) catch_all (i32.const 66) end)"
        ),
        &[(0, 10), (1, 66), (2, 66)],
    );
}

#[test]
fn a_loop_catches_again_and_again() {
    check(
        "(func $f (param $n i32) (result i32) (local $sum i32)
           (loop $again
             try
               (drop (call $throws (i32.and (local.get $n) (i32.const 1))))
               catch $t (local.set $sum (i32.add (local.get $sum))) end
             (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
           (local.get $sum))",
        &[(1, 1), (10, 5), (99, 50)],
    );
}

#[test]
fn a_handler_may_leave_the_function_or_branch_out() {
    check(
        "(func $f (param $x i32) (result i32)
           (block $out (result i32)
             try
               (drop (call $throws (local.get $x)))
               catch $t (return (i32.const 21))
               catch_all (br $out (i32.const 22)) end
             (i32.const 23)))",
        &[(0, 23), (1, 21), (2, 22)],
    );
}

#[test]
fn what_a_handler_throws_is_for_those_around_it() {
    check(
        "(func $f (param $x i32) (result i32)
           try (result i32)
             try (result i32)
               (call $throws (local.get $x))
               catch $t (throw $u (i64.const 9))
               catch $u (drop) (drop) (call $throws (i32.const 1)) end
             catch $u (i32.wrap_i64) (i32.add)
             catch $t end)",
        &[(0, 10), (1, 10), (2, 1)],
    );
}

#[test]
fn the_exceptions_of_today_run_as_well() {
    check(
        "(func $f (param $x i32) (result i32) (local $e exnref)
           (block $t (result i32)
             (block $all (result exnref)
               (br $t (try_table (result i32) (catch $t $t) (catch_all_ref $all) (call $calls (local.get $x)))))
             (local.set $e)
             (block $u (result i32 i64)
               (try_table (catch $u $u) (throw_ref (local.get $e)))
               (unreachable))
             (i32.wrap_i64) (i32.add) (i32.const 40) (i32.add)))",
        &[(0, 1010), (1, 1), (2, 47)],
    );
    let null = "(module (func $f (throw_ref (ref.null exn))))";
    let Err(RunError::Trap(trap)) = run(null, &[]) else { panic!("it does not trap") };
    assert_eq!(trap.kind.to_string(), "null exception reference");
}

#[test]
fn a_function_that_is_refused_stops_none_that_does_not_call_it() {
    let wat = "(module
        (type $f (func)) (type $c (cont $f)) (tag $t)
        (func $switches (resume $c (on $t switch) (ref.null $c)))
        (func $f (param i32) (result i32) (if (local.get 0) (then (call $switches))) (i32.const 6)))";
    let module = load(wat).unwrap_or_else(|error| panic!("{error}"));
    let mut instance = Instance::new(&module, Limits::default()).expect("there is an instance");
    assert_eq!(instance.call(1, &[Number::I32(0)]), Ok(vec![Number::I32(6)]));
    for (function, args) in [(1, &[Number::I32(1)][..]), (0, &[])] {
        let Err(RunError::Function(error)) = instance.call(function, args) else { panic!("it is not refused") };
        assert_eq!(error.reason, Reason::Unsupported { operator: "resume", proposal: "stack_switching" });
        assert_eq!((error.index, error.name.as_str()), (0, "switches"));
    }
}
