//! How deep a stack gets: the place below it is painted, and looked at afterwards.

use core::arch::asm;

/// How far below the stack is painted, in bytes.
const PAINTED: usize = 2048;

const PAINT: u32 = 0xC0DE_CAFE;

/// A painted place below the stack of the function that [`paint`] was called in.
pub(crate) struct Paint {
    top: usize,
}

/// The caller's stack pointer.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is the caller's that is asked for")]
fn pointer() -> usize {
    let pointer;
    // SAFETY: a register is read.
    unsafe { asm!("mov {}, sp", out(reg) pointer, options(nomem, nostack)) };
    pointer
}

/// Paints what is below the caller's stack.
#[inline(always)]
#[expect(clippy::inline_always, reason = "with a frame of its own it would paint over that")]
pub(crate) fn paint() -> Paint {
    let top = pointer();
    let mut at = top - PAINTED;
    while at < top {
        // SAFETY: nothing is below the stack pointer, no interrupt is on, and RAM reaches further down.
        unsafe { (at as *mut u32).write_volatile(PAINT) };
        at += 4;
    }
    Paint { top }
}

impl Paint {
    /// How far down calls went since, in bytes.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a frame of its own would be among what is looked at")]
    pub(crate) fn depth(&self) -> usize {
        let mut at = self.top - PAINTED;
        // SAFETY: the place was painted, so it can be read.
        while at < self.top && unsafe { (at as *const u32).read_volatile() } == PAINT {
            at += 4;
        }
        self.top - at
    }
}
