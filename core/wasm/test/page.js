// The example page in a headless Chromium: pastes an answer, streams it, and looks at what the page shows.
//
//     node test/page.js [PICTURE]      needs playwright-core, and Chromium at CHROMIUM or /usr/bin/chromium

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const root = new URL("..", import.meta.url).pathname;
const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const server = createServer(async (request, response) => {
  const path = join(root, normalize(new URL(request.url, "http://host").pathname));
  try {
    const file = await readFile(path);
    response.writeHead(200, { "content-type": types[extname(path)] ?? "text/plain" }).end(file);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(`http://127.0.0.1:${server.address().port}/example/index.html`);
  await page.waitForFunction(() => document.getElementById("state").textContent === "ready");
  await page.fill("#answer", 'Yes. \u{1F600}\n\n{"_findings": ["sure"]}\n\n{"a": 1, "_findings": {"b": 2}}');
  await page.click("#stream");
  await page.waitForFunction(() => document.getElementById("state").textContent === "done");
  assert.equal(await page.textContent("#shown"), 'Yes. \u{1F600}\n\n{"a": 1}');
  assert.deepEqual(await page.locator("#notes li").allTextContents(), ['["sure"]', '{"b": 2}']);
  assert.deepEqual(problems, []);
  if (process.argv[2]) await page.screenshot({ path: process.argv[2] });
  console.log("the page streams an answer and shows its notes");
} finally {
  await browser.close();
  server.close();
}
