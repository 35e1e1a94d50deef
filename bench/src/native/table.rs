//! The comparison as tables.

use super::{Execution, Quality, Refused, Way, execute};
use crate::cachegrind;
use crate::failure::Failure;
use crate::measure;
use crate::record::Record;
use crate::table::{Table, thousands};
use cranelift_codegen::isa::TargetIsa;
use ssaphire_jit::host_isa;
use ssaphire_jit::wasm::Traps;
use ssaphire_wasm::Module;
use std::env;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// How code ends early: as it is called on the command line and in the record, and what it is.
pub const FORMS: [(&str, Traps); 2] = [("traps", Traps::Instructions), ("branches", Traps::Returned)];

/// One way of one form of a module.
#[derive(Clone, Debug)]
struct Line {
    way: Way,
    /// Instructions of one more translation of the module.
    instructions: Option<u64>,
    /// The shortest time of a translation.
    time: Duration,
    /// Of those that are right.
    quality: Option<Quality>,
}

/// One form of a module, each way.
#[derive(Clone, Debug)]
pub struct Form {
    name: &'static str,
    lines: Vec<Line>,
}

/// A module with what came of it.
#[derive(Clone, Debug)]
pub struct Comparison {
    name: String,
    forms: Vec<Form>,
    /// What the functions do, or why they cannot be run: a module may want more of its host than there is.
    execution: Result<Execution, String>,
}

impl Comparison {
    /// Translates a module each way, compiles it, and runs its functions. Counting instructions takes minutes.
    ///
    /// # Errors
    /// If the module cannot be read, or not be translated or run.
    pub fn measure(name: &str, file: &Path, runs: usize, counts: bool) -> Result<Self, Failure> {
        let failed = |message: String| Failure::Program { program: name.to_owned(), message };
        let bytes = fs::read(file).map_err(Failure::file(file))?;
        let module = Module::parse_without_bodies(bytes).map_err(|error| failed(error.to_string()))?;
        let isa = host_isa(true, false).map_err(|error| failed(error.to_string()))?;
        let mut forms = Vec::new();
        for (form, traps) in FORMS {
            let lines = lines(&module, traps, runs, &*isa).map_err(|refused| failed(refused.to_string()))?;
            forms.push(Form { name: form, lines });
        }
        if counts {
            for form in &mut forms {
                for line in &mut form.lines {
                    line.instructions = Some(instructions(line.way, form.name, file)?);
                }
            }
        }
        let execution = execute(&module).map_err(|error| error.to_string());
        Ok(Self { name: name.to_owned(), forms, execution })
    }

    /// The forms, in the order of [`FORMS`].
    pub fn forms(&self) -> &[Form] {
        &self.forms
    }

    /// What the functions do.
    ///
    /// # Errors
    /// Why they cannot be run.
    pub fn execution(&self) -> Result<&Execution, &str> {
        self.execution.as_ref().map_err(String::as_str)
    }

    /// What is wrong, in words: refused functions, more parameters than the other builder, other results.
    pub fn findings(&self) -> Vec<String> {
        let mut findings = self.execution().map_or(Vec::new(), |execution| execution.differences.clone());
        findings.extend(self.forms.iter().flat_map(Form::findings));
        findings
    }

    /// The tables.
    pub fn table(&self) -> String {
        let tables: Vec<String> = self.forms.iter().map(|form| form.table(&self.name)).collect();
        format!("{}\n{}", tables.join("\n"), self.summary())
    }

    /// What came of the calls, in words.
    fn summary(&self) -> String {
        match &self.execution {
            Ok(execution) => format!("{execution}\n"),
            Err(reason) => format!("no calls: {reason}\n"),
        }
    }

    /// Adds every figure to the record.
    pub fn add_to(&self, record: &mut Record) {
        for form in &self.forms {
            form.add_to(&format!("{}, {}", self.name, form.name), record);
        }
        let Ok(Execution { returned, trapped, limited, imports, differences, .. }) = &self.execution else { return };
        let mut add = |measure, value: u64| record.add("native", &self.name, "both", measure, value as f64);
        add("calls returned", *returned);
        add("calls trapped", *trapped);
        add("calls at a limit", *limited);
        add("calls at an import", *imports);
        add("differences", differences.len() as u64);
    }
}

impl Form {
    fn line(&self, way: Way) -> Option<&Line> {
        self.lines.iter().find(|line| line.way == way)
    }

    /// Instructions that a way with a right result takes beyond another.
    fn beyond(&self, less: Way, way: Way) -> Option<u64> {
        let less = self.line(less)?.instructions?;
        self.line(way)?.instructions?.checked_sub(less).filter(|_| Way::RIGHT.contains(&way))
    }

    /// Instructions that a way takes beyond the skeleton.
    pub fn share(&self, way: Way) -> Option<u64> {
        self.beyond(Way::Skeleton, way)
    }

    /// Block parameters of all functions, as built and after `remove_constant_phis`.
    pub fn num_params(&self, way: Way) -> Option<(u64, u64)> {
        let quality = self.line(way)?.quality.as_ref()?;
        Some((quality.params.iter().sum(), quality.params_left.iter().sum()))
    }

    fn findings(&self) -> Vec<String> {
        let mut findings = Vec::new();
        for line in &self.lines {
            let refused = line.quality.as_ref().map_or(0, |quality| quality.refused);
            if refused > 0 {
                findings.push(format!("{}: {refused} functions of {} are refused", self.name, line.way.name()));
            }
        }
        let quality = |way| self.line(way).and_then(|line| line.quality.as_ref());
        if let (Some(ours), Some(theirs)) = (quality(Way::Ours), quality(Way::Cranelift)) {
            let worse = ours.num_worse_than(theirs);
            if worse > 0 {
                findings.push(format!("{}: {worse} functions have more block parameters", self.name));
            }
        }
        findings
    }

    fn table(&self, module: &str) -> String {
        let headings = [
            "params",
            "after remove_constant_phis",
            "translate, M instructions",
            "beyond no builder",
            "SSA share",
            "of ours",
            "translate ms",
            "compile s",
            "code KB",
        ];
        let mut table = Table::new([format!("{module}, {}", self.name)].into_iter().chain(headings.map(str::to_owned)));
        for line in &self.lines {
            table.line(self.cells(line));
        }
        table.to_string()
    }

    fn cells(&self, line: &Line) -> Vec<String> {
        let millions = |count: Option<u64>| count.map_or(String::new(), |count| format!("{:.1}", count as f64 / 1e6));
        let quality = line.quality.as_ref();
        let sum = |params: &Vec<u64>| thousands(params.iter().sum());
        let ratio = self.share(line.way).zip(self.share(Way::Ours)).filter(|&(_, ours)| ours > 0);
        vec![
            line.way.name().to_owned(),
            quality.map_or(String::new(), |quality| sum(&quality.params)),
            quality.map_or(String::new(), |quality| sum(&quality.params_left)),
            millions(line.instructions),
            millions(self.beyond(Way::Bare, line.way)),
            millions(self.share(line.way)),
            ratio.map_or(String::new(), |(share, ours)| format!("{:.2}x", share as f64 / ours as f64)),
            format!("{:.1}", line.time.as_secs_f64() * 1e3),
            quality.map_or(String::new(), |quality| format!("{:.2}", quality.compile_time.as_secs_f64())),
            quality.map_or(String::new(), |quality| thousands(quality.code_size / 1_000)),
        ]
    }

    fn add_to(&self, input: &str, record: &mut Record) {
        for line in &self.lines {
            let mut add = |measure, value| record.add("native", input, line.way.name(), measure, value);
            add("translate milliseconds", line.time.as_secs_f64() * 1e3);
            if let Some(instructions) = line.instructions {
                add("translate instructions", instructions as f64);
            }
            if let Some(quality) = &line.quality {
                add("functions", quality.functions as f64);
                add("refused", quality.refused as f64);
                add("params", quality.params.iter().sum::<u64>() as f64);
                add("params after remove_constant_phis", quality.params_left.iter().sum::<u64>() as f64);
                add("compile seconds", quality.compile_time.as_secs_f64());
                add("code bytes", quality.code_size as f64);
            }
        }
    }
}

/// Translates a module each way, and compiles it where the result is right.
fn lines(module: &Module, traps: Traps, runs: usize, isa: &dyn TargetIsa) -> Result<Vec<Line>, Refused> {
    let mut lines = Vec::new();
    for way in Way::ALL {
        let quality = Way::RIGHT.contains(&way).then(|| Quality::measure(way, module, traps, isa)).transpose()?;
        lines.push(Line { way, instructions: None, time: Duration::MAX, quality });
    }
    for _ in 0..runs {
        for line in &mut lines {
            let translate = || line.way.translate(module, isa.frontend_config(), traps, |_, _| ());
            let (result, time) = measure::time(translate);
            result?;
            line.time = time.min(line.time);
        }
    }
    Ok(lines)
}

/// The instructions of one more translation, by this program under Valgrind.
fn instructions(way: Way, form: &str, file: &Path) -> Result<u64, Failure> {
    let program = env::current_exe().map_err(Failure::Run)?;
    let arguments = |times: &'static str| {
        let words = ["native-count".as_ref(), way.name().as_ref(), times.as_ref(), form.as_ref(), file.as_os_str()];
        words.map(ToOwned::to_owned)
    };
    Ok(cachegrind::difference(&program, arguments)?.total())
}
