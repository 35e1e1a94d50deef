//! Names that are valid in the language.

use crate::token::KEYWORDS;
use ssaphire_ir::basic::Type;
use ssaphire_ir::{Basic, Function, Variable};
use std::collections::{HashMap, HashSet};

/// The names of the variables of a function, all distinct.
#[derive(Debug)]
pub(super) struct Names {
    names: Vec<String>,
    types: Vec<Type>,
    taken: HashSet<String>,
    /// The last suffix used, by name.
    suffixes: HashMap<String, u32>,
    undefined: [Option<String>; 2],
    temporaries: [Option<String>; 2],
}

impl Names {
    pub(super) fn new(function: &Function<Basic>) -> Self {
        let mut names = Self {
            names: Vec::new(),
            types: Vec::new(),
            taken: HashSet::new(),
            suffixes: HashMap::new(),
            undefined: [None, None],
            temporaries: [None, None],
        };
        for variable in function.variables() {
            let name = names.unique(function.variable_name(variable));
            names.names.push(name);
            names.types.push(*function.variable_type(variable));
        }
        names
    }

    pub(super) fn variable(&self, variable: Variable) -> &str {
        &self.names[variable.index()]
    }

    /// A variable that is never written.
    pub(super) fn undefined(&mut self, ty: &Type) -> String {
        let place = usize::from(*ty == Type::Array);
        let name = self.undefined[place].clone().unwrap_or_else(|| self.unique("undefined"));
        self.undefined[place] = Some(name.clone());
        name
    }

    /// A temporary variable of the type of `like`.
    pub(super) fn temporary(&mut self, like: Variable) -> String {
        let place = usize::from(self.types.get(like.index()) == Some(&Type::Array));
        let name = self.temporaries[place].clone().unwrap_or_else(|| self.unique("t"));
        self.temporaries[place] = Some(name.clone());
        name
    }

    /// The arrays that need a declaration.
    pub(super) fn arrays(&self, function: &Function<Basic>) -> Vec<String> {
        let params: HashSet<Variable> = function.params().iter().filter_map(|param| param.variable).collect();
        let is_declared =
            |&variable: &Variable| self.types[variable.index()] == Type::Array && !params.contains(&variable);
        let own = function.variables().filter(is_declared).map(|variable| self.variable(variable).to_owned());
        let more = [&self.undefined[1], &self.temporaries[1]].into_iter().flatten().cloned();
        own.chain(more).collect()
    }

    /// Whether `name` is a valid name.
    pub(super) fn is_name(&self, name: &str) -> bool {
        let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
        name.chars().all(is_part)
            && name.starts_with(|first: char| !first.is_ascii_digit())
            && !KEYWORDS.contains(&name)
    }

    /// A valid and unused name similar to `wanted`.
    fn unique(&mut self, wanted: &str) -> String {
        let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let mut base: String =
            wanted.chars().map(|character| if is_part(character) { character } else { '_' }).collect();
        if !self.is_name(&base) {
            base.insert(0, '_');
        }
        let mut name = base.clone();
        // Remembering the last suffix keeps a thousand variables of one name from costing a million look-ups.
        let suffix = self.suffixes.entry(base.clone()).or_insert(1);
        while !self.taken.insert(name.clone()) {
            *suffix += 1;
            name = format!("{base}_{suffix}");
        }
        name
    }
}
