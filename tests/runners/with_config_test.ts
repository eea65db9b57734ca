import assert from "node:assert/strict";
import { readRunOptions } from "../../src/runners/run_options.ts";
import { vitestPlugin } from "../../src/runners/vitest_plugin.ts";
import { inFolder } from "../in_folder.ts";

const CONFIG = `schema: openapi.yaml
traffic: recordings
failUnder: 80
title: Shop
print: false
format: [json=out/api.json]
showMissing: responses
`;

Deno.test("a test runner uses the config file for options that it doesn't set itself", () =>
  inFolder({ "covtool.yaml": CONFIG, "api/a.test.ts": "" }, (folder) => {
    const { options, outputs } = readRunOptions({ title: "Books" }, "options", `${folder}/api`);
    assert.equal(options.schema, `${folder}/openapi.yaml`);
    assert.equal(options.title, "Books");
    assert.equal(options.failUnder, 80);
    assert.deepEqual(options.showMissing.flat(), ["responses"]);
    assert.deepEqual(outputs, [{ format: "json", path: `${folder}/out/api.json` }]);
    const own = readRunOptions({ schema: "own.yaml", print: true }, "options", `${folder}/api`);
    assert.equal(own.options.schema, `${folder}/api/own.yaml`);
    assert.equal(own.outputs.length, 2);
  }));

Deno.test("a test runner uses several APIs from the config file", async () => {
  const config = `failUnder: 80
title: Platform
apis:
  - { name: Shop, schema: shop.yaml, failUnder: 90, exclude: deprecated }
  - { schema: users.yaml, hosts: users.example }
`;
  await inFolder({ "covtool.yaml": config }, (folder) => {
    const { options } = readRunOptions({ exclude: "tag:a", format: "json" }, "options", folder);
    assert.equal(options.title, "Platform");
    assert.deepEqual(
      options.apis?.map(({ name, title, schema, hosts, failUnder }) => [
        ...[name, title, schema, hosts, failUnder],
      ]),
      [
        ["Shop", "Shop", `${folder}/shop.yaml`, [], 90],
        [undefined, undefined, `${folder}/users.yaml`, ["users.example"], 80],
      ],
    );
    assert.deepEqual(
      options.apis?.map(({ exclude }) =>
        exclude?.map((entry) => typeof entry === "string" ? entry : entry.pattern)
      ),
      [["tag:a", "deprecated"], ["tag:a"]],
    );
    const own = readRunOptions({ schema: "own.yaml" }, "options", folder);
    assert.equal(own.options.apis, undefined);
    assert.throws(
      () => readRunOptions({ basePath: "/v1" }, "options", folder),
      /basePath is for one API/,
    );
  });
});

Deno.test("a test runner can use another config file or none", async () => {
  const files = { "covtool.yaml": CONFIG, "ci.yaml": "schema: a.yaml\nfailUnder: 5\n" };
  await inFolder(files, (folder) => {
    const { options } = readRunOptions({ config: "ci.yaml" }, "options", folder);
    assert.equal(options.failUnder, 5);
    assert.throws(() => readRunOptions({ config: false }, "options", folder), {
      message: "options: schema is missing. Set it to an OpenAPI file or URL.",
    });
  });
});

Deno.test("covtool() in Vitest measures without options if a config file has a description", async () => {
  for (const [text, runs] of [["schema: openapi.yaml\n", 1], ["title: Shop\n", 0]] as const) {
    const files = { "covtool.yaml": text, "openapi.yaml": "openapi: 3.1.0" };
    await inFolder(files, async (folder) => {
      const reporters: unknown[] = [];
      const close: (() => void)[] = [];
      await vitestPlugin({}, new URL("file:///setup.ts")).configureVitest({
        vitest: {
          config: { root: folder, watch: false, reporters },
          onClose: (listener) => void close.push(listener),
        },
        project: { config: { setupFiles: [], env: {} } },
      });
      for (const listener of close) listener();
      assert.equal(reporters.length, runs);
    });
  }
});
