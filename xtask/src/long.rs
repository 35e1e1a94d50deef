//! `cargo xtask exhaustive`, `passes` and `rows`: the long commands, optimized.
//!
//! They are a program of their own, so that this one compiles in seconds.

use crate::failure::Failure;
use crate::workspace::{Workspace, could_not_start};
use std::ffi::OsString;

/// The package whose program has the long commands.
const PACKAGE: &str = "ssaphire-long-tests";

/// Compiles the long commands in release mode and runs `command`.
pub(crate) fn run(workspace: &Workspace, command: &str, arguments: &[OsString]) -> Result<(), Failure> {
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--release", "--locked", "--quiet", "--package", PACKAGE, "--", command]).args(arguments);
    let status = cargo.status().map_err(|error| could_not_start("cargo", error))?;
    if status.success() { Ok(()) } else { Err(Failure::step(command, status)) }
}
