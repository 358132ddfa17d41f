// The module's functions, and its memory: who is lent which part of it. The layouts are those of sidenote.h on a 32-bit machine.

const url = new URL("./sidenote.wasm", import.meta.url);
const bytes =
  url.protocol === "file:" && typeof process === "object"
    ? await (await import("node:fs/promises")).readFile(url)
    : await (await fetch(url)).arrayBuffer();

const nobody = () => {};

/** Who gets the events of the call that is under way. @type {(event: DataView) => void} */
let listener = nobody;

const { instance } = await WebAssembly.instantiate(bytes, {
  sidenote: { on: (_context, event) => listener(new DataView(memory.buffer, event)) },
});

/** The functions of sidenote.h. @type {Record<string, (...numbers: any[]) => any>} */
export const functions = /** @type {any} */ (instance.exports);
const memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
const callback = functions.sidenote_callback();

/** What a call answers where all went well; anything else is a limit of the memory, or a mistake in this package. */
export const OK = 0;

/** Parts of the memory that nobody has, by the power of two that is their size. @type {number[][]} */
const free = Array.from({ length: 32 }, () => []);
let end = (functions.__heap_base.value + 15) & ~15;

/**
 * Lends a part of the memory, of at least `size` bytes, all zero.
 * @param {number} size
 */
export function lend(size) {
  const power = Math.max(4, 32 - Math.clz32(size - 1));
  let at = free[power].pop();
  if (at === undefined) {
    const missing = end + 2 ** power - memory.buffer.byteLength;
    // Throws where the host has no more.
    if (missing > 0) memory.grow(Math.ceil(missing / 65536));
    at = end;
    end += 2 ** power;
  }
  return { at, size: 2 ** power };
}

/**
 * Writes bytes to the memory.
 * @param {number} at
 * @param {Uint8Array} bytes
 */
export const put = (at, bytes) => new Uint8Array(memory.buffer).set(bytes, at);

/**
 * Takes a lent part back, overwritten: it may have held a note.
 * @param {{at: number, size: number}} part
 */
export function giveBack(part) {
  new Uint8Array(memory.buffer, part.at, part.size).fill(0);
  free[Math.log2(part.size)].push(part.at);
}

/**
 * Lends a part for as long as `use` runs.
 * @template T
 * @param {number} size
 * @param {(at: number) => T} use
 * @returns {T}
 */
export function withLent(size, use) {
  const part = lend(size);
  try {
    return use(part.at);
  } finally {
    giveBack(part);
  }
}

/**
 * Lends a part that holds `bytes` for as long as `use` runs.
 * @template T
 * @param {Uint8Array} bytes
 * @param {(at: number, length: number) => T} use
 * @returns {T}
 */
export function withBytes(bytes, use) {
  return withLent(bytes.length + 1, (at) => {
    put(at, bytes);
    return use(at, bytes.length);
  });
}

/**
 * A copy of bytes in the memory.
 * @param {number} at
 * @param {number} length
 */
export const copyOf = (at, length) => new Uint8Array(memory.buffer, at, length).slice();

/**
 * Numbers in the memory from an address on.
 * @param {number} at
 */
export const numbersAt = (at) => new DataView(memory.buffer, at);

/** @param {DataView} view @param {number} at */
export const word = (view, at) => view.getUint32(at, true);

/** @param {DataView} view @param {number} at */
export const long = (view, at) => Number(view.getBigUint64(at, true));

/** The answer of a push or end function, in the memory. */
const answer = lend(16).at;

/**
 * Calls a function of sidenote.h that hands out events, which go to `on`.
 * @template T
 * @param {(event: DataView) => void} on
 * @param {(callback: number, answer: number) => T} use calls it with the callback, and with where its answer goes if that is a struct
 * @returns {T}
 */
export function listening(on, use) {
  listener = on;
  try {
    return use(callback, answer);
  } finally {
    listener = nobody;
  }
}

/** What the function that was called last answered, if that was a struct. */
export function answered() {
  const view = numbersAt(answer);
  return { status: word(view, 0), read: word(view, 4), at: long(view, 8) };
}
