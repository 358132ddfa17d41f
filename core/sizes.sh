#!/usr/bin/env bash
# What sidenote costs on a Cortex-M4 (thumbv7em-none-eabihf, opt-level "s"): flash of each machine with its C functions, and of all.
# Flash is code and constants, memcpy, memmove and the like included. A budget that is passed fails.
set -euo pipefail
cd "$(dirname "$0")/.."

target=thumbv7em-none-eabihf
.ci/cross $target build --locked --quiet --profile embedded -p sidenote-capi
library=target/cross/$target/embedded/libsidenote_capi.a
linker=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/host: //p')/bin/rust-lld
out=target/sizes
mkdir -p $out

# machine NAME BUDGET PATTERN: links the functions that match, and says what they take.
machine() {
  local functions roots
  functions=$(grep -oE 'sidenote_[a-z_]+\(' core/capi/include/sidenote.h | tr -d '(' | sort -u | grep -E "^sidenote_($3)$")
  roots=$(printf -- '-u %s ' $functions)
  "$linker" -flavor gnu --gc-sections $roots -e "${functions%%$'\n'*}" $library -o "$out/$1.elf"
  "$size" --format=sysv "$out/$1.elf" > "$out/$1.txt"
  "$nm" -C "$out/$1.elf" > "$out/$1.symbols"
  for function in $functions; do
    grep -q " T $function\$" "$out/$1.symbols" || { echo "$function is not linked"; exit 1; }
  done
  if grep -E "panicking|core::fmt|alloc::|__rust_" "$out/$1.symbols"; then
    echo "$1 brings what it must not"; exit 1
  fi
  awk -v name="$1" -v budget="$2" '
    $1 ~ /^\.text/ { code += $2 } $1 ~ /^\.rodata/ { constants += $2 } $1 ~ /^\.(data|bss)/ { data += $2 }
    END {
      printf "| %-14s | %6d | %9d | %6d |", name, code, constants, code + constants
      if (budget) printf " %6d |", budget; else printf "        |"
      print ""
      if (data > 0) { print name " has variables of its own"; exit 1 }
      if (budget && code + constants > budget) { print name " is over its budget"; exit 1 }
    }' "$out/$1.txt"
}

size=$(command -v arm-none-eabi-size || command -v llvm-size || command -v size)
nm=$(command -v arm-none-eabi-nm || command -v llvm-nm || command -v nm)
echo "| machine        |   code | constants |  flash | budget |"
echo "| -------------- | -----: | --------: | -----: | -----: |"
each="init|push|end"
machine "filter" 12288 "filter_($each)"
machine "code regions" "" "code_regions_($each)"
machine "leading values" "" "leading_($each)"
machine "JSON prefix" "" "prefix_($each|open)"
machine "all functions" 22528 ".*"
