//! Makes the fuzz targets a corpus to begin with of the case suite: a file a case in `fuzz/corpus/TARGET`, as that target's input is laid out.

use std::path::Path;
use std::{fs, io};

use sidenote::spec::Suite;

/// The targets that read a case's bytes, the machine they are for, and what stands before the bytes: sizes and cuts that come out of the case's
/// length, so that a corpus has many.
const TARGETS: [(&str, &str, usize); 5] = [
    ("filter", "filter/", 7),
    ("capi", "filter/", 8),
    ("code_regions", "code_regions/", 6),
    ("leading", "leading/", 6),
    ("prefix", "prefix/", 6),
];

fn main() -> io::Result<()> {
    let suite = Suite::built_in().map_err(io::Error::other)?;
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    for (target, cases, header) in TARGETS {
        let folder = corpus.join(target);
        fs::create_dir_all(&folder)?;
        for case in suite.cases.iter().filter(|case| case.name.starts_with(cases)) {
            let text = &case.question.bytes().bytes;
            let header = (1..=header).map(|place| (text.len() / place).to_le_bytes()[0]);
            let input: Vec<u8> = header.chain(text.iter().copied()).collect();
            fs::write(folder.join(case.name.replace('/', "-")), input)?;
        }
    }
    Ok(())
}
