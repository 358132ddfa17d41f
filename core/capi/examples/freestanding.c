/*
 * Standard input without its notes to standard output, on x86-64 Linux with no libc at all: what the machines need of one stands here.
 *
 *     gcc -Os -ffreestanding -fno-builtin -fno-stack-protector -nostdlib -static -no-pie -Wl,--gc-sections ...
 */
#include "sidenote.h"

/* All that sidenote takes from a libc. */

void *memcpy(void *restrict to, const void *restrict from, size_t length) {
  for (size_t i = 0; i < length; i++) ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
  return to;
}

void *memset(void *at, int byte, size_t length) {
  for (size_t i = 0; i < length; i++) ((uint8_t *)at)[i] = (uint8_t)byte;
  return at;
}

int memcmp(const void *one, const void *other, size_t length) {
  for (size_t i = 0; i < length; i++) {
    int difference = ((const uint8_t *)one)[i] - ((const uint8_t *)other)[i];
    if (difference != 0) return difference;
  }
  return 0;
}

int bcmp(const void *one, const void *other, size_t length) { return memcmp(one, other, length); }

/* System calls. */

enum { READ = 0, WRITE = 1, EXIT = 60 };

static long call(long number, long a, long b, long c) {
  long answer;
  __asm__ volatile("syscall" : "=a"(answer) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return answer;
}

static void write_all(int file, const uint8_t *bytes, size_t length) {
  while (length > 0) {
    long written = call(WRITE, file, (long)bytes, (long)length);
    if (written <= 0) call(EXIT, 2, 0, 0);
    bytes += written;
    length -= (size_t)written;
  }
}

static void on_event(void *context, const sidenote_event *event) {
  (void)context;
  if (event->kind == SIDENOTE_EVENT_KIND_TEXT) write_all(1, event->bytes, event->length);
}

static uint8_t memory[4096];
static uint8_t chunk[4096];

static int run(void) {
  sidenote_filter filter;
  sidenote_answer answer = {SIDENOTE_STATUS_OK, 0, 0};
  long length = 0;
  if (sidenote_filter_init(&filter, 0, 0, memory, sizeof memory, SIDENOTE_ON_FULL_FAIL) != SIDENOTE_STATUS_OK) return 2;
  while (answer.status == SIDENOTE_STATUS_OK && (length = call(READ, 0, (long)chunk, sizeof chunk)) > 0) {
    answer = sidenote_filter_push(&filter, chunk, (size_t)length, on_event, 0);
  }
  if (answer.status == SIDENOTE_STATUS_OK) answer = sidenote_filter_end(&filter, on_event, 0);
  if (answer.status != SIDENOTE_STATUS_OK) sidenote_filter_discard(&filter);
  return length < 0 ? 2 : answer.status != SIDENOTE_STATUS_OK;
}

/* The kernel leaves the stack aligned to 16 bytes, with no return address on it. */
__asm__(".globl _start\n_start:\n  xor %ebp, %ebp\n  call start\n");

__attribute__((noreturn, used)) void start(void);
void start(void) {
  call(EXIT, run(), 0, 0);
  for (;;) continue;
}
