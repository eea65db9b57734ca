import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { FORMATS, formatsInFamily, formatTitles } from "../../../src/traffic/formats/formats.ts";

const ROOT = new URL("../../../", import.meta.url);

Deno.test("no two formats have the same name, as workers find formats by it", () =>
  assert.equal(new Set(FORMATS.map(({ name }) => name)).size, FORMATS.length));

Deno.test("each folder of a format, and each file of logs, has a line in the registry", () => {
  const folders = readdirSync(new URL("src/traffic/formats/", ROOT), { withFileTypes: true })
    .filter((entry) => entry.isDirectory()).map(({ name }) => name).sort();
  const registry = readFileSync(new URL("src/traffic/formats/formats.ts", ROOT), "utf8");
  const imports = [...registry.matchAll(/^import \{ ([A-Z_, ]+) \} from "(.+)";/gm)];
  const named = imports.flatMap(([, , path]) => /^\.\/(\w+)\//.exec(path ?? "")?.[1] ?? []).sort();
  assert.deepEqual(named, folders);
  assert.equal(imports.flatMap(([, names = ""]) => names.split(", ")).length, FORMATS.length);
});

Deno.test("docs/formats.md has a row for each format that covtool reads, and no other", () => {
  const text = readFileSync(new URL("docs/formats.md", ROOT), "utf8");
  const table = text.slice(text.indexOf("## Recordings"), text.indexOf("### Recordings in"));
  const rows = table.split("\n").filter((line) => line.startsWith("| ")).slice(2)
    .map((line) => line.split("|")[1] ?? "");
  const titles = [...new Set(FORMATS.map(({ title }) => title))];
  for (const row of rows) {
    const named = titles.filter((title) => new RegExp(`\\b${title}\\b`).test(row));
    assert.equal(named.length, 1, `${row.trim()}: ${named}`);
  }
  assert.equal(rows.length, titles.length);
});

Deno.test("the importers of a map read all formats but traffic files and logs, each in one family", () => {
  const read = (["archive", "collection", "cassette"] as const).flatMap(formatsInFamily);
  assert.equal(new Set(read).size, read.length);
  const others = FORMATS.filter((format) => !read.includes(format)).map(({ title }) => title);
  assert.deepEqual([...new Set(others)], [
    ...["access logs", "OpenTelemetry", "goreplay", "mitmproxy", "traffic files"],
  ]);
});

Deno.test("a list of formats names each program once", () => {
  assert.equal(
    formatTitles(formatsInFamily("cassette"), "and"),
    "Schemathesis, VCR, vcrpy and nock",
  );
  assert.equal(formatTitles(formatsInFamily("archive"), "or"), "HAR");
});
