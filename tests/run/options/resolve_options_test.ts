import assert from "node:assert/strict";
import { COMMAND_GROUPS } from "../../../src/cli/command_groups.ts";
import { readArguments } from "../../../src/cli/read_arguments.ts";
import { readConfig } from "../../../src/run/config/read_config.ts";
import type { GivenValues, GroupName } from "../../../src/run/options/options.ts";
import { resolveOptions } from "../../../src/run/options/resolve_options.ts";
import { inFolder } from "../../in_folder.ts";

async function resolve<Name extends GroupName>(
  groups: readonly Name[],
  text: string,
  args: readonly string[],
) {
  const given = readArguments(groups, args) as GivenValues<Name> | undefined;
  assert.ok(given);
  return await inFolder(
    { "covtool.yaml": text },
    (folder) => resolveOptions(groups, given, readConfig(`${folder}/covtool.yaml`)),
  );
}

const proxyWith = (text: string, ...args: readonly string[]) =>
  resolve(COMMAND_GROUPS.proxy, text, args);

const reportWith = (text: string, ...args: readonly string[]) =>
  resolve(COMMAND_GROUPS.report, text, args);

Deno.test("options under `proxy` are read like on the command line", async () => {
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
  assert.equal(options.redact, false);
  assert.equal(options.insecure, true);
  assert.deepEqual(options.intercept, ["api.example"]);
  assert.ok(!("jobs" in options));
});

Deno.test("command line options can turn off switches in the config file", async () => {
  const text = "skipCovered: true\nallowRemoteRefs: true\ncolor: true\nproxy: { redact: false }\n";
  const args = ["--no-skip-covered", "--no-allow-remote-refs", "--no-color", "--redact"];
  const options = await proxyWith(text, ...args);
  assert.deepEqual(
    [options.skipCovered, options.allowRemoteRefs, options.color, options.redact],
    [false, false, false, true],
  );
});

Deno.test("lists on the command line replace the file's, except exclusions, which add up", async () => {
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
  const readPattern = (entry: unknown): unknown =>
    typeof entry === "string" ? entry : (entry as { readonly pattern: string }).pattern;
  assert.deepEqual(own.include.map(readPattern), ["GET /authors"]);
  assert.deepEqual(own.exclude.map(readPattern), ["deprecated", "tag:internal"]);
});
