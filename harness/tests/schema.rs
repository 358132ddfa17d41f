//! The JSON Schema of case files says what the files are.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_case_file_is_valid_and_a_wrong_one_is_not() {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec");
    let schema = jsonschema::validator_for(&read(&spec.join("schema.json"))).expect("a schema");
    let mut files = 0;
    for folder in fs::read_dir(&spec).expect("the cases").map(|entry| entry.expect("an entry").path()) {
        for file in fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path()) {
            let problems: Vec<String> = schema.iter_errors(&read(&file)).map(|error| error.to_string()).collect();
            assert!(problems.is_empty(), "{}: {problems:?}", file.display());
            files += 1;
        }
    }
    assert!(files > 10, "the cases were found");
    let case = json!({"name": "n", "rules": ["filter/identity"], "text": "", "expect": null});
    assert!(schema.is_valid(&json!({"about": "x", "cases": [case]})));
    for wrong in [json!({"hex": "0"}), json!({"name": "A b"}), json!({"surprise": 1}), json!({"rules": []})] {
        let mut case = case.clone();
        case.as_object_mut().expect("an object").extend(wrong.as_object().expect("an object").clone());
        assert!(!schema.is_valid(&json!({"about": "x", "cases": [case]})), "{wrong}");
    }
}
