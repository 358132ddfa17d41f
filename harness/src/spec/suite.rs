//! Rules and cases, and whether they hang together.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::{fs, io};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::protocol::Question;

/// The files of `spec/`, as they were when this crate was built: names and texts.
const BUILT_IN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/cases.rs"));

/// The files that hold no cases.
const RULES: &str = "rules.json";
const SCHEMA: &str = "schema.json";

/// How many cases each rule has at least.
const CASES_A_RULE: usize = 3;

/// A documented rule.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Its name: machine, slash, words.
    pub id: String,
    /// What it says, in one sentence.
    pub says: String,
    /// Where it comes from.
    pub source: String,
}

/// A case: a question and its right answer.
#[derive(Clone, Debug)]
pub struct Case {
    /// Folder, file and name, joined by slashes.
    pub name: String,
    /// The rules that decide the answer.
    pub rules: Vec<String>,
    /// What is asked.
    pub question: Question,
    /// The right answer.
    pub expect: Value,
}

/// All rules and cases.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The rules, in order.
    pub rules: Vec<Rule>,
    /// The cases, in order.
    pub cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesFile {
    rules: Vec<Rule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    about: String,
    cases: Vec<Map<String, Value>>,
}

/// A case without its request.
#[derive(Deserialize)]
struct CaseHead {
    name: String,
    rules: Vec<String>,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    op: Option<String>,
    expect: Value,
}

/// The fields of a case that are not its request.
const HEAD: [&str; 5] = ["name", "rules", "note", "op", "expect"];

impl Suite {
    /// The suite that is built in.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it, a line each.
    pub fn built_in() -> Result<Self, String> {
        Self::new(BUILT_IN.iter().map(|(name, text)| (String::from(*name), String::from(*text))))
    }

    /// The suite in a folder.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it, a line each.
    pub fn load(folder: &Path) -> Result<Self, String> {
        let mut files = Vec::new();
        read_folder(folder, "", &mut files).map_err(|error| format!("{}: {error}", folder.display()))?;
        Self::new(files)
    }

    fn new(files: impl IntoIterator<Item = (String, String)>) -> Result<Self, String> {
        let mut suite = Self::default();
        let mut problems = Vec::new();
        for (name, text) in files {
            if name == RULES {
                match serde_json::from_str::<RulesFile>(&text) {
                    Ok(file) => suite.rules = file.rules,
                    Err(error) => problems.push(format!("{name}: {error}")),
                }
            } else if name != SCHEMA {
                suite.add_file(&name, &text).unwrap_or_else(|error| problems.push(format!("{name}: {error}")));
            }
        }
        suite.check(&mut problems);
        if problems.is_empty() { Ok(suite) } else { Err(problems.join("\n")) }
    }

    fn add_file(&mut self, name: &str, text: &str) -> Result<(), String> {
        let stem = name.strip_suffix(".json").ok_or("not a JSON file")?;
        let (folder, _) = stem.split_once('/').ok_or("case files lie in the folder of their machine")?;
        let file: CaseFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if file.about.is_empty() || file.cases.is_empty() {
            return Err("a file says what it is about and has cases".into());
        }
        for mut fields in file.cases {
            let head: CaseHead = serde_json::from_value(fields.clone().into()).map_err(|error| error.to_string())?;
            let within = |error: String| format!("{}: {error}", head.name);
            if head.rules.is_empty() || head.note.as_ref().is_some_and(String::is_empty) {
                return Err(within("rules, and a note where there is one, are not empty".into()));
            }
            if !head.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-') {
                return Err(within("a name is lower-case words joined by hyphens".into()));
            }
            fields.retain(|field, _| !HEAD.contains(&field.as_str()));
            let question = Question::new(head.op.as_deref().unwrap_or(folder), fields).map_err(within)?;
            self.cases.push(Case {
                name: format!("{stem}/{}", head.name),
                rules: head.rules,
                question,
                expect: head.expect,
            });
        }
        Ok(())
    }

    fn check(&self, problems: &mut Vec<String>) {
        let mut cases_of: HashMap<&str, usize> = HashMap::new();
        for rule in &self.rules {
            if cases_of.insert(&rule.id, 0).is_some() {
                problems.push(format!("{RULES}: {} stands there twice", rule.id));
            }
            if rule.says.is_empty() || rule.source.is_empty() {
                problems.push(format!("{RULES}: {} lacks a sentence or its source", rule.id));
            }
        }
        let mut names = HashSet::new();
        for case in &self.cases {
            let folder = case.name.split('/').next();
            let name = case.name.rsplit('/').next();
            if !names.insert((folder, name)) {
                problems.push(format!("{}: another case of this machine has its name", case.name));
            }
            for rule in &case.rules {
                match cases_of.get_mut(rule.as_str()) {
                    Some(count) => *count += 1,
                    None => problems.push(format!("{}: there is no rule {rule}", case.name)),
                }
            }
        }
        for rule in &self.rules {
            let count = cases_of.get(rule.id.as_str()).copied().unwrap_or_default();
            if count < CASES_A_RULE {
                problems.push(format!("{RULES}: {} has {count} cases, not {CASES_A_RULE}", rule.id));
            }
        }
    }

    /// Leaves only the cases whose names hold one of `parts`.
    pub fn retain(&mut self, parts: &[String]) {
        self.cases.retain(|case| parts.iter().any(|part| case.name.contains(part.as_str())));
    }
}

fn read_folder(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let path = entry.path();
        if path.is_dir() {
            read_folder(&path, &format!("{name}/"), files)?;
        } else if path.extension().is_some_and(|extension| extension == "json") {
            files.push((name, fs::read_to_string(path)?));
        }
    }
    Ok(())
}
