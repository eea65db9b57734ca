// Every description and recording of tests/fixtures/worked, through the command line in every format.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { main } from "../../src/cli/main.ts";
import schema from "../../src/report/report.schema.json" with { type: "json" };
import { textWidth } from "../../src/report/text/text_width.ts";
import { fakeHost } from "./fake_host.ts";

const FOLDER = decodeURIComponent(new URL("../fixtures/worked/", import.meta.url).pathname);
const DESCRIPTIONS = ["openapi.yaml", "openapi.json", "swagger.yaml", "swagger.json"];

const validate = new Ajv2020({ allErrors: true, strictTypes: false }).compile<unknown>(schema);

async function print(folder: string, options: readonly string[]): Promise<string> {
  const description = DESCRIPTIONS.find((name) => existsSync(`${folder}/${name}`));
  const settings = existsSync(`${folder}/options.json`)
    ? JSON.parse(readFileSync(`${folder}/options.json`, "utf8")) as { readonly base_path?: string }
    : {};
  const host = fakeHost();
  const code = await main([
    "report",
    `${folder}/${description}`,
    `${folder}/traffic.json`,
    ...(settings.base_path === undefined ? [] : ["--base-path", settings.base_path]),
    ...options,
  ], host);
  assert.equal(code, 0, host.err());
  return host.out();
}

for (const entry of readdirSync(FOLDER, { withFileTypes: true })) {
  if (!entry.isDirectory()) continue;
  const folder = FOLDER + entry.name;
  Deno.test(`the reports of ${entry.name} fit the JSON Schema and the terminal`, async () => {
    const report: unknown = JSON.parse(await print(folder, ["--format", "json"]));
    assert.equal(validate(report), true, JSON.stringify(validate.errors));
    for (const options of [[], ["--show-missing", "all"]]) {
      // Commands to copy are broken into lines on a terminal alone.
      const text = await print(folder, ["--format", "text", "--no-suggestions", ...options]);
      for (const line of text.split("\n")) assert.ok(textWidth(line) <= 80, line);
    }
  });
}
