//! `ssaphire man`: manual pages.

use super::Status;
use crate::arguments::{Arguments, ManArguments};
use crate::console::Console;
use crate::diagnostic::{Diagnostic, Failure};
use clap::CommandFactory;
use clap_mangen::Man;
use std::fs;
use std::io;
use std::path::Path;

pub(super) fn run(arguments: &ManArguments, console: &mut Console) -> Result<Status, Failure> {
    match &arguments.folder {
        None => Man::new(Arguments::command()).render(&mut console.output)?,
        Some(folder) => write_pages(folder).map_err(|(path, error)| Diagnostic::of_input(&path, error.to_string()))?,
    }
    Ok(Status::Fine)
}

/// Writes a page for the command as a whole, and one for each of its commands.
///
/// # Errors
/// What the system says, and of which file.
fn write_pages(folder: &Path) -> Result<(), (String, io::Error)> {
    let of = |path: &Path| path.display().to_string();
    fs::create_dir_all(folder).map_err(|error| (of(folder), error))?;
    let mut whole = Arguments::command();
    // So each command knows what it is called in full.
    whole.build();
    let commands: Vec<_> = whole.get_subcommands().filter(|command| command.get_name() != "help").cloned().collect();
    for command in commands.into_iter().chain([whole]) {
        let man = Man::new(command);
        let path = folder.join(man.get_filename());
        let mut page = Vec::new();
        let written = man.render(&mut page).and_then(|()| fs::write(&path, page));
        written.map_err(|error| (of(&path), error))?;
    }
    Ok(())
}
