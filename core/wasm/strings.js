// JavaScript's strings are UTF-16 and may hold half a surrogate pair; the machines read bytes. Between them stands UTF-8 that spells such a
// half as three bytes of its own (WTF-8), so that it comes out as it went in.

const encoder = new TextEncoder();
// A byte-order mark is text like any other.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const SURROGATE = /[\uD800-\uDFFF]/;
const LONE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/**
 * The bytes of a string.
 * @param {string} text
 * @returns {Uint8Array}
 */
export function bytesOf(text) {
  if (!SURROGATE.test(text) || !LONE.test(text)) return encoder.encode(text);
  const parts = text.split(/([\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF])/);
  const bytes = [];
  parts.forEach((part, index) => {
    if (index % 2 === 0) {
      for (const byte of encoder.encode(part)) bytes.push(byte);
    } else {
      const unit = part.charCodeAt(0);
      bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
    }
  });
  return Uint8Array.from(bytes);
}

/**
 * The string that bytes from `bytesOf` spell.
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function textOf(bytes) {
  let text = "";
  let from = 0;
  // Half a pair begins with the byte ED and one from A0 on; nothing else in UTF-8 does.
  for (let at = bytes.indexOf(0xed); at !== -1; at = bytes.indexOf(0xed, at + 1)) {
    if (at + 2 < bytes.length && bytes[at + 1] >= 0xa0) {
      text += decoder.decode(bytes.subarray(from, at));
      text += String.fromCharCode(0xd000 | ((bytes[at + 1] & 0x3f) << 6) | (bytes[at + 2] & 0x3f));
      from = at + 3;
    }
  }
  return text + decoder.decode(from === 0 ? bytes : bytes.subarray(from));
}

/**
 * Turns offsets in bytes, asked for in ascending order, into indices in a string.
 * @param {string} text
 * @param {Uint8Array} bytes the string's bytes
 * @returns {(offset: number) => number}
 */
export function indicesIn(text, bytes) {
  if (bytes.length === text.length) return (offset) => offset;
  let at = 0;
  let index = 0;
  return (offset) => {
    for (; at < offset; at++) {
      // Every character's first byte counts one unit, and that of a pair's character two.
      if ((bytes[at] & 0xc0) !== 0x80) index += bytes[at] >= 0xf0 ? 2 : 1;
    }
    return index;
  };
}

/**
 * Parts as one.
 * @param {Uint8Array[]} parts
 * @returns {Uint8Array}
 */
export function joined(parts) {
  if (parts.length === 1) return parts[0];
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
