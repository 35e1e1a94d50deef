//! What pages of `docs/` show of the command is what it writes.

use crate::support::run_in;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The page with the output of each `$ ssaphire ...` line of a console as it is now, and how many lines these are.
fn shown_anew(page: &str) -> (String, usize) {
    let (mut anew, mut num_commands, mut in_console) = (String::new(), 0, false);
    for line in page.lines() {
        match line.strip_prefix("$ ssaphire ").filter(|_| in_console) {
            Some(arguments) => {
                let ended = run_in(&root(), arguments);
                anew += &format!("{line}\n{}{}", ended.stdout, ended.stderr);
                num_commands += 1;
            }
            None if in_console && line != "```" => {}
            None => anew += &format!("{line}\n"),
        }
        in_console = line == "```console" || (in_console && line != "```");
    }
    (anew, num_commands)
}

/// Pages that show the command, and how many lines of it at least.
const PAGES: [(&str, usize); 2] = [("compare-constructors", 6), ("continuations", 2)];

/// `BLESS=1` rewrites the pages.
#[test]
fn a_page_shows_what_the_command_writes() {
    for (name, least) in PAGES {
        let path = root().join(format!("docs/{name}.md"));
        let page = fs::read_to_string(&path).unwrap();
        let (anew, num_commands) = shown_anew(&page);
        assert!(num_commands >= least, "{name}: {num_commands} commands");
        if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
            fs::write(&path, &anew).unwrap();
            continue;
        }
        assert_eq!(page, anew);
    }
}
