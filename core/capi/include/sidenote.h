/*
 * sidenote: takes the notes that a language model writes beside its answer out of the text as it streams.
 * Made by cbindgen from core/capi/src; not to be edited.
 *
 * Each machine lives in storage that the caller supplies (a sidenote_filter and the like) and in memory that the caller lends. It is
 * initialized, fed with chunks of any size, and ended:
 *
 *     static uint8_t memory[1024];
 *     sidenote_filter filter;
 *     sidenote_filter_init(&filter, NULL, 0, memory, sizeof memory, SIDENOTE_ON_FULL_FAIL);
 *     while (...) sidenote_filter_push(&filter, chunk, length, on_event, context);
 *     sidenote_filter_end(&filter, on_event, context);
 *
 * What each call answers is to be looked at; a filter that is left before its end, or after an error, is given up with sidenote_filter_discard, which
 * overwrites what it held.
 *
 * No function allocates, blocks, keeps global state or needs a libc beyond memcpy, memmove, memset, memcmp and bcmp. Different machines may be
 * used in different threads at once, one machine in one thread at a time.
 *
 * Pointers must be null or point to what they say; null, wrongly aligned pointers and impossible lengths are answered with
 * SIDENOTE_STATUS_INVALID. So is storage that was not initialized, as long as its bytes do not look as if it was: zeroed storage never does, the remains of an
 * earlier machine do. Storage and lent memory must stay in their place and untouched until the machine is ended or given up. A callback must
 * return (no longjmp, no exception). A call for the machine that it was called by is answered with SIDENOTE_STATUS_INVALID, except that an init function cannot
 * tell and must not be called there.
 *
 * Offsets count bytes from the beginning of the text.
 */


#ifndef SIDENOTE_H
#define SIDENOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many 64-bit words a filter's state takes. */
#if UINTPTR_MAX > UINT32_MAX
#define SIDENOTE_FILTER_WORDS 32
#else
#define SIDENOTE_FILTER_WORDS 24
#endif

/* How many regions a prompt can use: what to read where nothing else is known. */
#define SIDENOTE_MAX_CODE_REGIONS 32


/**
 * How many 64-bit words the state of a reader of code regions takes.
 */
#define SIDENOTE_CODE_REGIONS_WORDS 16

/**
 * How many 64-bit words the state of a reader of JSON takes.
 */
#define SIDENOTE_JSON_WORDS 16

/**
 * What came of a call. A full memory sticks to the machine until that is moved to a larger one.
 */
enum sidenote_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * It was done.
   */
  SIDENOTE_STATUS_OK = 0,
  /**
   * The lent memory is smaller than the machine needs to begin, or smaller than the memory before.
   */
  SIDENOTE_STATUS_TOO_SMALL = 1,
  /**
   * The part of the lent memory for held bytes is full.
   */
  SIDENOTE_STATUS_MEMORY = 2,
  /**
   * The lent memory has no bit left for a level of nesting.
   */
  SIDENOTE_STATUS_NESTING = 3,
  /**
   * There is no machine in the storage: it was ended or given up before, or could not be initialized. A filter that has ended, too.
   */
  SIDENOTE_STATUS_ENDED = 4,
  /**
   * An argument cannot be: a null pointer, a length of more than half the address space, storage that was not initialized or is
   * in use by the call that the callback stands in, a key that is not UTF-8, memory that overlaps what it is to take the place of. Nothing was done.
   */
  SIDENOTE_STATUS_INVALID = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sidenote_status sidenote_status;
#else
typedef uint32_t sidenote_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a filter's event tells.
 */
enum sidenote_event_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The next bytes of the text without its notes: `bytes` and `length`.
   */
  SIDENOTE_EVENT_KIND_TEXT = 0,
  /**
   * A reserved member that was taken out: `object`, `key`, `complete`, and its value as written in `bytes` and `length`.
   * `bytes` is null where the value was longer than the lent memory and SIDENOTE_ON_FULL_HIDE was chosen.
   */
  SIDENOTE_EVENT_KIND_REMOVED = 1,
  /**
   * `lost` bytes were hidden for lack of room and turned out not to be a reserved member's, or might not have been; the object that
   * they were read in is `object`. Only under SIDENOTE_ON_FULL_HIDE.
   */
  SIDENOTE_EVENT_KIND_LOST = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sidenote_event_kind sidenote_event_kind;
#else
typedef uint32_t sidenote_event_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Why the reading of leading values stopped.
 */
enum sidenote_stopped
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The text was used up.
   */
  SIDENOTE_STOPPED_END = 0,
  /**
   * The next byte begins no object and no array.
   */
  SIDENOTE_STOPPED_OPENER = 1,
  /**
   * The text ends inside a value that could still go on.
   */
  SIDENOTE_STOPPED_CUT = 2,
  /**
   * The byte at `at` cannot be taken where it stands in a value.
   */
  SIDENOTE_STOPPED_BYTE = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sidenote_stopped sidenote_stopped;
#else
typedef uint32_t sidenote_stopped;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What an event of a JSON prefix tells.
 */
enum sidenote_prefix_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * An object opens with the bracket at `at`.
   */
  SIDENOTE_PREFIX_KIND_OPEN_OBJECT = 0,
  /**
   * An array opens with the bracket at `at`.
   */
  SIDENOTE_PREFIX_KIND_OPEN_ARRAY = 1,
  /**
   * The innermost container is complete and ends before `at`.
   */
  SIDENOTE_PREFIX_KIND_CLOSE = 2,
  /**
   * A string begins with the quote at `at`: `key` and `depth`. Only what SIDENOTE_PREFIX_KIND_END follows is complete.
   */
  SIDENOTE_PREFIX_KIND_BEGIN_STRING = 3,
  /**
   * A number begins at `at`, likewise.
   */
  SIDENOTE_PREFIX_KIND_BEGIN_NUMBER = 4,
  /**
   * `true` begins at `at`, likewise.
   */
  SIDENOTE_PREFIX_KIND_BEGIN_TRUE = 5,
  /**
   * `false` begins at `at`, likewise.
   */
  SIDENOTE_PREFIX_KIND_BEGIN_FALSE = 6,
  /**
   * `null` begins at `at`, likewise.
   */
  SIDENOTE_PREFIX_KIND_BEGIN_NULL = 7,
  /**
   * The next bytes of the leaf, which stand for themselves: `bytes` and `length`. A string's quotes are not among them.
   */
  SIDENOTE_PREFIX_KIND_WRITTEN = 8,
  /**
   * The next character of a string, which an escape or a pair of them stands for: its code point is `character`, U+FFFD for half a pair.
   */
  SIDENOTE_PREFIX_KIND_DECODED = 9,
  /**
   * The leaf is complete and ends before `at`: a string at its quote, anything else at the byte behind it.
   */
  SIDENOTE_PREFIX_KIND_END = 10,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sidenote_prefix_kind sidenote_prefix_kind;
#else
typedef uint32_t sidenote_prefix_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How a text ended, as far as it is one JSON object or array.
 */
enum sidenote_ended
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * It could still go on.
   */
  SIDENOTE_ENDED_CUT = 0,
  /**
   * The outermost value closed; what follows it was not looked at.
   */
  SIDENOTE_ENDED_CLOSED = 1,
  /**
   * The byte at `at` cannot be taken, or begins no object and no array.
   */
  SIDENOTE_ENDED_BYTE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sidenote_ended sidenote_ended;
#else
typedef uint32_t sidenote_ended;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What happens when a reserved member, or the nesting of any value, does not fit in the lent memory.
 */
enum sidenote_on_full
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Reading stops with SIDENOTE_STATUS_MEMORY or SIDENOTE_STATUS_NESTING.
   */
  SIDENOTE_ON_FULL_FAIL = 0,
  /**
   * The member stays in the text: fidelity before secrecy. Where the nesting does not fit, the rest passes unread.
   */
  SIDENOTE_ON_FULL_SHOW = 1,
  /**
   * The member goes and is reported without its value: secrecy before fidelity. Where the nesting does not fit, nothing
   * more is visible.
   */
  SIDENOTE_ON_FULL_HIDE = 2,
  /**
   * Reading stops at whatever does not fit, so that nothing is given back: for a caller that then goes on in a larger memory.
   */
  SIDENOTE_ON_FULL_GROW = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sidenote_on_full sidenote_on_full;
#else
typedef uint32_t sidenote_on_full;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The state of a reader of code regions. To be initialized with sidenote_code_regions_init.
 */
typedef struct {
  /**
   * Not to be looked at.
   */
  uint64_t opaque[SIDENOTE_CODE_REGIONS_WORDS];
} sidenote_code_regions;

/**
 * What came of reading bytes.
 */
typedef struct {
  /**
   * Whether all went well, or what was full.
   */
  sidenote_status status;
  /**
   * How many bytes of the chunk were read. Behind a full memory, reading goes on there once the machine was moved to a larger one.
   */
  size_t read;
  /**
   * SIDENOTE_STATUS_MEMORY and SIDENOTE_STATUS_NESTING: the offset of the byte that did not fit, from the beginning of the text. Else 0.
   */
  uint64_t at;
} sidenote_answer;

/**
 * Bytes of the text, from one offset to before another, both from its beginning.
 */
typedef struct {
  /**
   * The offset of the first byte.
   */
  uint64_t start;
  /**
   * The offset behind the last byte.
   */
  uint64_t end;
} sidenote_span;

/**
 * One fenced block of a text.
 */
typedef struct {
  /**
   * Its number among the regions read, from 1.
   */
  uint64_t block;
  /**
   * From the beginning of its opening line to behind its closing line, line ending included.
   */
  sidenote_span all;
  /**
   * What stands between its two fence lines, without the line ending before the closing one.
   */
  sidenote_span content;
  /**
   * The opening line's info string, without spaces around it.
   */
  sidenote_span info;
} sidenote_code_region;

/**
 * Gets each region, in text order. It must return, and must not call the same reader.
 */
typedef void (*sidenote_on_region)(void *context, const sidenote_code_region *region);

/**
 * What there was besides the regions.
 */
typedef struct {
  /**
   * How many regions there were past the most that were wanted.
   */
  uint64_t dropped;
  /**
   * Whether reading stopped before the text ended.
   */
  bool stopped;
  /**
   * The fence character of a block that is open at the end; 0 for none.
   */
  uint8_t open_fence;
  /**
   * Where reading stopped: the offset of the first byte from which no region is read.
   */
  uint64_t stopped_at;
  /**
   * How many fence characters open the block that is open at the end.
   */
  uint64_t open_fence_length;
} sidenote_code_regions_outcome;

/**
 * A reserved key. To be initialized with sidenote_key_init.
 */
typedef struct {
  /**
   * Not to be looked at.
   */
  size_t opaque[2];
} sidenote_key;

/**
 * A filter's state. To be initialized with sidenote_filter_init, and not to be moved or copied until sidenote_filter_end.
 */
typedef struct {
  /**
   * Not to be looked at.
   */
  uint64_t opaque[SIDENOTE_FILTER_WORDS];
} sidenote_filter;

/**
 * What a filter hands out. The bytes are good until the callback returns.
 */
typedef struct {
  /**
   * What it tells.
   */
  sidenote_event_kind kind;
  /**
   * A removed member: whether its value ended before the text did.
   */
  bool complete;
  /**
   * A removed member: which of the keys it has, from 0.
   */
  size_t key;
  /**
   * The bytes, or null.
   */
  const uint8_t *bytes;
  /**
   * How many bytes `bytes` points to.
   */
  size_t length;
  /**
   * A removed member and lost bytes: the number of the object, counted from 0 in text order; every `{` that could have begun one counts.
   */
  uint64_t object;
  /**
   * How many bytes were lost.
   */
  uint64_t lost;
} sidenote_event;

/**
 * Gets what a filter hands out, in text order. It must return, and must not call the same filter.
 */
typedef void (*sidenote_on_event)(void *context, const sidenote_event *event);

/**
 * The state of a reader of leading values. To be initialized with sidenote_leading_init.
 */
typedef struct {
  /**
   * Not to be looked at.
   */
  uint64_t opaque[SIDENOTE_JSON_WORDS];
} sidenote_leading;

/**
 * Gets each complete value, in text order. It must return, and must not call the same reader.
 */
typedef void (*sidenote_on_value)(void *context, const sidenote_span *value);

/**
 * What a text opens with.
 */
typedef struct {
  /**
   * Why the reading stopped.
   */
  sidenote_stopped stopped;
  /**
   * The offset where what follows the values begins, without the white space before it.
   */
  uint64_t rest;
  /**
   * SIDENOTE_STOPPED_BYTE: the offset of the byte. Else 0.
   */
  uint64_t at;
} sidenote_leading_outcome;

/**
 * The state of a reader of a JSON prefix. To be initialized with sidenote_prefix_init.
 */
typedef struct {
  /**
   * Not to be looked at.
   */
  uint64_t opaque[SIDENOTE_JSON_WORDS];
} sidenote_prefix;

/**
 * What the reader of a JSON prefix hands out. The bytes are good until the callback returns.
 */
typedef struct {
  /**
   * What it tells.
   */
  sidenote_prefix_kind kind;
  /**
   * A leaf that begins: whether it is the key of a member.
   */
  bool key;
  /**
   * A decoded character's code point.
   */
  uint32_t character;
  /**
   * An offset from the beginning of the text.
   */
  uint64_t at;
  /**
   * A leaf that begins: how many containers are open around it; one for what stands in the outermost.
   */
  uint64_t depth;
  /**
   * The bytes written, or null.
   */
  const uint8_t *bytes;
  /**
   * How many.
   */
  size_t length;
} sidenote_prefix_event;

/**
 * Gets what the reader hands out, in text order. It must return, and must not call the same reader.
 */
typedef void (*sidenote_on_prefix)(void *context, const sidenote_prefix_event *event);

/**
 * What a JSON prefix was.
 */
typedef struct {
  /**
   * How the text ended.
   */
  sidenote_ended ended;
  /**
   * Whether the text ended in a string that has whole words.
   */
  bool has_words;
  /**
   * SIDENOTE_ENDED_BYTE: the offset of the byte. Else 0.
   */
  uint64_t at;
  /**
   * How many bytes, of those that the string's events spell in UTF-8, are its whole words.
   */
  uint64_t words;
} sidenote_prefix_outcome;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Initializes a reader of at most `max` regions; more are counted. SIDENOTE_MAX_CODE_REGIONS is what a prompt can use.
 */
sidenote_status sidenote_code_regions_init(sidenote_code_regions *reader, uint64_t max);

/**
 * Reads the next `length` bytes of the text and hands out each region that is complete. It needs no lent memory and meets no limit.
 */
sidenote_answer sidenote_code_regions_push(sidenote_code_regions *reader,
                                           const uint8_t *chunk,
                                           size_t length,
                                           sidenote_on_region on,
                                           void *context);

/**
 * The text is over: hands out a region that its last line closed, and tells in `outcome`, unless that is null, what else there was.
 */
sidenote_status sidenote_code_regions_end(sidenote_code_regions *reader,
                                          sidenote_on_region on,
                                          void *context,
                                          sidenote_code_regions_outcome *outcome);

/**
 * Initializes a key with the `length` bytes at `bytes`, UTF-8 without quotes or escapes, which must stay where they are as long as the key is in use.
 */
sidenote_status sidenote_key_init(sidenote_key *key,
                                  const uint8_t *bytes,
                                  size_t length);

/**
 * The least memory that a filter with these keys begins with, in bytes: 63 for `_findings`. 0 where an argument cannot be.
 */
size_t sidenote_filter_least_memory(const sidenote_key *keys,
                                    size_t count);

/**
 * How many bytes the library takes a sidenote_filter to be: for bindings that cannot read this header.
 */
size_t sidenote_filter_size(void);

/**
 * Initializes a filter over the `size` bytes of `memory`, which it holds until sidenote_filter_end.
 *
 * `keys` points to the `count` reserved keys, which must stay as long. Null and 0 mean the one key `_findings`; not null and 0, that nothing is reserved. `on_full` is one of sidenote_on_full.
 *
 * SIDENOTE_STATUS_TOO_SMALL: `size` is less than sidenote_filter_least_memory.
 */
sidenote_status sidenote_filter_init(sidenote_filter *filter,
                                     const sidenote_key *keys,
                                     size_t count,
                                     uint8_t *memory,
                                     size_t size,
                                     uint32_t on_full);

/**
 * Reads the next `length` bytes of the text and hands out what is decided.
 *
 * Text is handed out as parts of `chunk` wherever possible. A chunk of length 0 may be null.
 */
sidenote_answer sidenote_filter_push(sidenote_filter *filter,
                                     const uint8_t *chunk,
                                     size_t length,
                                     sidenote_on_event on,
                                     void *context);

/**
 * The text is over: hands out or drops what was held, and overwrites the lent memory as far as it was used.
 *
 * After an error of sidenote_filter_push it answers with that error and does nothing: what was held stays in memory (see sidenote_filter_held) until
 * sidenote_filter_discard.
 */
sidenote_answer sidenote_filter_end(sidenote_filter *filter,
                                    sidenote_on_event on,
                                    void *context);

/**
 * Goes on in a larger memory: copies what is held there, overwrites the old one and clears SIDENOTE_STATUS_MEMORY or SIDENOTE_STATUS_NESTING.
 *
 * Reading goes on at the byte that did not fit; `read` in the answer of sidenote_filter_push says where in the chunk that is. `on_full` holds from now
 * on: who grows in steps chooses SIDENOTE_ON_FULL_GROW for all but the last. The new memory must not overlap the old one, so a `realloc` before the move is wrong.
 *
 * SIDENOTE_STATUS_TOO_SMALL: `size` is less than the memory had so far; the filter is then given up, as with sidenote_filter_discard.
 */
sidenote_status sidenote_filter_move(sidenote_filter *filter,
                                     uint8_t *memory,
                                     size_t size,
                                     uint32_t on_full);

/**
 * The bytes that are held back, and how many in `length`: after an error, what was read and not handed out. Null where an argument cannot be.
 */
const uint8_t *sidenote_filter_held(sidenote_filter *filter,
                                    size_t *length);

/**
 * Whether something was given back for lack of room, so that a blank line, a `{}`, a `{ }` or a comma may have stayed.
 */
bool sidenote_filter_released(sidenote_filter *filter);

/**
 * Gives a filter up before its text is over, and overwrites the lent memory as far as it was used. After a sidenote_filter_end that answered
 * SIDENOTE_STATUS_OK it is not needed.
 */
sidenote_status sidenote_filter_discard(sidenote_filter *filter);

/**
 * Initializes a reader over the `size` bytes of `memory`, each of which is good for 8 levels of nesting.
 */
sidenote_status sidenote_leading_init(sidenote_leading *reader, uint8_t *memory, size_t size);

/**
 * Reads the next `length` bytes of the text and hands out each value that becomes complete.
 */
sidenote_answer sidenote_leading_push(sidenote_leading *reader,
                                      const uint8_t *chunk,
                                      size_t length,
                                      sidenote_on_value on,
                                      void *context);

/**
 * Goes on in a larger memory, at the bracket that did not fit; `read` in the answer of sidenote_leading_push says where in the chunk that is.
 *
 * SIDENOTE_STATUS_TOO_SMALL: `size` is less than the memory had so far; the reader is then given up. The new memory must not overlap the old one.
 */
sidenote_status sidenote_leading_move(sidenote_leading *reader,
                                      uint8_t *memory,
                                      size_t size);

/**
 * The text is over: tells in `outcome`, unless that is null, where what follows the values begins and why the reading stopped there.
 */
sidenote_status sidenote_leading_end(sidenote_leading *reader,
                                     sidenote_leading_outcome *outcome);

/**
 * Initializes a reader over the `size` bytes of `memory`, each of which is good for 8 levels of nesting.
 */
sidenote_status sidenote_prefix_init(sidenote_prefix *reader, uint8_t *memory, size_t size);

/**
 * Reads the next `length` bytes of the text and hands out its tokens.
 */
sidenote_answer sidenote_prefix_push(sidenote_prefix *reader,
                                     const uint8_t *chunk,
                                     size_t length,
                                     sidenote_on_prefix on,
                                     void *context);

/**
 * Goes on in a larger memory, at the bracket that did not fit; `read` in the answer of sidenote_prefix_push says where in the chunk that is.
 *
 * SIDENOTE_STATUS_TOO_SMALL: `size` is less than the memory had so far; the reader is then given up. The new memory must not overlap the old one.
 */
sidenote_status sidenote_prefix_move(sidenote_prefix *reader,
                                     uint8_t *memory,
                                     size_t size);

/**
 * Writes the opening brackets of the containers that are open, the outermost first, to the `size` bytes at `brackets`, as far as they fit.
 * Answers with how many there are; 0 behind a value that closed, or where an argument cannot be.
 */
size_t sidenote_prefix_open(sidenote_prefix *reader,
                            uint8_t *brackets,
                            size_t size);

/**
 * The text is over: tells in `outcome`, unless that is null, how it ended.
 */
sidenote_status sidenote_prefix_end(sidenote_prefix *reader, sidenote_prefix_outcome *outcome);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SIDENOTE_H */
