//! What the emulator does for the program: files of the host, its console, and leaving (Arm's semihosting).

use core::arch::asm;
use core::ffi::CStr;

const OPEN: usize = 0x01;
const CLOSE: usize = 0x02;
const WRITE0: usize = 0x04;
const WRITE: usize = 0x05;
const READ: usize = 0x06;
const EXIT_EXTENDED: usize = 0x20;
const APPLICATION_EXIT: usize = 0x2_0026;

/// Calls the emulator.
///
/// # Safety
///
/// `argument` is what `operation` takes.
unsafe fn call(operation: usize, argument: usize) -> usize {
    let answer;
    // SAFETY: the emulator answers at this breakpoint, and reads and writes nothing but what the argument names.
    unsafe { asm!("bkpt #0xab", inout("r0") operation => answer, in("r1") argument, options(nostack)) };
    answer
}

/// A file of the host.
pub(crate) struct File {
    handle: usize,
}

impl File {
    /// Opens `name`, for reading or else for writing from its beginning.
    pub(crate) fn open(name: &CStr, to_write: bool) -> Option<Self> {
        // `rb` and `wb` in C's words.
        let mode = if to_write { 5 } else { 1 };
        let block = [name.as_ptr() as usize, mode, name.to_bytes().len()];
        // SAFETY: the block holds a name that ends with a NUL, a mode and the name's length.
        let handle = unsafe { call(OPEN, block.as_ptr() as usize) };
        (handle != usize::MAX).then_some(Self { handle })
    }

    /// Reads up to `buffer`'s length: how many bytes came.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> usize {
        let block = [self.handle, buffer.as_mut_ptr() as usize, buffer.len()];
        // SAFETY: the block holds a handle and a buffer that can be written to.
        let missing = unsafe { call(READ, block.as_ptr() as usize) };
        assert!(missing <= buffer.len(), "the host can read the requests");
        buffer.len() - missing
    }

    /// Writes all of `bytes`; whether that went well.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> bool {
        let block = [self.handle, bytes.as_ptr() as usize, bytes.len()];
        // SAFETY: the block holds a handle and bytes that can be read.
        unsafe { call(WRITE, block.as_ptr() as usize) == 0 }
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let block = [self.handle];
        // SAFETY: the block holds a handle.
        unsafe { call(CLOSE, block.as_ptr() as usize) };
    }
}

/// Writes to the console.
pub(crate) fn print(text: &CStr) {
    // SAFETY: the argument is text that ends with a NUL.
    unsafe { call(WRITE0, text.as_ptr() as usize) };
}

/// Leaves the emulator.
pub(crate) fn exit(code: usize) -> ! {
    let block = [APPLICATION_EXIT, code];
    loop {
        // SAFETY: the block holds a reason and a code.
        unsafe { call(EXIT_EXTENDED, block.as_ptr() as usize) };
    }
}
