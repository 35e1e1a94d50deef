//! A version of LLVM, unpacked from Debian's packages into a folder of its own.

use super::programs::Language;
use super::{Unit, output};
use crate::failure::Failure;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Versions whose compiler of Fortran is packaged.
const FORTRAN: [u32; 3] = [16, 19, 22];

/// The packages of a version.
fn packages(version: u32) -> Vec<String> {
    let mut packages: Vec<String> =
        ["clang-V", "llvm-V", "libllvmV", "libclang-cppV", "libclang-common-V-dev"].map(str::to_owned).into();
    if FORTRAN.contains(&version) {
        packages.extend(["flang-V", "libflang-V-dev"].map(str::to_owned));
    }
    if version >= 22 {
        packages.extend(["libmlir-V", "libquadmath0"].map(str::to_owned));
    }
    packages.iter().map(|name| name.replace('V', &version.to_string())).collect()
}

/// The programs of a version.
pub(super) struct Tools {
    version: u32,
    /// The folder of the programs, and those of the libraries.
    programs: PathBuf,
    libraries: String,
}

impl Tools {
    /// Downloads and unpacks a version, if it is not there.
    pub(super) fn bring(version: u32, folder: &Path) -> Result<Self, Failure> {
        let root = folder.join(format!("llvm-{version}"));
        let usr = root.join("usr").join("lib");
        let [programs, own] = ["bin", "lib"].map(|name| usr.join(format!("llvm-{version}")).join(name));
        let libraries = format!("{}:{}", usr.join("x86_64-linux-gnu").display(), own.display());
        let tools = Self { version, programs, libraries };
        if tools.programs.join("opt").exists() {
            return Ok(tools);
        }
        let archives = root.join("packages");
        fs::create_dir_all(&archives).map_err(Failure::file(&archives))?;
        output(Command::new("apt-get").arg("download").args(packages(version)).current_dir(&archives))?;
        for entry in fs::read_dir(&archives).map_err(Failure::file(&archives))? {
            let archive = entry.map_err(Failure::file(&archives))?.path();
            output(Command::new("dpkg").arg("-x").args([&archive, &root]))?;
        }
        Ok(tools)
    }

    /// One of its programs.
    pub(super) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command.env("LD_LIBRARY_PATH", &self.libraries);
        command
    }

    pub(super) fn version(&self) -> u32 {
        self.version
    }

    /// Whether files in a language can be compiled.
    pub(super) fn knows(&self, language: Language) -> bool {
        language == Language::C || FORTRAN.contains(&self.version)
    }

    /// Compiles a file of a program, in the folder of its sources, to IR with slots for all variables.
    pub(super) fn compile(&self, unit: Unit<'_>, target: &Path) -> Result<(), Failure> {
        let Unit { program, folder, source, flags } = unit;
        let (name, arguments): (_, &[&str]) = match program.language {
            Language::C => ("clang", &["-Xclang", "-disable-O0-optnone", "-w"]),
            Language::Fortran => ("flang-new", &[]),
        };
        let mut command = self.command(name);
        command.args(["-O0", "-S", "-emit-llvm"]).args(arguments).args(program.flags).args(flags);
        output(command.current_dir(folder).arg(source).arg("-o").arg(target))
    }

    /// Compiles IR to machine code at a level of optimization; `-O0` is without passes.
    pub(super) fn compile_ir(&self, source: &Path, level: &str, target: &Path) -> Result<(), Failure> {
        let mut command = self.command("llc");
        output(command.args([level, "-filetype=obj", "-relocation-model=pic"]).arg(source).arg("-o").arg(target))
    }

    /// Runs a pass.
    pub(super) fn opt(&self, pass: &str, source: &Path, target: &Path) -> Result<(), Failure> {
        output(&mut self.opt_command(pass, source, target))
    }

    /// The command that runs a pass.
    pub(super) fn opt_command(&self, pass: &str, source: &Path, target: &Path) -> Command {
        let mut command = self.command("opt");
        if self.version < 15 {
            command.arg("-enable-new-pm=1");
        }
        command.arg("-S").arg(format!("-passes={pass}")).arg(source).arg("-o").arg(target);
        command
    }
}
