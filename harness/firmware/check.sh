#!/usr/bin/env bash
# Every case on a bare Cortex-M4 under emulation, with the stack each machine needs; and core builds for a RISC-V microcontroller.
set -euo pipefail
cd "$(dirname "$0")"
root=$PWD/../..
if ! command -v qemu-system-arm > /dev/null; then
  echo "NOT RUN: the firmware needs an emulator: apt-get install qemu-system-arm"
  exit 1
fi
"$root/.ci/cross" thumbv7em-none-eabihf build --locked --release
qemu="qemu-system-arm -M mps2-an386 -nographic -monitor none -serial null -semihosting-config enable=on,target=native -kernel"
(cd "$root" && cargo run --locked --release -q -p sidenote -- spec --device "$qemu $root/target/cross/thumbv7em-none-eabihf/release/firmware") \
  > "$root/target/firmware.txt" 2>&1 || { cat "$root/target/firmware.txt"; exit 1; }
grep ' stack ' "$root/target/firmware.txt"
tail -n 1 "$root/target/firmware.txt"
(cd "$root" && .ci/cross riscv32imac-unknown-none-elf build --locked --release -p sidenote-core)
