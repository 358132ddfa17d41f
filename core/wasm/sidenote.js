// Takes the notes that a language model writes beside its answer out of the text as it streams.
//
// The calls and what they give are those of agentfootprint, so that an agent can swap them in. Indices count UTF-16 units, as JavaScript does.

import { leadingRanges, readJson } from "./json.js";
import * as machines from "./machines.js";
import { bytesOf, indicesIn, joined, textOf } from "./strings.js";

const { functions } = machines;

/** The reserved key where nothing else is said. */
export const RESERVED_KEY = "_findings";

/** How many code regions are read where nothing else is said. */
export const MAX_CODE_REGIONS = 32;

/** How large the memory of a filter gets at most, in bytes: a note must fit in it. */
export const MEMORY_CEILING = 1 << 20;

const FIRST_MEMORY = 1024;
// Of sidenote_on_full.
const FAIL = 0;
const GROW = 3;

/** Filters that were not ended, so that what they were lent comes back. */
const forgotten = new FinalizationRegistry((held) => held.discard());

/** A filter's state and memory in the module. */
class Held {
  ended = false;
  parts = [];

  constructor(key) {
    try {
      this.init(bytesOf(key));
    } catch (error) {
      this.giveBack();
      throw error;
    }
  }

  lend(size) {
    const part = machines.lend(size);
    this.parts.push(part);
    return part;
  }

  init(key) {
    const [state, slot, name] = [this.lend(192), this.lend(8), this.lend(key.length + 1)].map((part) => part.at);
    machines.put(name, key);
    if (functions.sidenote_key_init(slot, name, key.length) !== machines.OK) {
      throw new TypeError("the reserved key holds half a surrogate pair");
    }
    this.state = state;
    this.memory = this.lend(Math.max(FIRST_MEMORY, functions.sidenote_filter_least_memory(slot, 1)));
    functions.sidenote_filter_init(state, slot, 1, this.memory.at, this.memory.size, this.onFull());
  }

  /** In the largest memory, what can be given back is, and only a note that does not fit fails. */
  onFull() {
    return this.memory.size < MEMORY_CEILING ? GROW : FAIL;
  }

  /** Feeds bytes; the memory grows as they need it. */
  push(bytes, on) {
    try {
      machines.withBytes(bytes, (at, length) => {
        let from = 0;
        for (;;) {
          machines.listening(on, (callback, answer) =>
            functions.sidenote_filter_push(answer, this.state, at + from, length - from, callback, 0),
          );
          const answer = machines.answered();
          if (answer.status === machines.OK) return;
          from += answer.read;
          if (this.onFull() === FAIL) {
            throw new RangeError(`a note does not fit in a memory of ${MEMORY_CEILING} bytes, at byte ${answer.at} of the text`);
          }
          this.grow();
        }
      });
    } catch (error) {
      // It would go on with bytes missing.
      this.discard();
      throw error;
    }
  }

  grow() {
    const smaller = this.memory;
    this.memory = machines.lend(smaller.size * 2);
    this.parts[this.parts.indexOf(smaller)] = this.memory;
    functions.sidenote_filter_move(this.state, this.memory.at, this.memory.size, this.onFull());
    machines.giveBack(smaller);
  }

  end(on) {
    machines.listening(on, (callback, answer) => functions.sidenote_filter_end(answer, this.state, callback, 0));
    this.giveBack();
  }

  discard() {
    if (this.ended) return;
    functions.sidenote_filter_discard(this.state);
    this.giveBack();
  }

  giveBack() {
    this.ended = true;
    this.parts.forEach(machines.giveBack);
  }
}

class Filter {
  #held;
  /** Half a surrogate pair that the last chunk ended in. */
  #half = "";
  #removed = [];

  constructor(key) {
    this.#held = new Held(key);
    forgotten.register(this, this.#held, this.#held);
  }

  get removed() {
    return this.#removed;
  }

  push(chunk) {
    if (this.#held.ended) return "";
    let text = this.#half + chunk;
    const last = text.charCodeAt(text.length - 1);
    this.#half = last >= 0xd800 && last < 0xdc00 ? text.slice(-1) : "";
    if (this.#half !== "") text = text.slice(0, -1);
    return this.#show((on) => this.#held.push(bytesOf(text), on));
  }

  end() {
    if (this.#held.ended) return "";
    return this.#show((on) => {
      if (this.#half !== "") this.#held.push(bytesOf(this.#half), on);
      this.#held.end(on);
      forgotten.unregister(this.#held);
    });
  }

  #show(run) {
    const visible = [];
    const shown = () => textOf(joined(visible));
    const on = (event) => {
      const [kind, at, length] = [machines.word(event, 0), machines.word(event, 12), machines.word(event, 16)];
      const bytes = machines.copyOf(at, length);
      if (kind === 0) {
        visible.push(bytes);
      } else {
        this.#removed.push({
          object: machines.long(event, 24),
          valueText: textOf(bytes),
          complete: event.getUint8(4) !== 0,
        });
      }
    };
    try {
      run(on);
    } catch (error) {
      // Nothing that was decided is lost.
      error.shown = shown();
      throw error;
    }
    return shown();
  }
}

export function reservedMemberFilter(key = RESERVED_KEY) {
  return new Filter(key);
}

export function withoutReservedMembers(text, key = RESERVED_KEY) {
  const filter = new Filter(key);
  const shown = filter.push(text);
  return { text: shown + filter.end(), removed: filter.removed };
}

export function codeRegionsOf(text, max = MAX_CODE_REGIONS) {
  const bytes = bytesOf(text);
  const index = indicesIn(text, bytes);
  const regions = [];
  const on = (event) => {
    // In the order in which they stand in the text.
    const [start, infoStart, infoEnd, from, to, end] = [8, 40, 48, 24, 32, 16].map((at) => index(machines.long(event, at)));
    const [content, info] = [text.slice(from, to), text.slice(infoStart, infoEnd)];
    regions.push({ block: machines.long(event, 0), start, end, content, info });
  };
  return machines.withLent(128, (state) => {
    functions.sidenote_code_regions_init(state, BigInt(Math.min(Math.max(0, Math.trunc(max) || 0), Number.MAX_SAFE_INTEGER)));
    machines.withBytes(bytes, (at, length) =>
      machines.listening(on, (callback, answer) =>
        functions.sidenote_code_regions_push(answer, state, at, length, callback, 0),
      ),
    );
    return machines.withLent(32, (outcome) => {
      machines.listening(on, (callback) => functions.sidenote_code_regions_end(state, callback, 0, outcome));
      const view = machines.numbersAt(outcome);
      const answer = { regions, dropped: machines.long(view, 0) };
      if (view.getUint8(8) !== 0) answer.stoppedAt = index(machines.long(view, 16));
      const fence = view.getUint8(9);
      if (fence !== 0) answer.openFence = String.fromCharCode(fence).repeat(machines.long(view, 24));
      return answer;
    });
  });
}

export function leadingJsonValues(text) {
  const { values, rest } = leadingRanges(text);
  return { values: values.map(([from, to]) => JSON.parse(text.slice(from, to))), rest: text.slice(rest) };
}

// Of sidenote_prefix_kind.
const [STRING, NUMBER, NULL, WRITTEN, DECODED] = [3, 4, 7, 8, 9];

export function jsonPrefixOf(text) {
  const leaves = [];
  let kind = NULL;
  let parts = [];
  const on = (event) => {
    const told = machines.word(event, 0);
    if (told >= STRING && told <= NULL) {
      kind = told;
      parts = [];
    } else if (told === WRITTEN) {
      parts.push(machines.copyOf(machines.word(event, 32), machines.word(event, 36)));
    } else if (told === DECODED) {
      parts.push(bytesOf(String.fromCodePoint(machines.word(event, 8))));
    } else if (told > DECODED && kind !== NULL) {
      const leaf = textOf(joined(parts));
      leaves.push(kind === NUMBER ? String(Number(leaf)) : leaf);
    }
  };
  return readJson("prefix", bytesOf(text), on, (state, end) => {
    const open = functions.sidenote_prefix_open(state, 0, 0);
    return end((outcome) => {
      // Neither closed nor broken, and more than white space.
      if (machines.word(outcome, 0) !== 0 || open === 0) return undefined;
      if (outcome.getUint8(4) === 0) return { leaves };
      return { leaves, words: textOf(joined(parts).subarray(0, machines.long(outcome, 16))) };
    });
  });
}
