import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { main } from "../../src/cli/main.ts";
import { fakeHost } from "../cli/fake_host.ts";
import { inFolder, writeJson } from "../in_folder.ts";
import { shopApi } from "../shop_api.ts";

/** Stands for the longest string in these tests: the real limit is about 500 million characters. */
const LONGEST = 1 << 21;

/** A description whose JSON report is several times as long as that. */
function description(): unknown {
  const name = "a-path-that-says-everything-".repeat(80);
  return shopApi(Object.fromEntries(
    Array.from({ length: 1500 }, (_, index) => [`/${name}/${index}`, { get: { responses: {} } }]),
  ));
}

/** Runs a function while joining a list to a longer text throws, as with a report that is too large. */
async function withShortStrings(run: () => Promise<void>): Promise<void> {
  const { join } = Array.prototype;
  Array.prototype.join = function (this: unknown[], separator?: string): string {
    const text = join.call(this, separator);
    if (text.length > LONGEST) throw new RangeError("Invalid string length");
    return text;
  };
  try {
    await run();
  } finally {
    Array.prototype.join = join;
  }
}

Deno.test("saveReport() writes a report longer than the longest string, and generateReport() rejects it", () =>
  inFolder({}, async (folder) => {
    const map = CoverageMap.fromDict(description());
    const outputFile = `${folder}/coverage.json`;
    await withShortStrings(async () => {
      assert.throws(() => map.generateReport({ format: "json" }), {
        name: "RangeError",
        message: /longer than the longest string.*saveReport\(\)/,
      });
      await map.saveReport({ format: "json", outputFile });
    });
    const text = await Deno.readTextFile(outputFile);
    assert.ok(text.length > 3 * LONGEST);
    assert.equal((JSON.parse(text) as { operations: unknown[] }).operations.length, 1500);
  }));

Deno.test("the report command writes such a report in pieces, to files and to standard output", () =>
  inFolder({}, async (folder) => {
    await writeJson(`${folder}/api.json`, description());
    await Deno.writeTextFile(`${folder}/traffic.json`, '{"interactions": []}');
    const pieces: number[] = [];
    const host = fakeHost();
    const { write } = host.stdout;
    const stdout = {
      ...host.stdout,
      write: (text: string) => {
        pieces.push(text.length);
        return write(text);
      },
    };
    const outputs = ["--format", "json", "--format", `json=${folder}/out.json`];
    const args = ["report", `${folder}/api.json`, `${folder}/traffic.json`, ...outputs];
    await withShortStrings(async () => {
      assert.equal(await main(args, { ...host, stdout }), 0, host.err());
    });
    assert.ok(Math.max(...pieces) < LONGEST);
    assert.equal(host.out(), await Deno.readTextFile(`${folder}/out.json`));
  }));
