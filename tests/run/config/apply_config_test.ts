import assert from "node:assert/strict";
import { parseSync } from "@optique/core/parser";
import { proxyOptions } from "../../../src/cli/proxy_options.ts";
import { reportOptions } from "../../../src/cli/report_options.ts";
import { applyConfig } from "../../../src/run/config/apply_config.ts";
import { readConfig } from "../../../src/run/config/read_config.ts";
import { inFolder } from "../../in_folder.ts";

async function proxyWith(text: string, ...args: readonly string[]) {
  const parsed = parseSync(proxyOptions, args);
  assert.ok(parsed.success);
  return await inFolder(
    { "covtool.yaml": text },
    (folder) => applyConfig(parsed.value, readConfig(`${folder}/covtool.yaml`)),
  );
}

async function reportWith(text: string, ...args: readonly string[]) {
  const parsed = parseSync(reportOptions, args);
  assert.ok(parsed.success);
  return await inFolder(
    { "covtool.yaml": text },
    (folder) => applyConfig(parsed.value, readConfig(`${folder}/covtool.yaml`)),
  );
}

Deno.test("options under proxy are read as on the command line", async () => {
  const options = await proxyWith(`
schema: https://shop.example/openapi.yaml
jobs: 2
proxy:
  port: 9000
  bodyLimit: 2M
  redact: false
  insecure: true
  intercept: api.example
`);
  assert.equal(options.schema, "https://shop.example/openapi.yaml");
  assert.equal(options.port, 9000);
  assert.equal(options.bodyLimit, 2 << 20);
  assert.equal(options.noRedact, true);
  assert.equal(options.insecure, true);
  assert.deepEqual(options.intercept, ["api.example"]);
  assert.ok(!("jobs" in options));
});

Deno.test("switches of the config file are turned off by their opposites", async () => {
  const text = "skipCovered: true\nallowRemoteRefs: true\ncolor: true\nproxy: { redact: false }\n";
  const args = ["--no-skip-covered", "--no-allow-remote-refs", "--no-color", "--redact"];
  const options = await proxyWith(text, ...args);
  assert.deepEqual(
    [options.skipCovered, options.allowRemoteRefs, options.color, options.noRedact],
    [false, false, false, false],
  );
});

Deno.test("lists of the command line replace those of the file, and exclusions add up", async () => {
  const text = `
allowRefsOutside: [/srv/a, /srv/b]
badgeDimensions: [operations, keywords]
include: GET /books
exclude: [tag:internal]
`;
  const plain = await reportWith(text);
  assert.deepEqual(plain.allowRefsOutside, ["/srv/a", "/srv/b"]);
  assert.deepEqual(plain.badgeDimensions.flat(), ["operations", "keywords"]);
  const own = await reportWith(
    text,
    ...["--allow-refs-outside", "/srv/c", "--include", "GET /authors", "--exclude", "deprecated"],
  );
  assert.deepEqual(own.allowRefsOutside, ["/srv/c"]);
  const patternOf = (entry: unknown): unknown =>
    typeof entry === "string" ? entry : (entry as { readonly pattern: string }).pattern;
  assert.deepEqual(own.include.map(patternOf), ["GET /authors"]);
  assert.deepEqual(own.exclude.map(patternOf), ["deprecated", "tag:internal"]);
});
