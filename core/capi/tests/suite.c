/*
 * Feeds the machines what the file `requests` asks and writes what they hand out to the file `records`; spec/README.md describes both.
 * Before that, it checks what every function answers to arguments that cannot be.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sidenote.h"

#define CHECK(condition)                                               \
  do {                                                                 \
    if (!(condition)) {                                                \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);  \
      exit(1);                                                         \
    }                                                                  \
  } while (0)

enum { END, TEXT, REMOVED, LOST, REGION, VALUE, OPEN, CLOSE, BEGIN, WRITTEN, DECODED, LEAF_END };

/* Reading requests. */

static uint64_t read_number(FILE *file, int size) {
  uint64_t number = 0;
  int i;
  for (i = 0; i < size; i++) {
    int byte = fgetc(file);
    CHECK(byte != EOF);
    number |= (uint64_t)byte << (8 * i);
  }
  return number;
}

static uint32_t read_word(FILE *file) { return (uint32_t)read_number(file, 4); }

static uint8_t *read_bytes(FILE *file, uint32_t length) {
  uint8_t *bytes = malloc(length + 1);
  CHECK(bytes && fread(bytes, 1, length, file) == length);
  return bytes;
}

/* Writing records. */

static void write_number(FILE *file, uint64_t number, int size) {
  for (; size > 0; size--, number >>= 8) fputc((int)(number & 0xFF), file);
}

static void record(FILE *file, int kind, const uint64_t *numbers, int count, const uint8_t *bytes, size_t length) {
  int i;
  fputc(kind, file);
  fputc(count, file);
  for (i = 0; i < count; i++) write_number(file, numbers[i], 8);
  write_number(file, length, 4);
  CHECK(fwrite(bytes ? bytes : (const uint8_t *)"", 1, length, file) == length);
}

static void on_event(void *file, const sidenote_event *event) {
  uint64_t removed[] = {event->object, event->key, event->complete, event->bytes != NULL};
  uint64_t lost[] = {event->object, event->lost};
  switch (event->kind) {
    case SIDENOTE_EVENT_KIND_TEXT: record(file, TEXT, NULL, 0, event->bytes, event->length); break;
    case SIDENOTE_EVENT_KIND_REMOVED: record(file, REMOVED, removed, 4, event->bytes, event->length); break;
    default: record(file, LOST, lost, 2, NULL, 0);
  }
}

static void on_region(void *file, const sidenote_code_region *region) {
  uint64_t numbers[] = {region->block,       region->all.start,  region->all.end, region->content.start,
                        region->content.end, region->info.start, region->info.end};
  record(file, REGION, numbers, 7, NULL, 0);
}

static void on_value(void *file, const sidenote_span *value) {
  uint64_t numbers[] = {value->start, value->end};
  record(file, VALUE, numbers, 2, NULL, 0);
}

static void on_prefix(void *file, const sidenote_prefix_event *event) {
  uint64_t numbers[4] = {event->at, 0, 0, 0};
  switch (event->kind) {
    case SIDENOTE_PREFIX_KIND_OPEN_OBJECT:
    case SIDENOTE_PREFIX_KIND_OPEN_ARRAY:
      numbers[1] = event->kind == SIDENOTE_PREFIX_KIND_OPEN_OBJECT;
      record(file, OPEN, numbers, 2, NULL, 0);
      break;
    case SIDENOTE_PREFIX_KIND_CLOSE: record(file, CLOSE, numbers, 1, NULL, 0); break;
    case SIDENOTE_PREFIX_KIND_WRITTEN: record(file, WRITTEN, NULL, 0, event->bytes, event->length); break;
    case SIDENOTE_PREFIX_KIND_DECODED:
      numbers[0] = event->character;
      record(file, DECODED, numbers, 1, NULL, 0);
      break;
    case SIDENOTE_PREFIX_KIND_END: record(file, LEAF_END, numbers, 1, NULL, 0); break;
    default:
      numbers[1] = event->kind - SIDENOTE_PREFIX_KIND_BEGIN_STRING;
      numbers[2] = event->key;
      numbers[3] = event->depth;
      record(file, BEGIN, numbers, 4, NULL, 0);
  }
}

/* Asking machines. */

typedef struct {
  uint32_t machine, memory, keys, length, cuts;
  uint64_t choice;
  uint8_t **key_bytes;
  sidenote_key *key;
  uint8_t *text;
  uint32_t *cut;
} request;

typedef union {
  sidenote_filter filter;
  sidenote_code_regions code_regions;
  sidenote_leading leading;
  sidenote_prefix prefix;
} machine;

static sidenote_answer push(const request *asked, machine *m, const uint8_t *chunk, size_t length, FILE *out) {
  switch (asked->machine) {
    case 0: return sidenote_filter_push(&m->filter, chunk, length, on_event, out);
    case 1: return sidenote_code_regions_push(&m->code_regions, chunk, length, on_region, out);
    case 2: return sidenote_leading_push(&m->leading, chunk, length, on_value, out);
    default: return sidenote_prefix_push(&m->prefix, chunk, length, on_prefix, out);
  }
}

static sidenote_status init(const request *asked, machine *m, uint8_t *memory) {
  switch (asked->machine) {
    case 0:
      return sidenote_filter_init(&m->filter, asked->key, asked->keys, memory, asked->memory, (uint32_t)asked->choice);
    case 1: return sidenote_code_regions_init(&m->code_regions, asked->choice);
    case 2: return sidenote_leading_init(&m->leading, memory, asked->memory);
    default: return sidenote_prefix_init(&m->prefix, memory, asked->memory);
  }
}

static void end(const request *asked, machine *m, sidenote_answer answer, FILE *out) {
  uint64_t numbers[7] = {0};
  uint8_t brackets[4096];
  size_t open = 0;
  if (asked->machine == 0) {
    if (answer.status == SIDENOTE_STATUS_OK) answer = sidenote_filter_end(&m->filter, on_event, out);
    numbers[2] = sidenote_filter_least_memory(asked->key, asked->keys);
    numbers[3] = sidenote_filter_released(&m->filter);
    sidenote_filter_discard(&m->filter);
  } else if (asked->machine == 1) {
    sidenote_code_regions_outcome outcome;
    CHECK(sidenote_code_regions_end(&m->code_regions, on_region, out, &outcome) == SIDENOTE_STATUS_OK);
    numbers[2] = outcome.dropped;
    numbers[3] = outcome.stopped;
    numbers[4] = outcome.stopped_at;
    numbers[5] = outcome.open_fence;
    numbers[6] = outcome.open_fence_length;
  } else if (asked->machine == 2) {
    sidenote_leading_outcome outcome;
    CHECK(sidenote_leading_end(&m->leading, &outcome) == SIDENOTE_STATUS_OK);
    numbers[2] = outcome.rest;
    numbers[3] = outcome.stopped;
    numbers[4] = outcome.at;
  } else {
    sidenote_prefix_outcome outcome;
    open = sidenote_prefix_open(&m->prefix, brackets, sizeof brackets);
    CHECK(open <= sizeof brackets);
    CHECK(sidenote_prefix_end(&m->prefix, &outcome) == SIDENOTE_STATUS_OK);
    numbers[2] = outcome.ended;
    numbers[3] = outcome.at;
    numbers[4] = outcome.has_words;
    numbers[5] = outcome.words;
  }
  numbers[0] = answer.status;
  numbers[1] = answer.at;
  record(out, END, numbers, 7, brackets, open);
}

/* Whether memory that may have held a note was overwritten. */
static void check_wiped(const request *asked, const uint8_t *memory, sidenote_status status) {
  uint32_t i;
  for (i = 0; asked->machine == 0 && status != SIDENOTE_STATUS_TOO_SMALL && i < asked->memory; i++) CHECK(memory[i] == 0);
}

static void ask(const request *asked, FILE *out) {
  /* Storage with anything in it, as the stack has it; memory too, except that what the machine does not use stays as it was. */
  machine m;
  uint8_t *memory = calloc(asked->memory + 1, 1);
  sidenote_answer answer = {0};
  uint32_t from = 0, i;
  CHECK(memory);
  memset(&m, 0xA5, sizeof m);
  answer.status = init(asked, &m, memory);
  for (i = 0; i <= asked->cuts && answer.status == SIDENOTE_STATUS_OK; i++) {
    uint32_t to = i < asked->cuts ? asked->cut[i] : asked->length;
    /* A copy of its own, so that a reading past its end is seen. */
    uint8_t *chunk = malloc(to - from + 1);
    CHECK(chunk);
    chunk = realloc(chunk, to - from ? to - from : 1);
    CHECK(chunk);
    memcpy(chunk, asked->text + from, to - from);
    answer = push(asked, &m, chunk, to - from, out);
    free(chunk);
    from = to;
  }
  end(asked, &m, answer, out);
  check_wiped(asked, memory, answer.status);
  free(memory);
}

static int ask_next(FILE *in, FILE *out) {
  request asked = {0};
  uint32_t i, cuttings;
  int first = fgetc(in);
  if (first == EOF) return 0;
  ungetc(first, in);
  asked.machine = read_word(in);
  asked.memory = read_word(in);
  asked.choice = read_number(in, 8);
  asked.keys = read_word(in);
  asked.key = calloc(asked.keys + 1, sizeof *asked.key);
  asked.key_bytes = calloc(asked.keys + 1, sizeof *asked.key_bytes);
  CHECK(asked.key && asked.key_bytes);
  for (i = 0; i < asked.keys; i++) {
    uint32_t length = read_word(in);
    asked.key_bytes[i] = read_bytes(in, length);
    CHECK(sidenote_key_init(&asked.key[i], asked.key_bytes[i], length) == SIDENOTE_STATUS_OK);
  }
  asked.length = read_word(in);
  asked.text = read_bytes(in, asked.length);
  for (cuttings = read_word(in); cuttings > 0; cuttings--) {
    asked.cuts = read_word(in);
    asked.cut = calloc(asked.cuts + 1, sizeof *asked.cut);
    CHECK(asked.cut);
    for (i = 0; i < asked.cuts; i++) asked.cut[i] = read_word(in);
    ask(&asked, out);
    free(asked.cut);
  }
  for (i = 0; i < asked.keys; i++) free(asked.key_bytes[i]);
  free(asked.key);
  free(asked.key_bytes);
  free(asked.text);
  return 1;
}

/* Arguments that cannot be. */

static uint8_t other_memory[64];

static void reenter(void *filter, const sidenote_event *event) {
  (void)event;
  CHECK(sidenote_filter_push(filter, (const uint8_t *)"x", 1, reenter, filter).status == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_end(filter, reenter, filter).status == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_discard(filter) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_move(filter, other_memory, sizeof other_memory, 0) == SIDENOTE_STATUS_INVALID);
}

static void check_filter_arguments(void) {
  const uint8_t *x = (const uint8_t *)"x";
  uint8_t memory[64];
  size_t length = 1;
  sidenote_filter filter;
  sidenote_key key = {{0, 0}};
  CHECK(sidenote_filter_size() == sizeof filter);
  memset(&filter, 0, sizeof filter);
  CHECK(sidenote_filter_push(&filter, x, 1, reenter, NULL).status == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_end(&filter, reenter, NULL).status == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_discard(&filter) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_move(&filter, memory, sizeof memory, 0) == SIDENOTE_STATUS_INVALID);
  CHECK(!sidenote_filter_released(&filter));
  CHECK(sidenote_filter_held(&filter, &length) == NULL && length == 0);
  CHECK(sidenote_filter_held(&filter, NULL) == NULL);
  CHECK(sidenote_filter_init(NULL, NULL, 0, memory, sizeof memory, 0) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_init(&filter, NULL, 1, memory, sizeof memory, 0) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_init(&filter, &key, 1, memory, sizeof memory, 0) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_init(&filter, &key, SIZE_MAX, memory, sizeof memory, 0) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_init(&filter, NULL, 0, NULL, sizeof memory, 0) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_init(&filter, NULL, 0, memory, SIZE_MAX, 0) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_init(&filter, NULL, 0, memory, sizeof memory, 4) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_init(&filter, NULL, 0, memory, sizeof memory, 0) == SIDENOTE_STATUS_OK);
  CHECK(sidenote_filter_init(&filter, NULL, 0, memory, 62, 0) == SIDENOTE_STATUS_TOO_SMALL);
  CHECK(sidenote_filter_push(&filter, x, 1, reenter, &filter).status == SIDENOTE_STATUS_ENDED);
  CHECK(sidenote_filter_init(&filter, NULL, 0, NULL, 0, 0) == SIDENOTE_STATUS_TOO_SMALL);
  CHECK(sidenote_filter_init((sidenote_filter *)((char *)&filter + 1), NULL, 0, memory, sizeof memory, 0) ==
        SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_least_memory(NULL, 0) == 63);
  CHECK(sidenote_filter_least_memory(NULL, 1) == 0);
  CHECK(sidenote_filter_init(&filter, NULL, 0, memory, sizeof memory, SIDENOTE_ON_FULL_GROW) == SIDENOTE_STATUS_OK);
  CHECK(sidenote_filter_push(&filter, NULL, 1, reenter, &filter).status == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_push(&filter, x, SIZE_MAX, reenter, &filter).status == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_push(&filter, x, 1, NULL, &filter).status == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_push(&filter, NULL, 0, reenter, &filter).status == SIDENOTE_STATUS_OK);
  CHECK(sidenote_filter_push(&filter, x, 1, reenter, &filter).status == SIDENOTE_STATUS_OK);
  CHECK(sidenote_filter_end(&filter, NULL, &filter).status == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_end(&filter, reenter, &filter).status == SIDENOTE_STATUS_OK);
  CHECK(sidenote_filter_push(&filter, x, 1, reenter, &filter).status == SIDENOTE_STATUS_ENDED);
  CHECK(sidenote_filter_discard(&filter) == SIDENOTE_STATUS_OK);
  CHECK(sidenote_filter_push(&filter, x, 1, reenter, &filter).status == SIDENOTE_STATUS_ENDED);
  CHECK(sidenote_filter_discard(&filter) == SIDENOTE_STATUS_ENDED);
  CHECK(sidenote_key_init(NULL, x, 1) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_key_init(&key, NULL, 1) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_key_init(&key, (const uint8_t *)"\xFF", 1) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_key_init(&key, NULL, 0) == SIDENOTE_STATUS_OK);
}

static void count_text(void *length, const sidenote_event *event) {
  if (event->kind == SIDENOTE_EVENT_KIND_TEXT) *(size_t *)length += event->length;
}

static void check_larger_memory(void) {
  const char *text = "a {\"_findings\": \"a note of more than sixty-three bytes, which the first memory has no room for\"} b";
  uint8_t small[64], large[256], smaller[8];
  size_t visible = 0, held, i;
  sidenote_filter filter;
  sidenote_answer answer;
  CHECK(sidenote_filter_init(&filter, NULL, 0, small, sizeof small, SIDENOTE_ON_FULL_GROW) == SIDENOTE_STATUS_OK);
  answer = sidenote_filter_push(&filter, (const uint8_t *)text, strlen(text), count_text, &visible);
  CHECK(answer.status == SIDENOTE_STATUS_MEMORY && answer.read == answer.at);
  CHECK(sidenote_filter_held(&filter, &held) == small && held == 56);
  CHECK(sidenote_filter_move(&filter, NULL, 1, 0) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_move(&filter, large, sizeof large, 4) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_move(&filter, small, sizeof small, 0) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_move(&filter, small + 63, 64, 0) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_filter_move(&filter, large, sizeof large, SIDENOTE_ON_FULL_FAIL) == SIDENOTE_STATUS_OK);
  for (i = 0; i < sizeof small; i++) CHECK(small[i] == 0);
  answer = sidenote_filter_push(&filter, (const uint8_t *)text + answer.read, strlen(text) - answer.read, count_text, &visible);
  CHECK(answer.status == SIDENOTE_STATUS_OK);
  CHECK(sidenote_filter_end(&filter, count_text, &visible).status == SIDENOTE_STATUS_OK);
  CHECK(visible == strlen("a {} b"));
  CHECK(sidenote_filter_move(&filter, smaller, sizeof smaller, 0) == SIDENOTE_STATUS_TOO_SMALL);
  CHECK(sidenote_filter_move(&filter, large, sizeof large, SIDENOTE_ON_FULL_FAIL) == SIDENOTE_STATUS_ENDED);
}

static void ignore_region(void *context, const sidenote_code_region *region) { (void)context, (void)region; }

static void ignore_value(void *context, const sidenote_span *value) { (void)context, (void)value; }

static void ignore_prefix(void *context, const sidenote_prefix_event *event) { (void)context, (void)event; }

static void check_reader_arguments(void) {
  const uint8_t *json = (const uint8_t *)"[[1]]";
  uint8_t memory[1];
  sidenote_code_regions regions;
  sidenote_leading leading;
  sidenote_prefix prefix;
  memset(&regions, 0, sizeof regions);
  memset(&leading, 0, sizeof leading);
  memset(&prefix, 0, sizeof prefix);
  CHECK(sidenote_code_regions_push(&regions, json, 5, ignore_region, NULL).status == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_code_regions_end(&regions, ignore_region, NULL, NULL) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_code_regions_init(NULL, 1) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_code_regions_init(&regions, 1) == SIDENOTE_STATUS_OK);
  CHECK(sidenote_code_regions_push(&regions, json, 5, NULL, NULL).status == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_code_regions_end(&regions, NULL, NULL, NULL) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_code_regions_end(&regions, ignore_region, NULL, (sidenote_code_regions_outcome *)((char *)&leading + 1)) ==
        SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_code_regions_end(&regions, ignore_region, NULL, NULL) == SIDENOTE_STATUS_OK);
  CHECK(sidenote_code_regions_end(&regions, ignore_region, NULL, NULL) == SIDENOTE_STATUS_ENDED);

  CHECK(sidenote_leading_push(&leading, json, 5, ignore_value, NULL).status == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_leading_end(&leading, NULL) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_leading_init(NULL, memory, 1) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_leading_init(&leading, NULL, 1) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_leading_init(&leading, NULL, 0) == SIDENOTE_STATUS_OK);
  CHECK(sidenote_leading_push(&leading, json, 5, NULL, NULL).status == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_leading_push(&leading, json, 5, ignore_value, NULL).status == SIDENOTE_STATUS_NESTING);
  CHECK(sidenote_leading_move(&leading, memory, 1) == SIDENOTE_STATUS_OK);
  CHECK(sidenote_leading_push(&leading, json, 5, ignore_value, NULL).status == SIDENOTE_STATUS_OK);
  CHECK(sidenote_leading_move(&leading, memory, 1) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_leading_end(&leading, (sidenote_leading_outcome *)((char *)&prefix + 1)) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_leading_move(&leading, NULL, 0) == SIDENOTE_STATUS_TOO_SMALL);
  CHECK(sidenote_leading_end(&leading, NULL) == SIDENOTE_STATUS_ENDED);

  CHECK(sidenote_prefix_push(&prefix, json, 5, ignore_prefix, NULL).status == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_prefix_end(&prefix, NULL) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_prefix_open(&prefix, memory, 1) == 0);
  CHECK(sidenote_prefix_init(NULL, memory, 1) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_prefix_init(&prefix, NULL, 0) == SIDENOTE_STATUS_OK);
  CHECK(sidenote_prefix_push(&prefix, json, 5, NULL, NULL).status == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_prefix_push(&prefix, json, 5, ignore_prefix, NULL).status == SIDENOTE_STATUS_NESTING);
  CHECK(sidenote_prefix_move(&prefix, memory, 1) == SIDENOTE_STATUS_OK);
  CHECK(sidenote_prefix_push(&prefix, json, 2, ignore_prefix, NULL).status == SIDENOTE_STATUS_OK);
  CHECK(sidenote_prefix_open(&prefix, NULL, 0) == 2);
  CHECK(sidenote_prefix_move(&prefix, memory, 1) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_prefix_end(&prefix, (sidenote_prefix_outcome *)((char *)&leading + 1)) == SIDENOTE_STATUS_INVALID);
  CHECK(sidenote_prefix_move(&prefix, NULL, 0) == SIDENOTE_STATUS_TOO_SMALL);
  CHECK(sidenote_prefix_end(&prefix, NULL) == SIDENOTE_STATUS_ENDED);
}

int main(void) {
  FILE *in, *out;
  check_filter_arguments();
  check_larger_memory();
  check_reader_arguments();
  in = fopen("requests", "rb");
  out = fopen("records", "wb");
  CHECK(in && out);
  while (ask_next(in, out)) continue;
  CHECK(!ferror(in) && fclose(out) == 0);
  fclose(in);
  return 0;
}
