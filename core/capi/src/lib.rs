//! sidenote's machines for C and C++.
//!
//! Every function here is declared and documented for C in `include/sidenote.h`, which cbindgen makes of these files. State lives in
//! storage that the caller supplies, memory is lent, nothing allocates, and there is no global state. A pointer that is null or not aligned,
//! a length that cannot be and storage that was not initialized are answered with a status; no byte of a text leads to undefined behaviour.
#![no_std]
// C's names and its documentation: what each function demands of pointers is said once, in `sidenote.h`'s introduction.
#![allow(clippy::missing_safety_doc)]
#![deny(clippy::undocumented_unsafe_blocks, unsafe_op_in_unsafe_fn)]

// A fuzzer is a program of std, and brings its own panic handler.
#[cfg(fuzzing)]
extern crate std;

mod code_regions;
mod filter;
mod leading;
mod prefix;
mod result;
mod storage;

pub use code_regions::*;
pub use filter::*;
pub use leading::*;
pub use prefix::*;
pub use result::*;

/// No machine panics; without unwinding, there is nothing else to do either.
#[cfg(not(any(test, fuzzing)))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

// The core library that rustup delivers for hosted systems was compiled to unwind, and names the function that would look for
// landing pads. Nothing here unwinds, so it is never called. Weak and hidden, it is in nobody's way.
#[cfg(all(unix, not(target_vendor = "apple"), not(any(test, fuzzing))))]
core::arch::global_asm!(".weak rust_eh_personality", ".hidden rust_eh_personality", "rust_eh_personality:");
