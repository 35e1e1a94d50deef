//! What the command says where it is built without a feature, whatever the language, and with a status of its own kind.

#[cfg(not(feature = "jit"))]
#[test]
fn a_command_without_machine_code_says_how_to_get_one_with_it() {
    let folder = crate::support::Folder::with("no_jit", "gcd.while", crate::support::GCD);
    folder.file("f.wasm", crate::support::SUCCESSOR);
    for arguments in ["run gcd.while --jit", "run f.wasm --args 41 --jit"] {
        let message = folder.refusal(arguments);
        let wanted = "requires the feature `jit`: cargo build --package ssaphire-cli --features jit";
        assert!(message.contains(wanted), "{message}");
    }
}

#[cfg(not(feature = "js"))]
#[test]
fn a_command_without_javascript_says_how_to_get_one_with_it() {
    let folder = crate::support::Folder::with("no_js", "a.js", "let x = 1;\n");
    folder.file("a.tsx", "let x: number = 1;\n");
    for dialect in ["js", "memory.js"] {
        folder.file(&format!("{dialect}.ssa"), format!("dialect {dialect}\n\nfunc f() {{\nblock0:\n  return\n}}\n"));
    }
    for arguments in ["build a.js", "check a.tsx", "opt a.js --emit ssa", "build js.ssa", "build memory.js.ssa"] {
        let message = folder.refusal(arguments);
        let wanted = "requires the feature `js`: cargo build --package ssaphire-cli --features js";
        assert!(message.contains(wanted), "{message}");
    }
    assert!(folder.stdout("help").contains("Not in this build: JavaScript and TypeScript (feature `js`)"));
}

#[cfg(not(feature = "llvm"))]
#[test]
fn a_command_without_llvm_ir_says_how_to_get_one_with_it() {
    let folder = crate::support::Folder::with("no_llvm", "a.ll", "define void @f() {\n  ret void\n}\n");
    folder.file("llvm.ssa", "dialect llvm\n\nfunc f() {\nblock0:\n  ret \"void\"\n}\n");
    for arguments in ["build a.ll", "check a.ll a.ll", "opt a.ll", "build llvm.ssa"] {
        let message = folder.refusal(arguments);
        let wanted = "requires the feature `llvm`: cargo build --package ssaphire-cli --features llvm";
        assert!(message.contains(wanted), "{message}");
    }
    assert!(folder.stdout("help").contains("LLVM IR (feature `llvm`)"));
}
