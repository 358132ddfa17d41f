// Reading JSON with the machines of the module.

import * as machines from "./machines.js";
import { bytesOf, indicesIn } from "./strings.js";

const { functions } = machines;

/**
 * Reads JSON.
 * @template T
 * @param {"leading" | "prefix"} name of the machine
 * @param {Uint8Array} bytes
 * @param {(event: DataView) => void} on
 * @param {(state: number, end: (use: (outcome: DataView) => T) => T) => T} told makes the answer of the machine's state and outcome
 * @returns {T}
 */
export function readJson(name, bytes, on, told) {
  const nesting = (bytes.length >> 3) + 1;
  return machines.withLent(128, (state) =>
    machines.withLent(nesting, (memory) => {
      functions[`sidenote_${name}_init`](state, memory, nesting);
      const push = functions[`sidenote_${name}_push`];
      machines.withBytes(bytes, (at, length) =>
        machines.listening(on, (callback, answer) => push(answer, state, at, length, callback, 0)),
      );
      return told(state, (use) =>
        machines.withLent(32, (outcome) => {
          functions[`sidenote_${name}_end`](state, outcome);
          return use(machines.numbersAt(outcome));
        }),
      );
    }),
  );
}

/**
 * Where the complete values that a text opens with stand in it, and where what follows them begins.
 * @param {string} text
 * @returns {{values: [number, number][], rest: number}}
 */
export function leadingRanges(text) {
  const bytes = bytesOf(text);
  const index = indicesIn(text, bytes);
  const values = [];
  const on = (event) => values.push([index(machines.long(event, 0)), index(machines.long(event, 8))]);
  return readJson("leading", bytes, on, (_state, end) =>
    end((outcome) => ({ values, rest: index(machines.long(outcome, 8)) })),
  );
}
