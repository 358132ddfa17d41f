#!/usr/bin/env bash
# Builds sidenote.wasm beside the JavaScript that loads it. Users of a package get it built; with rustup, `rustup target add
# wasm32-unknown-unknown` is all this needs.
set -euo pipefail
cd "$(dirname "$0")/../.."
export RUSTFLAGS="-Clink-arg=-zstack-size=16384 -Cstrip=symbols"
.ci/cross wasm32-unknown-unknown build --locked --quiet --profile embedded -p sidenote-wasm
cp target/cross/wasm32-unknown-unknown/embedded/sidenote_wasm.wasm core/wasm/sidenote.wasm
