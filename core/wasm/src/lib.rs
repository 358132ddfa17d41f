//! sidenote's machines for JavaScript.
//!
//! The module exports the functions of `sidenote.h`, and one callback that hands each event on to its host. What they take and give
//! lies in the module's memory, which `sidenote.js` lends out; it is there that strings, growth and lifetimes are looked after.
#![no_std]
#![deny(clippy::undocumented_unsafe_blocks, unsafe_op_in_unsafe_fn)]

use core::ffi::c_void;

pub use sidenote_capi::*;

#[link(wasm_import_module = "sidenote")]
unsafe extern "C" {
    /// Takes an event; which kind of event, the host knows from the call it is in.
    fn on(context: *mut c_void, event: *const c_void);
}

/// A callback for every push and end function: hands the event on to the import `on`.
#[unsafe(no_mangle)]
pub extern "C" fn sidenote_callback() -> usize {
    on as *const () as usize
}
