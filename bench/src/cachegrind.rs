//! Instructions, counted by Valgrind's tool Cachegrind, which is asked for nothing else: that is several times as fast
//! as Callgrind, which counts the same.
//!
//! A program is run twice, with one replay and with two: the difference is one
//! replay in a memory that is large enough already, and nothing else.

use crate::failure::Failure;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};

/// Instructions executed, by the function whose code they are in.
///
/// What the compiler has inlined counts for the function it was inlined into.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    functions: BTreeMap<String, u64>,
}

impl Profile {
    /// Instructions of all functions.
    pub fn total(&self) -> u64 {
        self.functions.values().sum()
    }

    /// The functions with most instructions, and how many.
    pub fn top(&self, count: usize) -> Vec<(&str, u64)> {
        let mut all: Vec<_> = self.functions.iter().map(|(name, &cost)| (name.as_str(), cost)).collect();
        all.sort_by_key(|&(_, cost)| std::cmp::Reverse(cost));
        all.truncate(count);
        all
    }

    /// What this profile has more than `other`.
    fn without(mut self, other: &Self) -> Self {
        for (name, cost) in &mut self.functions {
            *cost = cost.saturating_sub(other.functions.get(name).copied().unwrap_or(0));
        }
        self.functions.retain(|_, &mut cost| cost > 0);
        self
    }

    /// Reads what Cachegrind wrote: after the name of each function its lines, each with its cost.
    fn parse(text: &str) -> Self {
        let mut profile = Self::default();
        let mut function = "";
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("fn=") {
                function = name;
            } else if let Some((number, cost)) = line.split_once(' ')
                && number.bytes().all(|digit| digit.is_ascii_digit())
                && let Ok(cost) = cost.parse::<u64>()
            {
                *profile.functions.entry(function.to_owned()).or_insert(0) += cost;
            }
        }
        profile
    }
}

/// A function's path without the type it is a method of: `<impl ...>::` says what the path has said.
pub fn short(name: &str) -> String {
    let mut short = String::new();
    let mut rest = name;
    while let Some((before, implementation)) = rest.split_once("<impl ") {
        short.push_str(before);
        let mut depth = 1;
        let end = implementation.find(|letter: char| {
            depth += i32::from(letter == '<') - i32::from(letter == '>');
            depth == 0
        });
        let after = end.map_or("", |end| &implementation[end + 1..]);
        rest = after.strip_prefix("::").unwrap_or(after);
    }
    short.push_str(rest);
    short.replace(',', ";")
}

/// Whether Valgrind is there.
pub fn is_available() -> bool {
    let mut command = Command::new("valgrind");
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The instructions of one more replay: `arguments` get the number of replays.
///
/// # Errors
/// If Valgrind cannot be run, or the program ends with an error under it.
pub fn difference<'a, A>(program: &Path, arguments: impl Fn(&'a str) -> A) -> Result<Profile, Failure>
where
    A: IntoIterator<Item: AsRef<OsStr>>,
{
    let once = run(program, arguments("1"))?;
    Ok(run(program, arguments("2"))?.without(&once))
}

fn run(program: &Path, arguments: impl IntoIterator<Item: AsRef<OsStr>>) -> Result<Profile, Failure> {
    let output = Scratch::new("cachegrind");
    let mut command = Command::new("valgrind");
    let mut option = OsString::from("--cachegrind-out-file=");
    option.push(&output.0);
    command.args(["--tool=cachegrind", "--cache-sim=no"]).arg(option).arg(program).args(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let result = command.output().map_err(Failure::file(Path::new("valgrind")))?;
    if !result.status.success() {
        let message = String::from_utf8_lossy(&result.stderr).trim().to_owned();
        return Err(Failure::Program { program: "valgrind".to_owned(), message });
    }
    let text = fs::read_to_string(&output.0).map_err(Failure::file(&output.0))?;
    Ok(Profile::parse(&text))
}

/// A file in the system's folder for such, which goes when its owner does.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("ssaphire-{name}-{}", process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing depends on it: a file that stays only takes room.
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::{Profile, short};

    const OUTPUT: &str = "desc: I1 cache: 32768 B\ncmd: bench count 1\nevents: Ir\nfl=a.rs\nfn=replay\n10 5\n12 7\n\
                          fl=b.rs\nfn=<(u32, T) as Look>::up\n20 60\n0 40\nfl=a.rs\nfn=replay\n30 2\nsummary: 114\n";

    #[test]
    fn costs_belong_to_the_function_whose_code_it_is() {
        let profile = Profile::parse(OUTPUT);
        assert_eq!(profile.top(9), [("<(u32, T) as Look>::up", 100), ("replay", 14)]);
        assert_eq!(profile.total(), 114);
    }

    #[test]
    fn paths_are_shortened() {
        assert_eq!(short("a::b::<impl a::B<O>>::find::{{closure}}"), "a::b::find::{{closure}}");
        assert_eq!(short("<a::B<O,P> as C>::call"), "<a::B<O;P> as C>::call");
        assert_eq!(short("a::<impl b"), "a::");
    }

    #[test]
    fn the_difference_leaves_out_what_is_the_same() {
        let once = Profile::parse("fn=load\n1 50\nfn=replay\n1 7\n");
        let twice = Profile::parse("fn=replay\n1 14\nfn=load\n1 50\n");
        assert_eq!(twice.without(&once).top(9), [("replay", 7)]);
    }
}
