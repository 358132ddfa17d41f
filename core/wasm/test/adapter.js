// Speaks the case protocol (spec/README.md) with the package's own calls: one JSON object a line asks, one JSON value a line answers.

import { deepEqual } from "node:assert/strict";
import { createInterface } from "node:readline";

import { leadingRanges } from "../json.js";
import { codeRegionsOf, jsonPrefixOf, leadingJsonValues, reservedMemberFilter } from "../sidenote.js";

const encoder = new TextEncoder();

/** The length of a string's beginning in bytes. */
const bytesBefore = (text, index) => encoder.encode(text.slice(0, index)).length;

/** A text cut at offsets in bytes; a cut inside a character is one before it. */
function pieces(text, cuts) {
  const indices = [];
  let index = 0;
  let at = 0;
  for (const cut of cuts) {
    while (index < text.length) {
      const character = String.fromCodePoint(text.codePointAt(index));
      const length = encoder.encode(character).length;
      if (at + length > cut) break;
      at += length;
      index += character.length;
    }
    indices.push(index);
  }
  return [0, ...indices].map((from, piece) => text.slice(from, indices[piece]));
}

const answers = {
  filter({ text, keys = ["_findings"], cuts = [] }) {
    const filter = reservedMemberFilter(keys[0]);
    let visible = "";
    for (const piece of pieces(text, cuts)) visible += filter.push(piece);
    visible += filter.end();
    return { visible, removed: filter.removed.map((note) => [note.object, note.valueText, note.complete]) };
  },

  code_regions({ text, max }) {
    const read = codeRegionsOf(text, max);
    const answer = { dropped: read.dropped, openFence: read.openFence };
    if (read.stoppedAt !== undefined) answer.stoppedAt = bytesBefore(text, read.stoppedAt);
    answer.regions = read.regions.map(({ block, start, end, content, info }) => {
      // Behind the opening line.
      const line = /\r\n|\n|\r/g;
      line.lastIndex = start;
      line.exec(text);
      const from = bytesBefore(text, line.lastIndex);
      const to = from + encoder.encode(content).length;
      return { block, start: bytesBefore(text, start), end: bytesBefore(text, end), content: [from, to], info };
    });
    return answer;
  },

  leading({ text }) {
    const { values, rest } = leadingJsonValues(text);
    const ranges = leadingRanges(text).values;
    deepEqual(values, ranges.map(([from, to]) => JSON.parse(text.slice(from, to))));
    const inBytes = ([from, to]) => [bytesBefore(text, from), bytesBefore(text, to)];
    return { values: ranges.map(inBytes), rest: bytesBefore(text, text.length - rest.length) };
  },

  prefix: ({ text }) => jsonPrefixOf(text) ?? null,
};

/** Why the package's calls cannot be asked this. */
function unsupported({ hex, keys, memory, on_full, why }) {
  if (hex !== undefined) return "a string holds no such bytes";
  if (keys !== undefined && keys.length !== 1) return "a filter has one key";
  if (memory !== undefined || on_full !== undefined) return "no caller lends memory";
  if (why) return "why the reading stopped is not told";
  return undefined;
}

function answer(request) {
  if (!(request.op in answers)) return { error: "unknown op" };
  const why = unsupported(request);
  return why ? { unsupported: why } : answers[request.op](request);
}

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(answer(JSON.parse(line))));
