//! `cargo xtask licenses`: every package of the lock file may be used under a license that `deny.toml` allows.

use crate::failure::Failure;
use crate::workspace::Workspace;
use serde_json::Value;
use spdx::{Expression, LicenseReq, ParseMode};
use std::fs;
use toml::Table;

/// Checks all packages, those of tests and benchmarks included.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let path = workspace.root().join("deny.toml");
    let text = fs::read_to_string(&path).map_err(Failure::file(&path))?;
    let allowed = allowed(&text).map_err(|problem| Failure::Manifest { path, problem })?;
    let metadata = workspace.metadata(&["--locked"])?;
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    let refused: Vec<String> = packages.iter().filter_map(|package| refusal(package, &allowed)).collect();
    if !refused.is_empty() {
        return Err(Failure::NotLicensed(refused));
    }
    println!("{} packages, all under licenses that deny.toml allows", packages.len());
    Ok(())
}

/// The licenses that `deny.toml` allows.
fn allowed(text: &str) -> Result<Vec<LicenseReq>, String> {
    let manifest: Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
    let list = manifest.get("licenses").and_then(|licenses| licenses.get("allow")?.as_array());
    let mut allowed = Vec::new();
    for name in list.ok_or("no [licenses] allow")?.iter().filter_map(|name| name.as_str()) {
        let expression = Expression::parse(name).map_err(|error| error.to_string())?;
        allowed.extend(expression.requirements().map(|found| found.req.clone()));
    }
    Ok(allowed)
}

/// What is wrong with the license of a package, as cargo tells it.
fn refusal(package: &Value, allowed: &[LicenseReq]) -> Option<String> {
    let name = format!("{} {}", package["name"].as_str()?, package["version"].as_str()?);
    let Some(license) = package["license"].as_str() else { return Some(format!("{name}: names no license")) };
    match Expression::parse_mode(license, ParseMode::LAX) {
        Ok(expression) if expression.evaluate(|needed| allowed.contains(needed)) => None,
        Ok(_) => Some(format!("{name}: {license}")),
        Err(error) => Some(format!("{name}: {license}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{allowed, refusal};
    use serde_json::json;

    #[test]
    fn one_license_of_several_is_enough_and_all_of_a_sum_are_needed() {
        let allowed = allowed("[licenses]\nallow = ['MIT', 'Apache-2.0 WITH LLVM-exception']").unwrap();
        let refusal =
            |license: Option<&str>| refusal(&json!({ "name": "it", "version": "1.2.3", "license": license }), &allowed);
        for license in ["MIT", "GPL-3.0-only OR MIT", "MIT/Apache-2.0", "Apache-2.0 WITH LLVM-exception"] {
            assert_eq!(refusal(Some(license)), None);
        }
        assert_eq!(refusal(Some("Apache-2.0")).unwrap(), "it 1.2.3: Apache-2.0");
        assert_eq!(refusal(Some("MIT AND GPL-3.0-only")).unwrap(), "it 1.2.3: MIT AND GPL-3.0-only");
        assert_eq!(refusal(None).unwrap(), "it 1.2.3: names no license");
        assert!(refusal(Some("like MIT")).unwrap().starts_with("it 1.2.3: like MIT: "));
    }

    #[test]
    fn a_list_is_needed() {
        assert_eq!(allowed("[bans]").unwrap_err(), "no [licenses] allow");
        assert!(allowed("[licenses]\nallow = ['ours']").is_err());
    }
}
