//! Links in Markdown files to other files of the repository.

use crate::tree::{File, Finding, Tree};

/// Every link to a file leads to one; addresses and anchors are not followed.
pub(crate) fn links_lead_somewhere(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.ending(".md") {
        for (line, target) in links(file) {
            let path = target.split('#').next().unwrap_or("");
            let leads = resolve(&file.path, path).is_some_and(|path| tree.exists(&path));
            if !leads && !path.is_empty() && !is_address(&target) {
                findings.push(file.finding(line, format!("links to `{target}`, which is not there")));
            }
        }
    }
    findings
}

/// The targets of all links of `file` outside code, and their lines.
fn links(file: &File) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    let mut in_code = false;
    for (number, line) in file.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code {
            let text = without_code(line);
            links.extend(targets(&text).into_iter().map(|target| (number, target)));
        }
    }
    links
}

/// `line` without what stands between backquotes.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// The targets of `[text](target "title")` and `[label]: target`.
fn targets(line: &str) -> Vec<String> {
    let definition = line.trim_start().starts_with('[').then(|| line.split_once("]: ")).flatten();
    let inline = line.split("](").skip(1).map(|rest| rest.split(')').next().unwrap_or(""));
    let all = inline.chain(definition.map(|(_, target)| target));
    all.filter_map(|target| target.split_whitespace().next())
        .map(|target| target.trim_matches(['<', '>']).to_owned())
        .collect()
}

fn is_address(target: &str) -> bool {
    target.contains("://") || target.starts_with("mailto:")
}

/// `target` as seen from the file `from`, or `None` where it leaves the repository.
fn resolve(from: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/').filter(|part| !part.is_empty()) {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::links_lead_somewhere;
    use crate::tree::findings;

    #[test]
    fn a_link_to_nowhere_is_found() {
        let book = "[up](../README.md#top) ![picture](picture.svg 'title') [folder](..)\n\
                    [gone](gone.md) and [out](../../outside.md)\n\
                    [label]: missing.md\n";
        let files = [("README.md", "[book](docs/book.md)"), ("docs/book.md", book), ("docs/picture.svg", "")];
        let expected = ["2: links to `gone.md`", "2: links to `../../outside.md`", "3: links to `missing.md`"];
        let expected = expected.map(|text| format!("docs/book.md:{text}, which is not there"));
        assert_eq!(findings(links_lead_somewhere, &files), expected);
    }

    #[test]
    fn addresses_anchors_and_code_are_left_alone() {
        let text = "[web](https://host.test/x) [here](#here) [mail](mailto:me@host.test) `[code](gone.md)`\n\
                    ```text\n[code](gone.md)\n```\n";
        assert!(findings(links_lead_somewhere, &[("README.md", text)]).is_empty());
    }
}
