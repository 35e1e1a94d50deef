//! What is known of tests as they are, so that only what is transformed runs again.

use super::Mode;
use crate::node::{Answer, Phase};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The answers of tests as they are, for one revision of the suite, one version of node and one worker.
#[derive(Debug, Default)]
pub struct Cache {
    file: Option<PathBuf>,
    answers: BTreeMap<(String, &'static str), Answer>,
}

impl Cache {
    /// What `folder` has for answers that depend on `conditions`.
    ///
    /// # Errors
    /// If there is something that cannot be read.
    pub fn open(folder: &Path, conditions: &[&str]) -> io::Result<Self> {
        let file = folder.join(format!("{:016x}.tsv", fingerprint(conditions)));
        let text = match fs::read_to_string(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text?,
        };
        let answers = text.lines().filter_map(entry).collect();
        Ok(Self { file: Some(file), answers })
    }

    /// What node said of a test as it is.
    pub fn get(&self, name: &str, mode: Mode) -> Option<&Answer> {
        self.answers.get(&(name.to_owned(), mode.name()))
    }

    /// Forgets all answers.
    pub fn clear(&mut self) {
        self.answers.clear();
    }

    /// Adds answers.
    pub fn extend(&mut self, answers: impl IntoIterator<Item = (String, Mode, Answer)>) {
        self.answers.extend(answers.into_iter().map(|(name, mode, answer)| ((name, mode.name()), answer)));
    }

    /// Writes all answers to the file that they were read from.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let mut text = String::new();
        for ((name, mode), answer) in &self.answers {
            let message = answer.message.replace(['\n', '\r', '\t'], " ");
            text += &format!("{name}\t{mode}\t{}\t{}\t{message}\n", answer.phase.name(), answer.name);
        }
        file.parent().map_or(Ok(()), fs::create_dir_all)?;
        // Complete, or not at all.
        let temporary = file.with_extension("new");
        fs::write(&temporary, text)?;
        fs::rename(temporary, file)
    }
}

fn entry(line: &str) -> Option<((String, &'static str), Answer)> {
    let mut fields = line.split('\t');
    let name = fields.next()?.to_owned();
    let mode = Mode::named(fields.next()?)?;
    let phase = Phase::named(fields.next()?)?;
    let thrown = fields.next()?.to_owned();
    let message = fields.next()?.to_owned();
    Some(((name, mode.name()), Answer { phase, name: thrown, message, log: String::new() }))
}

/// FNV-1a of `parts`.
fn fingerprint(parts: &[&str]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::{Cache, fingerprint};
    use crate::node::{Answer, Phase};
    use crate::test262::Mode;
    use std::{env, fs, process};

    #[test]
    fn what_is_saved_is_found_under_the_same_conditions_alone() {
        let folder = env::temp_dir().join(format!("ssaphire-js-cache-{}", process::id()));
        let mut cache = Cache::open(&folder, &["a", "b"]).unwrap();
        let answer = Answer { message: "x\ty".to_owned(), ..Answer::without_words(Phase::Parse) };
        cache.extend([("t.js".to_owned(), Mode::Strict, answer)]);
        cache.save().unwrap();
        let again = Cache::open(&folder, &["a", "b"]).unwrap();
        assert_eq!(again.get("t.js", Mode::Strict).unwrap().message, "x y");
        assert_eq!(again.get("t.js", Mode::Sloppy), None);
        assert_eq!(Cache::open(&folder, &["a", "c"]).unwrap().get("t.js", Mode::Strict), None);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn conditions_do_not_run_together() {
        assert_ne!(fingerprint(&["ab", "c"]), fingerprint(&["a", "bc"]));
    }
}
