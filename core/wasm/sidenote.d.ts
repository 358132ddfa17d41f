/** Takes the notes that a language model writes beside its answer out of the text as it streams. */

/** The reserved key where nothing else is said: `_findings`. */
export declare const RESERVED_KEY: "_findings";

/** How many code regions are read where nothing else is said. */
export declare const MAX_CODE_REGIONS: 32;

/** How large the memory of a filter gets at most, in bytes: a note must fit in seven eighths of it. */
export declare const MEMORY_CEILING: number;

/** A reserved member that was taken out of the text. */
export interface RemovedMember {
  /** Which object of the text held it, counted from 0 in text order. */
  readonly object: number;
  /** Its value as written, cut short where the text ended inside it. */
  readonly valueText: string;
  /** Whether the value ended before the text did. */
  readonly complete: boolean;
}

/** A filter, fed piece by piece. */
export interface ReservedMemberFilter {
  /**
   * Reads the next piece of the text: what can be shown now.
   *
   * Half a surrogate pair at its end waits for the other half.
   *
   * @throws RangeError where a note, or the nesting of any member's value, does not fit in {@link MEMORY_CEILING} bytes, or where the host has no
   * memory left. Its `shown` is what this chunk had let out before that; every later call gives `""`.
   */
  push(chunk: string): string;
  /** The text is over: what was held back. After it, every call gives `""`. */
  end(): string;
  /** The members removed so far, in text order. */
  readonly removed: readonly RemovedMember[];
}

/**
 * A filter for one text.
 *
 * @throws TypeError where `key` holds half a surrogate pair.
 */
export declare function reservedMemberFilter(key?: string): ReservedMemberFilter;

/** A whole text without its reserved members, and those. */
export declare function withoutReservedMembers(
  text: string,
  key?: string,
): { readonly text: string; readonly removed: readonly RemovedMember[] };

/** A fenced block of an answer. Indices count UTF-16 units. */
export interface CodeRegion {
  /** Its number among the regions read, from 1. */
  readonly block: number;
  /** Where its opening line begins. */
  readonly start: number;
  /** Behind its closing line, the line ending included. */
  readonly end: number;
  /** What stands between its two fence lines, without the line ending before the closing one. */
  readonly content: string;
  /** The opening line's info string, without spaces around it. */
  readonly info: string;
}

/** The regions of an answer, and what else there was. */
export interface CodeRegions {
  readonly regions: readonly CodeRegion[];
  /** How many regions there were past the cap. */
  readonly dropped: number;
  /** The index of the first character from which no region is read, where reading stopped. */
  readonly stoppedAt?: number;
  /** The opening run of a fence that is open at the end. */
  readonly openFence?: string;
}

/** The fenced code regions of a text, at most `max` of them, a number from 0 on. */
export declare function codeRegionsOf(text: string, max?: number): CodeRegions;

/** The complete JSON objects and arrays that a text opens with, and the text behind them without the white space before it. */
export declare function leadingJsonValues(text: string): { readonly values: readonly unknown[]; readonly rest: string };

/** What JSON cut short reads as. */
export interface JsonPrefix {
  /** Its complete strings, keys and values, numbers and booleans, in order, each as `String` spells it. */
  readonly leaves: readonly string[];
  /** The whole words of a string that the text ends in. */
  readonly words?: string;
}

/** The leaves of an object or array whose text ends before it closes; `undefined` for any other text. */
export declare function jsonPrefixOf(text: string): JsonPrefix | undefined;
