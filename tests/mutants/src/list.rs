//! Reading the lists of mutants.

use super::Problem;
use toml::{Table, Value};

/// A mistake that is easily made.
#[derive(Debug, PartialEq, Eq)]
pub struct Mutant {
    /// What it is called.
    pub name: String,
    /// Where it is made: in one place, as a rule.
    pub(crate) edits: Vec<Edit>,
}

impl Mutant {
    /// The file that it changes first, relative to the workspace.
    pub fn file(&self) -> &str {
        self.edits.first().map_or("", |edit| &edit.file)
    }
}

/// One place where a mistake is made.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    /// The file, relative to the workspace.
    pub(crate) file: String,
    /// Text around the old one, if that stands in several places.
    pub(crate) within: Option<String>,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// Adds the mutants of a list to those of others.
pub(crate) fn read(list: &str, text: &str, mutants: &mut Vec<Mutant>) -> Vec<Problem> {
    let malformed = |message: String| vec![Problem::Toml { path: list.to_owned(), message }];
    let mut table: Table = match text.parse() {
        Ok(table) => table,
        Err(error) => return vec![Problem::toml(list, &error)],
    };
    let Some(Value::Array(entries)) = table.remove("mutant") else {
        return malformed("has no mutants".to_owned());
    };
    if let Some(key) = table.keys().next() {
        return malformed(format!("has `{key}`, which is unknown"));
    }
    let mut problems = Vec::new();
    for entry in &entries {
        let name = entry.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        match edits(entry) {
            Ok(_) if mutants.iter().any(|other| other.name == name) => {
                problems.push(Problem::Twice { list: list.to_owned(), name });
            }
            Ok(edits) => mutants.push(Mutant { name, edits }),
            Err(message) => problems.push(Problem::Mutant { list: list.to_owned(), name, message }),
        }
    }
    problems
}

/// The edits of a mutant: what it says itself, or its list of edits.
fn edits(entry: &Value) -> Result<Vec<Edit>, String> {
    for key in ["name", "about"] {
        word(entry, key)?;
    }
    match entry.get("edit") {
        None => Ok(vec![edit(entry, &["name", "about"])?]),
        Some(edits) => {
            only(entry, &["name", "about", "edit"])?;
            let edits = edits.as_array().ok_or("its `edit` is no list")?;
            edits.iter().map(|entry| edit(entry, &[])).collect()
        }
    }
}

fn edit(entry: &Value, others: &[&str]) -> Result<Edit, String> {
    only(entry, &[&["file", "within", "old", "new"], others].concat())?;
    let within = entry.get("within").map(|_| word(entry, "within")).transpose()?;
    let new = entry.get("new").and_then(Value::as_str).ok_or("has no `new`, which may be empty")?;
    Ok(Edit { file: word(entry, "file")?, within, old: word(entry, "old")?, new: new.to_owned() })
}

/// Refuses keys other than these.
fn only(entry: &Value, known: &[&str]) -> Result<(), String> {
    let mut keys = entry.as_table().into_iter().flat_map(Table::keys);
    let unknown = keys.find(|key| !known.contains(&key.as_str()));
    unknown.map_or(Ok(()), |key| Err(format!("has `{key}`, which is unknown")))
}

/// The text that the key has, which may not be blank.
fn word(entry: &Value, key: &str) -> Result<String, String> {
    let text = entry.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    text.map(str::to_owned).ok_or_else(|| format!("has no `{key}`"))
}

#[cfg(test)]
mod tests {
    use super::{Edit, Mutant, read};

    fn read_all(text: &str) -> (Vec<Mutant>, Vec<String>) {
        let mut mutants = Vec::new();
        let problems = read("a.toml", text, &mut mutants);
        (mutants, problems.iter().map(ToString::to_string).collect())
    }

    fn edit(file: &str, within: Option<&str>, old: &str, new: &str) -> Edit {
        let within = within.map(str::to_owned);
        Edit { file: file.to_owned(), within, old: old.to_owned(), new: new.to_owned() }
    }

    #[test]
    fn a_mutant_has_one_edit_or_a_list_of_them() {
        let (mutants, problems) = read_all(
            "[[mutant]]\nname = 'A'\nabout = 'One.'\nfile = 'a.rs'\nold = 'a;'\nnew = ''\n\
             [[mutant]]\nname = 'B'\nabout = 'Two.'\n\
             [[mutant.edit]]\nfile = 'a.rs'\nold = 'b'\nnew = 'c'\n\
             [[mutant.edit]]\nfile = 'b.rs'\nwithin = 'b + c'\nold = 'b'\nnew = 'c'\n",
        );
        let a = Mutant { name: "A".to_owned(), edits: vec![edit("a.rs", None, "a;", "")] };
        let b = vec![edit("a.rs", None, "b", "c"), edit("b.rs", Some("b + c"), "b", "c")];
        assert_eq!(mutants, [a, Mutant { name: "B".to_owned(), edits: b }]);
        assert_eq!(problems, [""; 0]);
    }

    #[test]
    fn what_is_wrong_with_a_list_is_said() {
        let (_, problems) = read_all("[[mutant]]\nname =");
        assert!(problems[0].starts_with("a.toml: TOML parse error at line 2, column 7: "), "{problems:?}");
        assert_eq!(read_all("").1, ["a.toml: has no mutants"]);
        assert_eq!(read_all("mutants = 1\n[[mutant]]").1, ["a.toml: has `mutants`, which is unknown"]);
    }

    #[test]
    fn what_is_wrong_with_a_mutant_is_said() {
        let of = |text: &str| read_all(&format!("[[mutant]]\nname = 'A'\n{text}")).1;
        assert_eq!(of(""), ["a.toml: mutant `A`: has no `about`"]);
        assert_eq!(of("about = 'It.'\nfile = 'a'\nnew = 'b'"), ["a.toml: mutant `A`: has no `old`"]);
        assert_eq!(of("about = 'It.'\nfile = 'a'\nold = ' '\nnew = 'b'"), ["a.toml: mutant `A`: has no `old`"]);
        assert_eq!(of("about = 'It.'\nfiel = 'a'"), ["a.toml: mutant `A`: has `fiel`, which is unknown"]);
        assert_eq!(of("about = 'It.'\nedit = 1"), ["a.toml: mutant `A`: its `edit` is no list"]);
        assert_eq!(
            of("about = 'It.'\nold = 'a'\n[[mutant.edit]]"),
            ["a.toml: mutant `A`: has `old`, which is unknown"]
        );
        assert_eq!(read_all("mutant = [1]").1, ["a.toml: mutant ``: has no `name`"]);
    }

    #[test]
    fn a_name_is_given_once() {
        let one = "[[mutant]]\nname = 'A'\nabout = 'It.'\nfile = 'a.rs'\nold = 'a;'\nnew = ''\n";
        let (mutants, problems) = read_all(&one.repeat(2));
        assert_eq!(mutants.len(), 1);
        assert_eq!(problems, ["a.toml: mutant `A`: another one has this name"]);
    }
}
