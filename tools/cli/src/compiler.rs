//! Programs that turn files into LLVM IR, where they are installed.

use crate::language::Language;
use std::io::{self, Write};
use std::process::{Command, Stdio};

/// The newest and the oldest version by which programs of LLVM are looked for, as in `clang-19`.
const VERSIONS: [u32; 2] = [30, 14];

/// A program that reads a language and writes LLVM IR.
#[derive(Clone, Copy)]
pub(crate) struct Compiler {
    language: Language,
    /// Names under which it is installed; those of LLVM's programs may be followed by a version.
    names: &'static [&'static str],
    is_of_llvm: bool,
    /// Its arguments but for the file.
    arguments: &'static [&'static str],
    /// In place of the file, to read standard input: `None` if it cannot.
    standard_input: Option<&'static [&'static str]>,
}

const CLANG: &[&str] = &["-S", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "-o", "-"];

const ALL: [Compiler; 5] = [
    Compiler {
        language: Language::Bc,
        names: &["llvm-dis"],
        is_of_llvm: true,
        arguments: &["-o", "-"],
        standard_input: Some(&["-"]),
    },
    Compiler {
        language: Language::C,
        names: &["clang"],
        is_of_llvm: true,
        arguments: CLANG,
        standard_input: Some(&["-x", "c", "-"]),
    },
    Compiler {
        language: Language::Cpp,
        names: &["clang"],
        is_of_llvm: true,
        arguments: CLANG,
        standard_input: Some(&["-x", "c++", "-"]),
    },
    Compiler {
        language: Language::Rs,
        names: &["rustc"],
        is_of_llvm: false,
        // Functions that nothing calls are wanted, too.
        arguments: &[
            "--edition=2024",
            "--crate-type=lib",
            "--emit=llvm-ir",
            "-Cno-prepopulate-passes",
            "-Ccodegen-units=1",
            "-Clink-dead-code",
            "--cap-lints=allow",
            "-o",
            "-",
        ],
        standard_input: Some(&["--crate-name=input", "-"]),
    },
    Compiler {
        language: Language::F90,
        names: &["flang", "flang-new"],
        is_of_llvm: true,
        arguments: &["-S", "-emit-llvm", "-O0", "-o", "-"],
        standard_input: None,
    },
];

impl Compiler {
    /// The program that files in a language need; `None` if they need none.
    pub(crate) fn of(language: Language) -> Option<Self> {
        ALL.into_iter().find(|compiler| compiler.language == language)
    }

    /// A file, or what standard input had, as LLVM IR.
    ///
    /// # Errors
    /// A message, and what the program has printed.
    pub(crate) fn to_llvm(self, file: Option<&str>, bytes: &[u8]) -> Result<Vec<u8>, (String, String)> {
        let Self { language, arguments, .. } = self;
        // A name that starts with a hyphen would be an option.
        let file = file.map(|file| if file.starts_with('-') { format!("./{file}") } else { file.to_owned() });
        let operand: Vec<&str> = match (&file, self.standard_input) {
            (Some(file), _) => vec![file.as_str()],
            (None, Some(operand)) => operand.to_vec(),
            (None, None) => return Err((format!("{language} is not read from standard input"), String::new())),
        };
        for name in self.candidates() {
            let mut command = Command::new(&name);
            command.args(arguments).args(&operand);
            let output = match run(&mut command, if file.is_some() { &[] } else { bytes }) {
                Ok(output) => output,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err((format!("`{name}` cannot be run: {error}"), String::new())),
            };
            if output.status.success() {
                return Ok(output.stdout);
            }
            let printed = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
            return Err((format!("`{name}` failed: {}", output.status), printed));
        }
        let line = [self.names[0]].iter().chain(arguments).chain(&operand).copied().collect::<Vec<_>>().join(" ");
        Err((
            format!("{language} is read as LLVM IR, and `{}` is not installed: {line} > x.ll", self.names[0]),
            String::new(),
        ))
    }

    /// The names to try, in order.
    fn candidates(self) -> impl Iterator<Item = String> {
        let [newest, oldest] = if self.is_of_llvm { VERSIONS } else { [0, 1] };
        let versions = (oldest..=newest).rev();
        let with_version = move |name: &'static str| versions.clone().map(move |version| format!("{name}-{version}"));
        let plain = self.names.iter().map(|&name| name.to_owned());
        plain.chain(self.names.iter().flat_map(move |&name| with_version(name)))
    }
}

/// Runs a command with bytes as its standard input.
fn run(command: &mut Command, input: &[u8]) -> io::Result<std::process::Output> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let stdin = child.stdin.take();
    std::thread::scope(|scope| {
        // Written by another thread, for the program may print before it has read everything. One that does not read is no error.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
        child.wait_with_output()
    })
}
