#!/usr/bin/env bash
# The C ABI: its header is fresh, its examples compile without a warning and run clean, the case suite passes through it,
# and what is linked needs no allocator, no panic, no formatting and no libc.
set -euo pipefail
cd "$(dirname "$0")/../.."

header=core/capi/include/sidenote.h
library=target/release/libsidenote_capi.a
out=target/capi
warnings="-Wall -Wextra -Werror -pedantic"
mkdir -p $out

if command -v cbindgen > /dev/null; then
  cbindgen --quiet core/capi --config core/capi/cbindgen.toml --output $out/sidenote.h
  cmp $header $out/sidenote.h || { echo "$header is stale: run cbindgen as core/capi/cbindgen.toml says"; exit 1; }
else
  echo "NOT RUN: whether $header is fresh: cargo install --locked cbindgen@0.29.4"
fi

# One at a time: the features of std that the harness switches on in what they share are not for C.
cargo build --locked --release -p sidenote-capi
cargo build --locked --release -p sidenote

echo "== examples, and every case, with AddressSanitizer"
sanitize="-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all"
gcc -std=c99 $warnings $sanitize -Icore/capi/include core/capi/tests/suite.c $library -o $out/suite
gcc -std=c99 $warnings $sanitize -Icore/capi/include core/capi/examples/filter.c $library -o $out/filter-c
g++ -std=c++17 $warnings $sanitize -Icore/capi/include core/capi/examples/filter.cpp $library -o $out/filter-cpp
target/release/sidenote spec --device "$PWD/$out/suite" > $out/suite.txt || { cat $out/suite.txt; exit 1; }
tail -n 1 $out/suite.txt

target/release/sidenote filter harness/examples/answer.md --notes /dev/null > $out/expected
for example in filter-c filter-cpp; do
  $out/$example < harness/examples/answer.md 2> $out/notes | cmp - $out/expected
  grep -q '"f6"' $out/notes
done

echo "== the shared library, under valgrind"
gcc -std=c99 $warnings -O2 -Icore/capi/include core/capi/examples/filter.c -Ltarget/release -lsidenote_capi -o $out/filter-shared
if command -v valgrind > /dev/null; then
  LD_LIBRARY_PATH=target/release valgrind -q --error-exitcode=9 $out/filter-shared < harness/examples/answer.md 2> /dev/null | cmp - $out/expected
else
  echo "NOT RUN: valgrind: apt-get install valgrind"
fi

echo "== no allocator, no panic, no formatting"
gcc -std=c99 $warnings -O2 -Icore/capi/include core/capi/tests/suite.c $library -Wl,--gc-sections -o $out/suite-linked
nm -C $out/suite-linked > $out/symbols
functions=$(grep -oE 'sidenote_[a-z_]+\(' $header | tr -d '(' | sort -u)
for function in $functions; do
  grep -q " T $function\$" $out/symbols || { echo "$function is not linked, so nothing is known of it"; exit 1; }
done
# The driver's own calls of malloc are libc's, undefined here; what Rust would bring is named below.
if grep -E "panic|core::fmt|__rust_(alloc|realloc|dealloc)|alloc::" $out/symbols; then
  echo "the library brings what it must not"; exit 1
fi

if [ "$(uname -sm)" = "Linux x86_64" ]; then
  echo "== no libc"
  gcc -Os -std=c11 -Wall -Wextra -Werror -ffreestanding -fno-builtin -fno-stack-protector -fno-tree-loop-distribute-patterns \
    -nostdlib -static -no-pie -Wl,--gc-sections -Icore/capi/include core/capi/examples/freestanding.c $library -o $out/freestanding
  $out/freestanding < harness/examples/answer.md | cmp - $out/expected
  if nm -u $out/freestanding | grep .; then echo "something is undefined"; exit 1; fi
  size $out/freestanding
else
  echo "NOT RUN: the binary without a libc: it is for x86-64 Linux"
fi
