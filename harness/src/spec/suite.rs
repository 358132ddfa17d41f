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

/// A case without its request.
#[derive(Deserialize)]
struct CaseHead {
    name: String,
    rules: Vec<String>,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    op: Option<String>,
}

/// The fields of a case that are neither its request nor its answer.
const HEAD: [&str; 4] = ["name", "rules", "note", "op"];

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
        for mut fields in read_cases(text)? {
            let head_fields = HEAD.iter().filter_map(|name| Some(((*name).to_owned(), fields.shift_remove(*name)?)));
            let head_fields: Map<String, Value> = head_fields.collect();
            let expect = fields.shift_remove("expect").ok_or("a case has an answer to expect")?;
            let head: CaseHead = serde_json::from_value(head_fields.into()).map_err(|error| error.to_string())?;
            let within = |error: String| format!("{}: {error}", head.name);
            if head.rules.is_empty() || head.note.as_ref().is_some_and(String::is_empty) {
                return Err(within("rules, and a note where there is one, are not empty".into()));
            }
            if !head.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-') {
                return Err(within("a name is lower-case words joined by hyphens".into()));
            }
            let question = Question::new(head.op.as_deref().unwrap_or(folder), fields).map_err(within)?;
            self.cases.push(Case { name: format!("{stem}/{}", head.name), rules: head.rules, question, expect });
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

/// The cases of a file. They are read with our own reader, since a case may hold any key.
fn read_cases(text: &str) -> Result<Vec<Map<String, Value>>, String> {
    let file = crate::json::parse(text.as_bytes()).map_err(|error| error.to_string())?;
    let Value::Object(mut file) = file else { return Err("a file is an object".into()) };
    let about = file.shift_remove("about").and_then(|about| about.as_str().map(str::len));
    let cases = match (about, file.shift_remove("cases"), file.keys().next()) {
        (Some(1..), Some(Value::Array(cases)), None) if !cases.is_empty() => cases,
        _ => return Err("a file says what it is about, has cases and nothing else".into()),
    };
    let case = |case| match case {
        Value::Object(fields) => Ok(fields),
        _ => Err("a case is an object".into()),
    };
    cases.into_iter().map(case).collect()
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
