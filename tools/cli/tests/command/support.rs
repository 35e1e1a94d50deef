//! A folder with files, and the command in it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A loop, in the text form: its result is the sum of the numbers below `n`.
pub(crate) const SUM: &str = "\
func sum(n) {
before:
  i = 0
  s = 0
  jump header
header:
  c = lt i, n
  branch c, body, after
body:
  s = add s, i
  i = add i, 1
  jump header
after:
  return s
}
";

/// What `build` says of it.
pub(crate) const SUM_LINE: &str = "1 function, 4 blocks, 2 phis, judged: accepted\n";

/// Both writes copy `y`: an engine may leave two phis that merge nothing else.
pub(crate) const COPIES: &str = "\
func copies(y, c) {
before:
  x = y
  jump header
header:
  branch c, write, join
write:
  x = y
  jump join
join:
  branch c, header, after
after:
  return x
}
";

/// Two functions, in the While language.
pub(crate) const GCD: &str = "\
func gcd(a, b) {
  while b != 0 { r := a % b; a := b; b := r; }
  return a;
}
func main() { print gcd(12, 18), 7; return gcd(35, 21); }
";

/// `f(x) = x + 1`, as a module in the binary format.
pub(crate) const SUCCESSOR: &[u8] = &[
    0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, // a module
    0x01, 0x06, 0x01, 0x60, 0x01, 0x7f, 0x01, 0x7f, // types
    0x03, 0x02, 0x01, 0x00, // functions
    0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00, // exports
    0x0a, 0x09, 0x01, 0x07, 0x00, 0x20, 0x00, 0x41, 0x01, 0x6a, 0x0b, // code
];

/// A folder of a test's own, in which the command runs.
pub(crate) struct Folder(PathBuf);

/// How the command ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    /// An empty folder; `name` is that of the test.
    pub(crate) fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A folder with one file.
    pub(crate) fn with(name: &str, file: &str, content: impl AsRef<[u8]>) -> Self {
        let folder = Self::new(name);
        folder.file(file, content);
        folder
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The command with these arguments, parted by blanks.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        command_in(&self.0, arguments)
    }

    #[track_caller]
    pub(crate) fn run(&self, arguments: &str) -> Ended {
        ended(&mut self.command(arguments), b"")
    }

    /// With `input` on standard input.
    #[track_caller]
    pub(crate) fn pipe(&self, arguments: &str, input: &[u8]) -> Ended {
        ended(self.command(arguments).stdin(Stdio::piped()), input)
    }

    /// The standard output of a run without findings.
    #[track_caller]
    pub(crate) fn stdout(&self, arguments: &str) -> String {
        let ended = self.run(arguments);
        assert_eq!(ended.status, 0, "{arguments}: {ended:?}");
        ended.stdout
    }

    /// The standard error of a run that refuses its input: status 2, and nothing that looks like a result.
    #[track_caller]
    pub(crate) fn refusal(&self, arguments: &str) -> String {
        refusal(self.run(arguments))
    }
}

fn command_in(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ssaphire"));
    command.args(arguments.split_whitespace()).current_dir(folder).env_remove("COLUMNS");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The command with these arguments, in a folder that is no test's own.
#[track_caller]
pub(crate) fn run_in(folder: &Path, arguments: &str) -> Ended {
    ended(&mut command_in(folder, arguments), b"")
}

#[track_caller]
pub(crate) fn refusal(ended: Ended) -> String {
    assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{}", ended.stderr);
    ended.stderr
}

#[track_caller]
fn ended(command: &mut Command, input: &[u8]) -> Ended {
    let mut child = command.spawn().unwrap();
    if let Some(mut stdin) = child.stdin.take() {
        // A command that refuses its arguments reads nothing.
        let _ = stdin.write_all(input);
    }
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    // No status: a signal, as a stack overflow or an abort would be.
    let status = output.status.code().expect("it ends by itself");
    Ended { status, stdout: text(output.stdout), stderr: text(output.stderr) }
}
