//! Tells the linker where the board has its memories.

fn main() {
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where the package is");
    println!("cargo::rustc-link-arg-bins=-T{folder}/memory.x");
    println!("cargo::rerun-if-changed=memory.x");
}
