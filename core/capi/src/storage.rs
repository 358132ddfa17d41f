//! Machines in storage that the caller supplies, and what the caller says of its bytes.

use core::mem::ManuallyDrop;

use sidenote_core::Error;

use crate::Status;

/// Storage for one kind of machine.
pub(crate) trait Storage: Sized {
    /// What is kept in it.
    type Machine;

    /// Tells storage of this kind, initialized, from any other bytes.
    const TAG: u32;
}

/// A machine in its storage.
#[repr(C)]
pub(crate) struct Slot<M> {
    /// The kind's tag, and which of the states below it is in.
    tag: u32,
    machine: ManuallyDrop<M>,
}

/// It can be called.
const READY: u32 = 0;
/// A call is under way: its callback must not begin another.
const BUSY: u32 = 1;
/// There is no machine in it.
const ENDED: u32 = 2;

/// Whether a kind of storage has room for its machine.
pub(crate) const fn has_room<S: Storage>() -> bool {
    size_of::<S>() >= size_of::<Slot<S::Machine>>() && align_of::<S>() >= align_of::<Slot<S::Machine>>()
}

/// Puts what `make` makes into `storage`; where it makes nothing, no machine is in it any more.
///
/// # Safety
///
/// `storage` is null, not aligned, or points to as many writable bytes as its type has.
#[inline]
pub(crate) unsafe fn init<S: Storage>(
    storage: *mut S,
    make: impl FnOnce() -> Result<S::Machine, Error>,
) -> Result<Status, Status> {
    const { assert!(has_room::<S>(), "the storage is as large as sidenote.h says") };
    let slot = slot(storage)?;
    // SAFETY: `slot` has told apart what cannot be, and the caller vouches for the rest.
    let tag = unsafe { &raw mut (*slot).tag };
    // SAFETY: as above. What the storage held is not looked at, since it may be nothing.
    unsafe { tag.write(S::TAG | ENDED) };
    let machine = match make() {
        Ok(machine) => machine,
        Err(error) => return Ok(Status::of(Err(error))),
    };
    // SAFETY: as above, and the size was asserted.
    unsafe {
        (&raw mut (*slot).machine).write(ManuallyDrop::new(machine));
        tag.write(S::TAG | READY);
    }
    Ok(Status::Ok)
}

/// Calls `run` with the machine in `storage`.
///
/// # Safety
///
/// As for [`init`]; no other thread uses the storage.
pub(crate) unsafe fn with<S: Storage, R>(storage: *mut S, run: impl FnOnce(&mut S::Machine) -> R) -> Result<R, Status> {
    let slot = slot(storage)?;
    // SAFETY: `slot` has told apart what cannot be, and the caller vouches for the rest.
    let tag = unsafe { &raw mut (*slot).tag };
    // SAFETY: as above. While a callback runs, the machine cannot be got at a second time.
    unsafe { change(tag, S::TAG | READY, S::TAG | BUSY) }?;
    // SAFETY: the tag says that `init` put a machine here and that nothing else refers to it.
    let answer = run(unsafe { &mut (*slot).machine });
    // SAFETY: as above.
    unsafe { tag.write(S::TAG | READY) };
    Ok(answer)
}

/// Takes the machine out of `storage`.
///
/// # Safety
///
/// As for [`with`].
pub(crate) unsafe fn take<S: Storage>(storage: *mut S) -> Result<S::Machine, Status> {
    let slot = slot(storage)?;
    // SAFETY: as in `with`.
    let tag = unsafe { &raw mut (*slot).tag };
    // SAFETY: as in `with`.
    unsafe { change(tag, S::TAG | READY, S::TAG | ENDED) }?;
    // SAFETY: the tag said that there was a machine, and now says that it is gone: it is taken once.
    Ok(ManuallyDrop::into_inner(unsafe { (&raw mut (*slot).machine).read() }))
}

/// Goes on with the machine in `storage` over the `length` bytes at `at`, as `moved` does; `so_far` is the memory that it has.
///
/// # Safety
///
/// As for [`with`] and [`lent`].
pub(crate) unsafe fn go_on<S: Storage>(
    storage: *mut S,
    at: *mut u8,
    length: usize,
    so_far: impl FnOnce(&S::Machine) -> &[u8],
    moved: impl FnOnce(S::Machine, &'static mut [u8]) -> Result<S::Machine, Error>,
) -> Result<Status, Status> {
    // What is held is copied, and then the memory so far is overwritten: it must be another.
    let overlaps = |so_far: &[u8]| {
        let so_far = so_far.as_ptr_range();
        at.cast_const() < so_far.end && so_far.start < at.cast_const().wrapping_add(length)
    };
    // SAFETY: what the caller vouches for.
    if unsafe { with(storage, |machine| overlaps(so_far(machine))) }? {
        return Err(Status::Invalid);
    }
    // SAFETY: as above.
    let memory = unsafe { lent(at, length) }?;
    // SAFETY: as above.
    let taken = unsafe { take(storage) }?;
    // SAFETY: as above.
    unsafe { init(storage, || moved(taken, memory)) }
}

/// Changes a ready machine's tag.
///
/// # Safety
///
/// `tag` can be read and written.
#[inline(never)]
unsafe fn change(tag: *mut u32, ready: u32, to: u32) -> Result<(), Status> {
    // SAFETY: what the caller vouches for. Any bytes are a tag; those that `init` did not write are none of ours.
    let found = unsafe { tag.read() };
    if found != ready {
        return Err(if found == (ready | ENDED) { Status::Ended } else { Status::Invalid });
    }
    // SAFETY: as above.
    unsafe { tag.write(to) };
    Ok(())
}

fn slot<S: Storage>(storage: *mut S) -> Result<*mut Slot<S::Machine>, Status> {
    if storage.is_null() || !storage.is_aligned() {
        return Err(Status::Invalid);
    }
    Ok(storage.cast())
}

/// Whether `length` things of type `T` can be at an address.
fn can_be<T>(at: *const T, length: usize) -> bool {
    let size = length.checked_mul(size_of::<T>());
    length == 0 || (!at.is_null() && at.is_aligned() && size.is_some_and(|size| isize::try_from(size).is_ok()))
}

/// The `length` things at `at`.
///
/// # Safety
///
/// `at` is null, not aligned, or points to that many, which nobody changes while the slice is in use.
pub(crate) unsafe fn slice<'s, T>(at: *const T, length: usize) -> Result<&'s [T], Status> {
    match (length, can_be(at, length)) {
        (0, _) => Ok(&[]),
        // SAFETY: it is neither null nor too long; the caller vouches for the rest.
        (_, true) => Ok(unsafe { core::slice::from_raw_parts(at, length) }),
        (_, false) => Err(Status::Invalid),
    }
}

/// The `length` bytes at `at`, to be written to.
///
/// # Safety
///
/// `at` is null or points to that many bytes, which nobody else uses while the slice is in use.
pub(crate) unsafe fn lent<'s>(at: *mut u8, length: usize) -> Result<&'s mut [u8], Status> {
    match (length, can_be(at, length)) {
        (0, _) => Ok(&mut []),
        // SAFETY: it is neither null nor too long; the caller vouches for the rest.
        (_, true) => Ok(unsafe { core::slice::from_raw_parts_mut(at, length) }),
        (_, false) => Err(Status::Invalid),
    }
}

/// Whether an outcome can be told at `place`: anywhere aligned, null included.
pub(crate) fn can_tell<T>(place: *mut T) -> Result<(), Status> {
    if place.is_aligned() { Ok(()) } else { Err(Status::Invalid) }
}

/// Writes `told` to `place`, unless that is null.
///
/// # Safety
///
/// `place` is null, or can be written to and is aligned, as [`can_tell`] says.
pub(crate) unsafe fn tell<T>(place: *mut T, told: T) -> Status {
    if !place.is_null() {
        // SAFETY: what the caller vouches for.
        unsafe { place.write(told) };
    }
    Status::Ok
}
