/* Standard input without its notes to standard output; each note to standard error, as its value was written. */
#include <stdio.h>

#include "sidenote.h"

/* How many bytes may have to be held back: a whole note. */
static uint8_t memory[4096];

static void on_event(void *context, const sidenote_event *event) {
  FILE **files = context;
  switch (event->kind) {
    case SIDENOTE_EVENT_KIND_TEXT:
      fwrite(event->bytes, 1, event->length, files[0]);
      break;
    case SIDENOTE_EVENT_KIND_REMOVED:
      fwrite(event->bytes, 1, event->length, files[1]);
      fputc('\n', files[1]);
      break;
    default: /* lost bytes: only under SIDENOTE_ON_FULL_HIDE */
      break;
  }
}

int main(void) {
  FILE *files[] = {stdout, stderr};
  char chunk[4096];
  size_t length;
  sidenote_filter filter;
  sidenote_answer answer = {0};

  if (sidenote_filter_init(&filter, NULL, 0, memory, sizeof memory, SIDENOTE_ON_FULL_FAIL) != SIDENOTE_STATUS_OK) {
    fputs("the memory is too small\n", stderr);
    return 2;
  }
  while (answer.status == SIDENOTE_STATUS_OK && (length = fread(chunk, 1, sizeof chunk, stdin)) > 0) {
    answer = sidenote_filter_push(&filter, (const uint8_t *)chunk, length, on_event, files);
    fflush(stdout);
  }
  if (answer.status == SIDENOTE_STATUS_OK) {
    answer = sidenote_filter_end(&filter, on_event, files);
  }
  if (answer.status != SIDENOTE_STATUS_OK) {
    fprintf(stderr, "a note does not fit in %zu bytes, at byte %llu\n", sizeof memory, (unsigned long long)answer.at);
    sidenote_filter_discard(&filter);
    return 1;
  }
  return ferror(stdin) || fflush(stdout) != 0 ? 2 : 0;
}
