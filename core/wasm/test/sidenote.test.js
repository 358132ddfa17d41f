// What strings add to the case suite: surrogates, growth, and the calls' own promises.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  MEMORY_CEILING,
  codeRegionsOf,
  jsonPrefixOf,
  leadingJsonValues,
  reservedMemberFilter,
  withoutReservedMembers,
} from "../sidenote.js";

/** What a filter shows of chunks, and what it removed. */
function filtered(chunks, key) {
  const filter = reservedMemberFilter(key);
  const text = chunks.map((chunk) => filter.push(chunk)).join("") + filter.end();
  return { text, removed: filter.removed };
}

test("a surrogate pair that two chunks share is joined", () => {
  assert.equal(filtered(["a \ud83d", "\ude00 b"]).text, "a 😀 b");
  assert.deepEqual(filtered(['{"_findings": "\ud83d', '\ude00"}']).removed, [
    { object: 0, valueText: '"😀"', complete: true },
  ]);
});

test("half a surrogate pair comes out as written, wherever it stands", () => {
  for (const text of ["\ud800", "\udc00", "a\ud800b\udc00c", "\udc00\ud800", "\ud800\ud800\udc00", "é\ud7ff\ue000"]) {
    assert.equal(withoutReservedMembers(text).text, text);
    assert.equal(filtered([...text].flatMap((character) => character.split(""))).text, text);
    const { removed } = withoutReservedMembers(`{"_findings": "${text}"}`);
    assert.equal(removed[0].valueText, `"${text}"`);
  }
});

test("a byte-order mark comes out as written", () => {
  assert.equal(withoutReservedMembers("\ufeffx").text, "\ufeffx");
});

test("a note longer than the first memory is removed, and one longer than the last is refused", () => {
  const long = JSON.stringify("x".repeat(100_000));
  assert.deepEqual(withoutReservedMembers(`a {"_findings": ${long}} b`).removed[0].valueText, long);
  assert.deepEqual(filtered([...`{"a":1,"_findings":${"[".repeat(5000)}${"]".repeat(5000)}}`]).text, '{"a":1}');
  const filter = reservedMemberFilter();
  assert.equal(filter.push("shown "), "shown ");
  assert.throws(
    () => filter.push(`more {"_findings": "${"x".repeat(MEMORY_CEILING)}"}`),
    (error) => error instanceof RangeError && error.shown === "more {",
  );
  assert.equal(filter.push("x"), "");
  assert.equal(filter.end(), "");
});

test("what is no note passes at the ceiling, however long it is", () => {
  const long = MEMORY_CEILING + 10;
  for (const text of [`x${"\n".repeat(long)}y`, `x {${" ".repeat(long)}}y`, `{"a":1${" ".repeat(long)}}`, `\`\`\`${"i".repeat(long)}\nx`]) {
    assert.equal(withoutReservedMembers(text).text, text);
    assert.equal(filtered([text.slice(0, MEMORY_CEILING), text.slice(MEMORY_CEILING)]).text, text);
  }
});

test("as many regions are read as were asked for", () => {
  const text = "```\na\n```\n```\nb\n```";
  for (const [max, read] of [[0, 0], [1, 1], [1.5, 1], [2, 2], [Infinity, 2], [-1, 0], [NaN, 0]]) {
    assert.equal(codeRegionsOf(text, max).regions.length, read);
  }
});

test("after the end every call gives nothing", () => {
  const filter = reservedMemberFilter();
  assert.equal(filter.push("a") + filter.end(), "a");
  assert.equal(filter.end(), "");
  assert.equal(filter.push("b"), "");
});

test("filters do not disturb each other", () => {
  const filters = Array.from({ length: 200 }, () => reservedMemberFilter());
  const texts = filters.map((filter, index) => filter.push(`${index} {"_fin`));
  filters.forEach((filter, index) => (texts[index] += filter.push(`dings": ${index}} .`) + filter.end()));
  filters.forEach((filter, index) => {
    assert.equal(texts[index], `${index} {} .`);
    assert.equal(filter.removed[0].valueText, String(index));
  });
});

test("memory that was given back is lent again", () => {
  const once = () => withoutReservedMembers(`{"_findings": "${"x".repeat(50_000)}"}`);
  once();
  const before = process.memoryUsage().arrayBuffers;
  for (let round = 0; round < 300; round++) once();
  assert.ok(process.memoryUsage().arrayBuffers - before < 50_000_000);
});

test("a key of one's own is compared as text", () => {
  assert.equal(filtered(['{"n\\u006fte": 1, "b": 2}'], "note").text, '{"b": 2}');
  assert.equal(filtered(['{"😀": 1, "b": 2}'], "😀").text, '{"b": 2}');
  assert.throws(() => reservedMemberFilter("\ud800"), TypeError);
});

test("indices of code regions count UTF-16 units", () => {
  const text = "é 😀\n```js x\nhi 😀\n```\nend";
  const [region] = codeRegionsOf(text).regions;
  assert.equal(text.slice(region.start, region.end), "```js x\nhi 😀\n```\n");
  assert.deepEqual([region.content, region.info, region.block], ["hi 😀", "js x", 1]);
  assert.deepEqual(codeRegionsOf("😀\n~~~~"), { regions: [], dropped: 0, openFence: "~~~~" });
  assert.deepEqual(codeRegionsOf("```\na\n```\n```\nb\n```", 1).dropped, 1);
});

test("JSON is read as far as it goes", () => {
  assert.deepEqual(leadingJsonValues('{"é": 1}\n[2] \ud800'), { values: [{ é: 1 }, [2]], rest: "\ud800" });
  assert.deepEqual(leadingJsonValues("x"), { values: [], rest: "x" });
  const cut = jsonPrefixOf('{"id": 4417, "ratio": 1.50, "none": null, "msg": "disk f\\u00fcll on 😀 and mo');
  assert.deepEqual(cut, { leaves: ["id", "4417", "ratio", "1.5", "none", "msg"], words: "disk füll on 😀 and" });
  assert.equal(jsonPrefixOf("[1]"), undefined);
  assert.equal(jsonPrefixOf("[INFO] disk"), undefined);
  assert.equal(jsonPrefixOf(" "), undefined);
});
