//! Whether it is our builder that the crate is compiled on: what cargo says of the packages.

use super::MOVED;
use super::manifest::{OURS, THEIRS};
use serde_json::Value;

/// Our builder, by name and version, if `MOVED` is compiled on it and nothing on the other one.
pub(super) fn builder_of_moved(metadata: &Value) -> Result<String, String> {
    let packages = metadata["packages"].as_array().ok_or("cargo names no packages")?;
    let named = |name: &str| packages.iter().filter(|package| package["name"] == name).collect::<Vec<_>>();
    if let [theirs, ..] = named(THEIRS)[..] {
        return Err(format!("{THEIRS} {} is compiled, too", theirs["version"].as_str().unwrap_or("")));
    }
    let [moved] = named(MOVED)[..] else { return Err(format!("{MOVED} is there {} times", named(MOVED).len())) };
    let [ours] = named(OURS)[..] else { return Err(format!("{OURS} is there {} times", named(OURS).len())) };
    // What comes from a registry says which one.
    for package in [moved, ours] {
        if !package["source"].is_null() {
            return Err(format!("{} is a published one", package["name"].as_str().unwrap_or("")));
        }
    }
    let nodes = metadata["resolve"]["nodes"].as_array().ok_or("cargo names no nodes")?;
    let node = nodes.iter().find(|node| node["id"] == moved["id"]).ok_or(format!("{MOVED} has no node"))?;
    let depends = node["dependencies"].as_array().is_some_and(|ids| ids.contains(&ours["id"]));
    if !depends {
        return Err(format!("{MOVED} does not depend on {OURS}"));
    }
    Ok(format!("{OURS} {}", ours["version"].as_str().unwrap_or("")))
}

#[cfg(test)]
mod tests {
    use super::builder_of_moved;
    use serde_json::{Value, json};

    fn package(name: &str, source: Option<&str>) -> Value {
        json!({ "name": name, "id": name, "version": "1.2.3", "source": source })
    }

    fn metadata(packages: &[Value], dependencies: &[&str]) -> Value {
        let node = json!({ "id": "wasmtime-internal-cranelift", "dependencies": dependencies });
        json!({ "packages": packages, "resolve": { "nodes": [node] } })
    }

    #[test]
    fn only_our_builder_will_do() {
        let moved = package("wasmtime-internal-cranelift", None);
        let ours = package("ssaphire-cranelift", None);
        let published = package("wasmtime-internal-cranelift", Some("registry"));
        let theirs = package("cranelift-frontend", Some("registry"));
        let check = |packages: &[&Value], dependencies: &[&str]| {
            let packages: Vec<Value> = packages.iter().map(|&package| package.clone()).collect();
            builder_of_moved(&metadata(&packages, dependencies))
        };
        let on_ours = ["ssaphire-cranelift"];
        assert_eq!(check(&[&moved, &ours], &on_ours).unwrap(), "ssaphire-cranelift 1.2.3");
        let cases: [(&[&Value], &[&str], &str); 5] = [
            (&[&moved, &ours, &theirs], &on_ours, "cranelift-frontend 1.2.3 is compiled, too"),
            (&[&published, &ours], &on_ours, "wasmtime-internal-cranelift is a published one"),
            (&[&published, &moved, &ours], &on_ours, "wasmtime-internal-cranelift is there 2 times"),
            (&[&moved], &on_ours, "ssaphire-cranelift is there 0 times"),
            (&[&moved, &ours], &[], "wasmtime-internal-cranelift does not depend on ssaphire-cranelift"),
        ];
        for (packages, dependencies, problem) in cases {
            assert_eq!(check(packages, dependencies).unwrap_err(), problem);
        }
    }
}
