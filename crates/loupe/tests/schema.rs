//! The schemas of `docs` describe what `loupe run --json`, `loupe try --json` and `loupe leaks --json` write, to the last key.

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// What a value has that its schema does not allow. Of JSON Schema this knows what our schemas use, and refuses the rest.
struct Validator<'a> {
    root: &'a Value,
    complaints: Vec<String>,
}

impl Validator<'_> {
    fn complain(&mut self, path: &str, what: impl std::fmt::Display) {
        self.complaints.push(format!("{path}: {what}"));
    }

    fn check(&mut self, path: &str, value: &Value, schema: &Value) {
        for (keyword, given) in schema.as_object().expect("a schema is an object") {
            match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" | "properties" => {}
                "$ref" => {
                    let name = given.as_str().and_then(|name| name.strip_prefix("#/$defs/")).expect("a name of $defs");
                    let defined = self.root["$defs"][name].clone();
                    self.check(path, value, &defined);
                }
                "type" if is_of_types(value, given) => {}
                "const" if value == given => {}
                "enum" if given.as_array().is_some_and(|list| list.contains(value)) => {}
                "minimum" if value.as_f64() >= given.as_f64() => {}
                "minItems" if value.as_array().map(|list| list.len() as u64) >= given.as_u64() => {}
                "maxItems" if value.as_array().map(|list| list.len() as u64) <= given.as_u64() => {}
                "anyOf" if self.fits_one(value, given) => {}
                "type" | "const" | "enum" | "minimum" | "minItems" | "maxItems" | "anyOf" => {
                    self.complain(path, format_args!("{value} is not of {keyword} {given}"));
                }
                "required" => {
                    for name in given.as_array().expect("a list") {
                        if value.get(name.as_str().expect("a name")).is_none() {
                            self.complain(path, format_args!("{name} is missing"));
                        }
                    }
                }
                "additionalProperties" => self.check_members(path, value, schema),
                "items" => self.check_items(path, value, &mut std::iter::repeat(given)),
                "prefixItems" => self.check_items(path, value, &mut given.as_array().expect("a list").iter()),
                other => panic!("{path}: the keyword {other} is not known here"),
            }
        }
    }

    fn fits_one(&self, value: &Value, schemas: &Value) -> bool {
        schemas.as_array().expect("a list").iter().any(|schema| {
            let mut trial = Validator { root: self.root, complaints: Vec::new() };
            trial.check("", value, schema);
            trial.complaints.is_empty()
        })
    }

    fn check_members(&mut self, path: &str, value: &Value, schema: &Value) {
        for (name, member) in value.as_object().into_iter().flatten() {
            match schema["properties"].get(name) {
                Some(schema) => self.check(&format!("{path}/{name}"), member, schema),
                None => self.complain(path, format_args!("{name} is not in the schema")),
            }
        }
    }

    fn check_items(&mut self, path: &str, value: &Value, schemas: &mut dyn Iterator<Item = &Value>) {
        for (at, (item, schema)) in value.as_array().into_iter().flatten().zip(schemas).enumerate() {
            self.check(&format!("{path}/{at}"), item, schema);
        }
    }
}

fn is_of_types(value: &Value, types: &Value) -> bool {
    let is_of = |name: &Value| match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        other => panic!("{other:?} is no type"),
    };
    types.as_array().map_or_else(|| is_of(types), |list| list.iter().any(is_of))
}

fn complaints(schema: &str, value: &Value) -> Vec<String> {
    let path = format!("{}/../../docs/{schema}.schema.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read(&path).expect("the schema is there");
    let root: Value = serde_json::from_slice(&text).expect("a schema is JSON");
    let mut validator = Validator { root: &root, complaints: Vec::new() };
    validator.check("", value, &root);
    validator.complaints
}

/// What a command writes as JSON.
fn written(words: &[&str], name: &str) -> Value {
    written_of("program.rb", words, name)
}

fn written_of(program: &str, words: &[&str], name: &str) -> Value {
    let json = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let program = format!("{}/tests/fixtures/{program}", env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_loupe"));
    command.args(&words[..1]).arg("--json").arg(&json).args(&words[1..]).arg(program);
    command.output().expect("loupe runs");
    serde_json::from_slice(&std::fs::read(&json).expect("the figures are there")).expect("they are JSON")
}

#[test]
fn reports_are_as_their_schema_says() {
    let mut report = written(&["run", "--quiet", "--disable=gems"], "schema-run.json");
    assert_eq!(complaints("loupe-report", &report), Vec::<String>::new());
    // All lists have something to look at, but for writes that were refused, and messages and Ractors, which another program has.
    let is_empty = |list: &Value| list.as_array().is_some_and(Vec::is_empty);
    let empty: Vec<&String> = report["findings"]
        .as_object()
        .expect("findings")
        .iter()
        .filter(|(_, list)| is_empty(list))
        .map(|(k, _)| k)
        .collect();
    assert_eq!(empty, ["messages", "ractors", "refused"]);
    let sent = written_of("messages.rb", &["run", "--quiet", "--disable=gems"], "schema-messages.json");
    assert_eq!(complaints("loupe-report", &sent), Vec::<String>::new());
    assert_eq!(sent["findings"]["messages"].as_array().map(Vec::len), Some(3));
    assert_eq!(sent["findings"]["ractors"].as_array().map(Vec::len), Some(2));
    report["advice"][0]["kind"] = "unheard-of".into();
    report["rows"][0]["lines"] = 1.into();
    assert_eq!(complaints("loupe-report", &report).len(), 2);
}

#[test]
fn figures_of_trials_are_as_their_schema_says() {
    let figures = written(&["try", "--all", "--", "--disable=gems"], "schema-try.json");
    assert_eq!(complaints("loupe-try", &figures), Vec::<String>::new());
    assert!(figures["tried"].as_array().is_some_and(|list| list.len() > 3), "{figures}");
}

#[test]
fn leaks_are_as_their_schema_says() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("schema-leaks");
    let _ = std::fs::create_dir_all(&folder);
    let program = folder.join("leaky.rb");
    let source = "require \"objspace\"\nObjectSpace.trace_object_allocations_start\nKEPT = []\n\
        3.times { |i| 50.times { KEPT << Object.new }\n\
        File.open(\"#{__dir__}/#{i}.json\", \"w\") { |f| ObjectSpace.dump_all(output: f) } }\n";
    std::fs::write(&program, source).expect("the program can be written");
    let loupe = || Command::new(env!("CARGO_BIN_EXE_loupe"));
    assert!(loupe().args(["run", "--quiet", "--disable=gems"]).arg(&program).status().expect("it runs").success());
    let json = folder.join("leaks.json");
    let dumps = (0..3).map(|number| folder.join(format!("{number}.json")));
    let output = loupe().args(["leaks", "--json"]).arg(&json).args(dumps).output().expect("loupe runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let figures: Value = serde_json::from_slice(&std::fs::read(&json).expect("it is there")).expect("it is JSON");
    assert_eq!(complaints("loupe-leaks", &figures), Vec::<String>::new());
    assert!(figures["leaks"].as_array().is_some_and(|list| !list.is_empty()), "{figures}");
}
