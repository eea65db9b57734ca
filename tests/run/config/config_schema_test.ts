import assert from "node:assert/strict";
import { Ajv } from "ajv";
import ajvFormats from "ajv-formats";
import fc from "fast-check";
import { configSchema, PAGE_PATH, SCHEMA_PATH, withKeys } from "../../../scripts/config_schema.ts";
import { RUN_OPTIONS_PATH, withOptionDocs } from "../../../scripts/run_option_docs.ts";
import { ROOT } from "../../../scripts/source_files.ts";
import { shapeProblems } from "../../../src/run/config/check_shape.ts";
import { CONFIG_SHAPE } from "../../../src/run/config/config_shape.ts";

const ajv = new Ajv({ allErrors: true });
ajvFormats.default(ajv);
const validate = ajv.compile(configSchema());

const STALE = "is stale: deno run -A scripts/config_schema.ts writes it";

Deno.test("the published JSON Schema of the config file is generated from the options", async () => {
  const published = JSON.parse(await Deno.readTextFile(`${ROOT}/${SCHEMA_PATH}`));
  assert.deepEqual(published, configSchema(), `${SCHEMA_PATH} ${STALE}`);
});

Deno.test("docs/config.md has every key", async () => {
  const page = await Deno.readTextFile(`${ROOT}/${PAGE_PATH}`);
  const plain = (text: string): string => text.replaceAll(/\s+/g, " ");
  assert.equal(plain(page), plain(withKeys(page)), `${PAGE_PATH} ${STALE}`);
});

Deno.test("the comments of test runners' options equal the help of the command line", async () => {
  const source = await Deno.readTextFile(`${ROOT}/${RUN_OPTIONS_PATH}`);
  assert.equal(source, withOptionDocs(source), `${RUN_OPTIONS_PATH} ${STALE}`);
});

const KEYS = Object.keys(CONFIG_SHAPE.members);

const VALUES = fc.oneof(
  fc.constantFrom(
    ...["", "all", "a.yaml", "json", "json=a.json", "html", "10M", "tag", "path", "gaps"],
    ...[true, false, null, 0, 1, 80, 100, 101, -1, 2.5, 70_000],
    ...["no-traffic", "operations", "2027-01-31", "2027-13-01"],
  ),
  fc.constantFrom(
    ...[[], ["html"], ["a", 7], {}, { port: 8080 }, { prot: 1 }, { pattern: "tag:a" }],
    ...[[{ pattern: "tag:a", until: "2027-01-31" }], [{ reason: "a" }], ["tag:a"]],
    ...[[{ schema: "a.yaml" }], [{ schema: "a.yaml", failUnder: 90, hosts: "a" }], { name: "a" }],
    ...[{ shop: { schema: "a.yaml" }, users: { schema: "b.yaml", hosts: "a" } }, { shop: {} }],
    ...[{ shop: { schema: "a.yaml", nane: "b" } }, { shop: "a.yaml" }, { schema: { schema: "a" } }],
  ),
);

Deno.test("the JSON Schema accepts what covtool accepts, and refuses wrong keys and types", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...KEYS, "other"), VALUES, { maxKeys: 3 }),
      (config) => {
        if (config["schema"] !== undefined && config["apis"] !== undefined) return;
        const problems = shapeProblems(CONFIG_SHAPE, config);
        const text = JSON.stringify({ config, problems });
        if (problems.length === 0) assert.ok(validate(config), text);
        // A JSON Schema can't check the content of patterns and paths.
        else if (problems.some(({ message }) => !/^[\w.[\]]+: /.test(message))) {
          assert.ok(!validate(config), text);
        }
      },
    ),
    { numRuns: 2000 },
  );
});
