//! Large files that no compiler writes: functions of very many blocks or slots, and very long lines.
//!
//! The smaller files show that the work is linear, by the instructions that callgrind counts; the largest are measured by their time
//! and memory.

use super::instructions::executed;
use crate::failure::Failure;
use crate::workspace::{Workspace, could_not_start};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::process::Command;

/// The head of the table.
const HEAD: &str = "file          size      bytes   instructions  per byte  seconds       MB";

/// Twice the size may take so many times as many instructions.
const MOST_GROWTH: f64 = 2.3;

/// A family of files.
struct Family {
    name: &'static str,
    write: fn(usize, &mut dyn io::Write) -> io::Result<()>,
    /// The size of the file for which instructions are counted; twice as much is tried, too.
    counted: usize,
    /// The size of the largest.
    largest: usize,
}

/// The number of families.
pub(super) const NUM_FAMILIES: usize = FAMILIES.len();

const FAMILIES: [Family; 3] = [
    Family { name: "blocks", write: blocks, counted: 10_000, largest: 1_000_000 },
    Family { name: "slots", write: slots, counted: 10_000, largest: 1_000_000 },
    Family { name: "one line", write: line, counted: 500_000, largest: 12_500_000 },
];

/// Measures all families, and returns how many do not grow linearly.
pub(super) fn run(workspace: &Workspace, ours: &Path, folder: &Path) -> Result<usize, Failure> {
    files(workspace)?;
    println!("{HEAD}");
    let folder = folder.join("hostile");
    fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
    let mut num_superlinear = 0;
    for family in &FAMILIES {
        let sizes = [family.counted, 2 * family.counted];
        let mut counts = Vec::new();
        for size in sizes {
            let (bytes, count) = family.instructions(size, ours, &folder)?;
            println!("{:10} {size:>8} {bytes:>10} {count:>14} {:>9.0}", family.name, count as f64 / bytes as f64);
            counts.push(count as f64);
        }
        if counts[1] > MOST_GROWTH * counts[0] {
            println!("  more than linear");
            num_superlinear += 1;
        }
        println!("{}", family.largest(ours, &folder)?);
    }
    Ok(num_superlinear)
}

/// Runs the test of small hostile files on all of them.
fn files(workspace: &Workspace) -> Result<(), Failure> {
    let mut command = workspace.cargo();
    command.args(["test", "--release", "--locked", "--package", "ssaphire-llvm", "--test", "it", "hostile_files"]);
    command.args(["--", "--nocapture"]).env("SSAPHIRE_LLVM_HOSTILE", "1");
    let status = command.status().map_err(|error| could_not_start("cargo", error))?;
    if status.success() { Ok(()) } else { Err(Failure::step("hostile files", status)) }
}

impl Family {
    /// Writes the file of a size, and returns the command that promotes it, with the length of the file.
    fn command(&self, size: usize, ours: &Path, folder: &Path) -> Result<(Command, u64), Failure> {
        let path = folder.join(format!("{}.ll", self.name.replace(' ', "-")));
        let write = || {
            let mut file = BufWriter::new(File::create(&path)?);
            (self.write)(size, &mut file)?;
            file.flush()?;
            fs::metadata(&path)
        };
        let len = write().map_err(Failure::file(&path))?.len();
        let mut command = Command::new(ours);
        command.args(["opt", "-q"]).arg(&path).arg("-o").arg(path.with_extension("out.ll"));
        Ok((command, len))
    }

    fn instructions(&self, size: usize, ours: &Path, folder: &Path) -> Result<(u64, u64), Failure> {
        let (command, len) = self.command(size, ours, folder)?;
        Ok((len, executed(&command, &folder.join("callgrind.out"))?))
    }

    /// The line of the largest file in the table.
    fn largest(&self, ours: &Path, folder: &Path) -> Result<String, Failure> {
        let (command, len) = self.command(self.largest, ours, folder)?;
        let mut timed = Command::new("/usr/bin/time");
        timed.args(["-f", "%e %M"]).arg(command.get_program()).args(command.get_args());
        let output = timed.output().map_err(|error| could_not_start("/usr/bin/time", error))?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let measured = text.lines().last().and_then(|line| line.split_once(' '));
        let (true, Some((seconds, kilobytes))) = (output.status.success(), measured) else {
            return Err(Failure::command(format!("{timed:?}"), &output));
        };
        let megabytes = kilobytes.parse::<u64>().unwrap_or(0) / 1000;
        let mut line = format!("{:10} {:>8} {len:>10}", self.name, self.largest);
        // Writing to a string does not fail.
        let _ = write!(line, " {:>24} {seconds:>8} {megabytes:>8}", "");
        Ok(line)
    }
}

/// A function of so many blocks, each of which reads and writes a slot and may jump far back.
fn blocks(size: usize, out: &mut dyn io::Write) -> io::Result<()> {
    out.write_all(
        b"define i32 @f(i1 %c, i32 %x) {\nentry:\n  %s = alloca i32\n  store i32 %x, ptr %s\n  br label %b0\n\n",
    )?;
    for block in 0..size {
        let (next, back) = (block + 1, block / 2);
        writeln!(out, "b{block}:\n  %v{block} = load i32, ptr %s\n  %w{block} = add i32 %v{block}, 1")?;
        writeln!(out, "  store i32 %w{block}, ptr %s\n  br i1 %c, label %b{next}, label %b{back}\n")?;
    }
    writeln!(out, "b{size}:\n  %r = load i32, ptr %s\n  ret i32 %r\n}}")
}

/// A function of so many slots, with a phi for each.
fn slots(size: usize, out: &mut dyn io::Write) -> io::Result<()> {
    out.write_all(b"declare void @p(i32)\n\ndefine void @f(i1 %c, i32 %x) {\nentry:\n")?;
    (0..size).try_for_each(|slot| writeln!(out, "  %s{slot} = alloca i32"))?;
    (0..size).try_for_each(|slot| writeln!(out, "  store i32 %x, ptr %s{slot}"))?;
    out.write_all(b"  br i1 %c, label %a, label %b\n\na:\n")?;
    (0..size).try_for_each(|slot| writeln!(out, "  store i32 {slot}, ptr %s{slot}"))?;
    out.write_all(b"  br label %b\n\nb:\n")?;
    let use_ = |slot| format!("  %v{slot} = load i32, ptr %s{slot}\n  call void @p(i32 %v{slot})\n");
    (0..size).try_for_each(|slot| out.write_all(use_(slot).as_bytes()))?;
    out.write_all(b"  ret void\n}\n")
}

/// A call with so many arguments, in one line.
fn line(size: usize, out: &mut dyn io::Write) -> io::Result<()> {
    out.write_all(b"declare void @g(...)\n\ndefine void @f(i32 %x) {\n  %s = alloca i32\n  store i32 %x, ptr %s\n")?;
    out.write_all(b"  %v = load i32, ptr %s\n  call void (...) @g(")?;
    (0..size).try_for_each(|_| out.write_all(b"i32 %v, "))?;
    out.write_all(b"i32 %v)\n  ret void\n}\n")
}

#[cfg(test)]
mod tests {
    use super::FAMILIES;

    #[test]
    fn files_grow_with_their_size() {
        for family in &FAMILIES {
            let len = |size| {
                let mut text = Vec::new();
                (family.write)(size, &mut text).unwrap();
                text.len()
            };
            assert!(len(200) > len(100) + 100, "{}", family.name);
        }
    }
}
