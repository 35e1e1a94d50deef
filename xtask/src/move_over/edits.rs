//! Changes of published files that repeat nothing of them: lines that go are named by number.
//!
//! A text has a notice, then for each file its path and the SHA-256 that it has
//! as published, followed by the commands of `diff --rcs`: `d7 2` deletes two
//! lines from line 7 on, `a7 2` adds the two lines that follow it, after line 7.
//! Lines are numbered as published, in increasing order.

use sha2::{Digest, Sha256};

/// The changes of a crate.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Edits {
    pub(super) files: Vec<FileEdits>,
}

/// The changes of one file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FileEdits {
    /// From the crate's folder.
    pub(super) path: String,
    sha256: String,
    commands: Vec<Command>,
}

#[derive(Debug, PartialEq, Eq)]
enum Command {
    /// `first` counts from 1.
    Delete { first: usize, count: usize },
    /// After the line `after`, or at the top for 0.
    Add { after: usize, lines: Vec<String> },
}

impl Edits {
    /// The changes that a text lists.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut files: Vec<FileEdits> = Vec::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(file) = line.strip_prefix("file ") {
                let (path, sha256) = file.split_once(' ').ok_or(format!("`{line}` has no checksum"))?;
                files.push(FileEdits { path: path.to_owned(), sha256: sha256.to_owned(), commands: Vec::new() });
            } else if let Some(file) = files.last_mut()
                && !line.is_empty()
            {
                file.commands.push(Command::parse(line, &mut lines).ok_or(format!("`{line}` is no command"))?);
            }
        }
        if files.is_empty() { Err("no file is named".to_owned()) } else { Ok(Self { files }) }
    }

    /// How many lines go, and how many come.
    pub(super) fn num_lines(&self) -> (usize, usize) {
        let commands = self.files.iter().flat_map(|file| &file.commands);
        commands.fold((0, 0), |(go, come), command| match command {
            Command::Delete { count, .. } => (go + count, come),
            Command::Add { lines, .. } => (go, come + lines.len()),
        })
    }
}

impl Command {
    /// The command of `line`, with the lines it adds taken from `rest`.
    fn parse(line: &str, rest: &mut std::str::Lines<'_>) -> Option<Self> {
        let (kind, numbers) = line.split_at_checked(1)?;
        let (place, count) = numbers.split_once(' ')?;
        let (place, count) = (place.parse().ok()?, count.parse().ok()?);
        match kind {
            "d" => Some(Self::Delete { first: place, count }),
            "a" => {
                let lines: Vec<String> = rest.take(count).map(str::to_owned).collect();
                (lines.len() == count).then_some(Self::Add { after: place, lines })
            }
            _ => None,
        }
    }
}

impl FileEdits {
    /// The file changed; refused unless it is as it was published.
    pub(super) fn apply(&self, text: &str) -> Result<String, String> {
        let found: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
        if found != self.sha256 {
            return Err(format!("{}: another file than expected, of SHA-256 {found}", self.path));
        }
        let lines: Vec<&str> = text.lines().collect();
        let mut changed = Vec::new();
        let mut next = 0; // The first line of which nothing has been said.
        let mut keep = |changed: &mut Vec<String>, to: usize, go: usize| {
            let kept = lines.get(next..to).filter(|_| to + go <= lines.len());
            changed.extend(
                kept.ok_or(format!("{}: no lines {next} to {}", self.path, to + go))?.iter().map(ToString::to_string),
            );
            next = to + go;
            Ok::<(), String>(())
        };
        for command in &self.commands {
            match command {
                &Command::Delete { first, count } => keep(&mut changed, first.saturating_sub(1), count)?,
                // What was deleted just before may end at this line.
                Command::Add { after, lines } => {
                    keep(&mut changed, *after, 0)?;
                    changed.extend(lines.iter().cloned());
                }
            }
        }
        keep(&mut changed, lines.len(), 0)?;
        Ok(changed.iter().flat_map(|line| [line, "\n"]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Edits;

    const PUBLISHED: &str = "one\ntwo\nthree\nfour\n";
    const SHA256: &str = "c45d3a272228cc542168164ba961fa622e95260bfd107eb1276940cb5209433e";

    fn edits(commands: &str) -> Result<Edits, String> {
        Edits::parse(&format!("A notice.\n\nfile src/it.rs {SHA256}\n{commands}"))
    }

    fn applied(commands: &str) -> Result<String, String> {
        edits(commands)?.files[0].apply(PUBLISHED)
    }

    #[test]
    fn lines_go_and_come_where_they_are_named() {
        assert_eq!(applied("").unwrap(), PUBLISHED);
        assert_eq!(applied("a0 1\nzero\nd2 2\na3 2\n2\n\na4 1\nfive\n").unwrap(), "zero\none\n2\n\nfour\nfive\n");
        assert_eq!(edits("a0 1\nzero\nd2 2\n").unwrap().num_lines(), (2, 1));
    }

    #[test]
    fn what_does_not_apply_is_refused() {
        let edits = edits("d1 1\n").unwrap();
        assert!(edits.files[0].apply("one\n").unwrap_err().starts_with("src/it.rs: another file than expected"));
        assert_eq!(applied("d4 2\n").unwrap_err(), "src/it.rs: no lines 0 to 5");
        assert_eq!(applied("d3 1\nd2 1\n").unwrap_err(), "src/it.rs: no lines 3 to 2");
    }

    #[test]
    fn a_text_of_another_form_is_refused() {
        assert_eq!(Edits::parse("A notice.\n").unwrap_err(), "no file is named");
        assert_eq!(Edits::parse("file it").unwrap_err(), "`file it` has no checksum");
        assert_eq!(edits("c1 1\n").unwrap_err(), "`c1 1` is no command");
        assert_eq!(edits("a1 2\nx\n").unwrap_err(), "`a1 2` is no command");
    }
}
