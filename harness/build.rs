//! Builds the cases of `spec/` into the crate: a table of file names and texts.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let spec = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../spec").canonicalize()?;
    let mut table = String::from("&[\n");
    for file in json_files(&spec)? {
        let name = file.strip_prefix(&spec).expect("it was found there").to_string_lossy().replace('\\', "/");
        writeln!(table, "    ({name:?}, include_str!({:?})),", file.display().to_string()).expect("a string takes all");
    }
    table.push_str("]\n");
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("cases.rs");
    fs::write(out, table)
}

/// The JSON files in `folder` and in its folders, in order of their names.
fn json_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(json_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            println!("cargo::rerun-if-changed={}", path.display());
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
