//! A ledger in a file, added to so that nothing is lost.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use fs4::FileExt;
use sidenote::ledger::Row;
use tempfile::NamedTempFile;

use crate::documents::{Documents, Form};

/// Adds rows to the ledger in `file`, which need not be there yet.
///
/// Under a lock on a file named like it with `.lock` behind, the ledger is read and checked, written anew beside itself, synced and renamed:
/// two at once lose no row, and a crash leaves the old file whole. Every byte that stood there stays, and so do owner and permissions.
pub(crate) fn add_rows(file: &Path, rows: &[Row]) -> anyhow::Result<()> {
    let file = &resolved(file)?;
    let name = file.display().to_string();
    let lock = lock_file(file)?;
    FileExt::lock(&lock).with_context(|| format!("the lock of {name}"))?;
    let old = match fs::read(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        read => read.with_context(|| name.clone())?,
    };
    let mut ledger = Documents::parse(name.clone(), old)?;
    let (form, is_empty) = (ledger.form, ledger.values.is_empty());
    let old = std::mem::take(&mut ledger.text);
    ledger.rows()?;
    if rows.is_empty() && file.exists() {
        return Ok(());
    }
    let new = match form {
        Form::Lines => with_lines(old, rows),
        Form::Array => with_elements(&old, is_empty, rows),
    };
    replace(file, &new).with_context(|| name)
}

/// The file that `path` leads to, over links. Only what is a file, or not there yet, can be replaced by one.
fn resolved(path: &Path) -> anyhow::Result<PathBuf> {
    let name = path.display();
    match fs::canonicalize(path) {
        Ok(file) => {
            ensure!(file.is_file(), "{name}: not a file");
            Ok(file)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if fs::symlink_metadata(path).is_ok() {
                bail!("{name}: a link to a file that is not there");
            }
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            ensure!(folder.is_dir(), "{name}: there is no such folder");
            let file = path.file_name().with_context(|| format!("{name}: not the name of a file"))?;
            Ok(fs::canonicalize(folder).with_context(|| folder.display().to_string())?.join(file))
        }
        Err(error) => Err(error).with_context(|| name.to_string()),
    }
}

/// Opens the file that is locked, and makes it where it is not there. Nothing is ever written to it, so it may be any file.
fn lock_file(file: &Path) -> anyhow::Result<File> {
    let mut path = file.to_owned().into_os_string();
    path.push(".lock");
    let path = PathBuf::from(path);
    let opened = match OpenOptions::new().write(true).create_new(true).open(&path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => File::open(&path),
        made => made,
    };
    opened.with_context(|| path.display().to_string())
}

fn with_lines(mut ledger: Vec<u8>, rows: &[Row]) -> Vec<u8> {
    if ledger.last().is_some_and(|byte| *byte != b'\n') {
        ledger.push(b'\n');
    }
    for row in rows {
        ledger.extend(row.to_value().to_string().into_bytes());
        ledger.push(b'\n');
    }
    ledger
}

/// The array with rows behind its last element.
fn with_elements(ledger: &[u8], is_empty: bool, rows: &[Row]) -> Vec<u8> {
    let bracket = ledger.iter().rposition(|byte| *byte == b']').unwrap_or(ledger.len());
    let last = ledger.get(..bracket).unwrap_or_default().trim_ascii_end().len();
    let (before, after) = ledger.split_at(last);
    let mut array = before.to_vec();
    for (index, row) in rows.iter().enumerate() {
        array.extend_from_slice(if is_empty && index == 0 { b"\n" } else { b",\n" });
        array.extend(row.to_value().to_string().into_bytes());
    }
    array.extend_from_slice(after);
    array
}

/// Puts `content` in the place of `file` at once, or not at all.
fn replace(file: &Path, content: &[u8]) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut beside = NamedTempFile::new_in(folder)?;
    beside.write_all(content)?;
    keep_metadata(file, beside.as_file())?;
    beside.as_file().sync_all()?;
    beside.persist(file)?;
    // The name is in the folder, and the folder is synced like a file.
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    Ok(())
}

/// Gives a new file the owner and permissions of the one that it replaces, or those of any new file.
#[cfg(unix)]
fn keep_metadata(old: &Path, new: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let Ok(old) = fs::metadata(old) else {
        // What a file made here would get, the umask taken off; asked of one, since nothing else tells.
        let probe = tempfile::Builder::new().permissions(fs::Permissions::from_mode(0o666)).tempfile()?;
        return new.set_permissions(probe.as_file().metadata()?.permissions());
    };
    let made = new.metadata()?;
    if (made.uid(), made.gid()) != (old.uid(), old.gid()) {
        fchown(new, Some(old.uid()), Some(old.gid()))?;
    }
    new.set_permissions(old.permissions())
}

#[cfg(not(unix))]
fn keep_metadata(_old: &Path, _new: &File) -> io::Result<()> {
    Ok(())
}
