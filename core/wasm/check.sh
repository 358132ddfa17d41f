#!/usr/bin/env bash
# The package for JavaScript: its size, its tests, every case through Node, the example page in a browser, and that what npm packs installs.
set -euo pipefail
cd "$(dirname "$0")"
./build.sh
out=$PWD/../../target/wasm
rm -rf "$out"
mkdir -p "$out"

raw=$(wc -c < sidenote.wasm)
gzip=$(gzip -9c sidenote.wasm | wc -c)
echo "| WebAssembly | $raw bytes | $gzip bytes with gzip | budget 16384 |"
[ "$gzip" -le 16384 ] || { echo "the module is over its budget"; exit 1; }

node --test test/sidenote.test.js > "$out/tests" || { cat "$out/tests"; exit 1; }
grep -E '^# (tests|pass|fail)' "$out/tests"

(cd ../.. && cargo run --locked --release --quiet -p sidenote -- spec --exec "node core/wasm/test/adapter.js") > "$out/suite" || { cat "$out/suite"; exit 1; }
tail -n 1 "$out/suite"

echo "== what npm packs installs, imports and has types"
trap 'rm -f LICENSE-APACHE LICENSE-MIT' EXIT
cp ../../LICENSE-APACHE ../../LICENSE-MIT .
npm pack --silent --pack-destination "$out"
mkdir "$out/user"
(
  cd "$out/user"
  npm init --yes > /dev/null
  npm install --silent --no-audit --no-fund "$out"/sidenote-wasm-*.tgz typescript@5
  cat > use.mts <<'TS'
import { reservedMemberFilter, type RemovedMember } from "sidenote-wasm";
const filter = reservedMemberFilter();
const shown: string = filter.push('{"a": 1, "_find') + filter.push('ings": [2]}') + filter.end();
const removed: readonly RemovedMember[] = filter.removed;
if (shown !== '{"a": 1}' || removed[0]?.valueText !== "[2]") throw new Error(shown);
TS
  npx tsc --strict --module nodenext --target es2022 use.mts
  node use.mjs
)

if [ -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
  npm install --silent --no-audit --no-fund --no-save playwright-core@1
  node test/page.js "$out/page.png"
else
  echo "NOT RUN: the page needs a browser: apt-get install chromium"
  exit 1
fi
