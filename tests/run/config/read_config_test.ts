import assert from "node:assert/strict";
import { checkConfig, readConfig } from "../../../src/run/config/read_config.ts";
import { inFolder } from "../../in_folder.ts";

/** The problems of a file, as `line:column: sentence`. */
async function problemLines(text: string, name = "covtool.yaml"): Promise<string[]> {
  return await inFolder(
    { [name]: text },
    (folder) =>
      checkConfig(`${folder}/${name}`).problems.map(({ line, column, message }) =>
        `${line}:${column}: ${message}`
      ),
  );
}

for (
  const [text, ...problems] of [
    ["failunder: 80", '1:1: Unknown key "failunder". Did you mean failUnder?'],
    ["schema: a.yaml\nfail-under: 80", '2:1: Unknown key "fail-under". Did you mean failUnder?'],
    ["omit: [tag:internal]", '1:1: Unknown key "omit". Did you mean exclude?'],
    ["failUnder: 101", "1:1: failUnder must be a percentage from 0 to 100."],
    ["failUnder: '80'", "1:1: failUnder must be a percentage from 0 to 100."],
    ["schema:", "1:1: schema must be a non-empty string."],
    ["skipCovered: yes", "1:1: skipCovered must be true or false."],
    ["jobs: 0", "1:1: jobs must be an integer from 1 to 64."],
    ["traffic: [a.har, 7]", "1:1: traffic must be a string or a list of strings."],
    [
      "title: Shop\nformat: [html, jsn]",
      '2:1: format: Unknown format "jsn". Did you mean json? Choose html, json, text, markdown, lcov, cobertura, sarif, junit, badge, overlay or hits.',
    ],
    ["- schema", "1:1: The file must be a mapping with keys such as $schema, schema, basePath."],
    ["port: 8080", '1:1: Unknown key "port". Did you mean proxy.port?'],
    ["proxy:\n  prot: 8080", '2:3: Unknown key "prot". Did you mean port?'],
    ["proxy:\n  port: 99999", "2:3: proxy.port must be an integer from 0 to 65535."],
    [
      "proxy:\n  bodyLimit: 10X",
      "2:3: proxy.bodyLimit: Expected a size such as 65536, 512k or 10M, but got 10X.",
    ],
    [
      "exclude:\n  - pattern: tag:internal\n    until: 2027-02-30",
      "3:5: exclude[1].until must be a date such as 2027-01-31.",
    ],
    ["exclude:\n  - reason: old", "2:5: exclude[1] has no pattern. Add it."],
    [
      "exclude:\n  - [tag:a]",
      "2:5: exclude[1] must be a non-empty string or a mapping with pattern.",
    ],
    ["apis:\n  - name: Shop", "2:5: apis[1] has no schema. Add it."],
    [
      "apis:\n  shop: { schema: a.yaml, host: a }\n  a/b: {}\n  c: b.yaml",
      '2:27: Unknown key "host". Did you mean hosts?',
      "3:3: apis.a/b has no schema. Add it.",
      "4:3: apis.c must be a mapping with schema.",
    ],
    ["apis:\n  - schema: a.yaml\n    host: a", '3:5: Unknown key "host". Did you mean hosts?'],
    [
      "schema: a.yaml\napis:\n  - schema: b.yaml",
      "2:1: schema and apis exclude each other. Make the schema one of the apis.",
    ],
    [
      "apis:\n  - { name: A, schema: a.yaml }\n  - { name: A, schema: b.yaml }",
      '3:7: Another API is called "A" too. Give each a name of its own.',
    ],
    [
      "apis:\n  - { name: A, schema: a.yaml }\n  - { name: B, schema: a.yaml }",
      "3:5: Another API has the same schema, hosts and basePath, so this one would get no request. Change one of these, or remove the API.",
    ],
    [
      "apis:\n  - { schema: a.yaml, hosts: https://a.example/b }",
      "2:23: apis[1].hosts: https://a.example/b is not a valid host. Use a host such as api.example, *.example or localhost:8080, without http:// or a path.",
    ],
    ["title: a\ntitle: b", '2:1: The key "title" is there twice. Keep one.'],
    [
      "failUnder: 101\ntitel: Shop",
      "1:1: failUnder must be a percentage from 0 to 100.",
      '2:1: Unknown key "titel". Did you mean title?',
    ],
  ] as const
) {
  Deno.test(`a config file with ${JSON.stringify(text)} is refused with line and column`, async () => {
    assert.deepEqual(await problemLines(text), problems);
  });
}

Deno.test("problems in a JSON config file have line and column too", async () => {
  const problems = await problemLines('{\n  "schema": "a.yaml",\n  "jobs": "2"\n}', "covtool.json");
  assert.deepEqual(problems, ["3:3: jobs must be an integer from 1 to 64."]);
});

Deno.test("a command fails with the first mistake, and the number of others", () =>
  inFolder({ "covtool.yaml": "titel: Shop\njobs: 0\n" }, (folder) => {
    const path = `${folder}/covtool.yaml`;
    assert.throws(() => readConfig(path), {
      message:
        `Cannot use ${path}: line 1, column 1: Unknown key "titel". Did you mean title? (1 more: see covtool check)`,
    });
  }));

Deno.test("a file that isn't a config file is refused with a message", () =>
  inFolder({ "a.yaml": "a: [", "b.yaml": "<html>", "c.yaml": "a\0b" }, (folder) => {
    for (
      const [name, sentence] of [
        ["a.yaml", /^Cannot use .*a\.yaml: line 1, column \d+: The YAML is broken: .+\.$/],
        ["b.yaml", /^Cannot use .*b\.yaml: It is neither YAML nor JSON\.$/],
        ["c.yaml", /^Cannot use .*c\.yaml: It is neither YAML nor JSON\.$/],
        ["d.yaml", /^Cannot read .*d\.yaml: There is no such file: check the path\.$/],
      ] as const
    ) {
      assert.throws(() => readConfig(`${folder}/${name}`), { message: sentence });
    }
  }));

Deno.test("an empty config file sets nothing", async () => {
  for (const text of ["", "# nothing yet\n", "{}"]) assert.deepEqual(await problemLines(text), []);
});

Deno.test("paths are relative to the config file, and URLs, formats and - are kept", async () => {
  const text = `schema: openapi.yaml
traffic: [recordings/*.har, "-"]
format: [html, json=out/api.json, text=-]
proxy: { saveTraffic: traffic.jsonl }
`;
  await inFolder({ "covtool.yaml": text }, (folder) => {
    const { options, proxy } = readConfig(`${folder}/covtool.yaml`);
    assert.deepEqual(options, {
      schema: `${folder}/openapi.yaml`,
      traffic: [`${folder}/recordings/*.har`, "-"],
      format: ["html", `json=${folder}/out/api.json`, "text=-"],
    });
    assert.deepEqual(proxy, { saveTraffic: `${folder}/traffic.jsonl` });
  });
  await inFolder({ "covtool.yaml": "schema: https://shop.example/openapi.yaml" }, (folder) => {
    assert.deepEqual(readConfig(`${folder}/covtool.yaml`).options, {
      schema: "https://shop.example/openapi.yaml",
    });
  });
});

Deno.test("paths are kept as written if the file is in the working directory", () =>
  inFolder({ "covtool.yaml": "schema: ./openapi.yaml" }, (folder) => {
    const before = Deno.cwd();
    Deno.chdir(folder);
    try {
      assert.equal(readConfig("covtool.yaml").options["schema"], "./openapi.yaml");
      // A test runner reads paths relative to another folder.
      assert.equal(
        readConfig("covtool.yaml", `${folder}/api`).options["schema"],
        `${folder}/openapi.yaml`,
      );
    } finally {
      Deno.chdir(before);
    }
  }));

Deno.test("scope entries and APIs have their lines", async () => {
  const text = `exclude:
  - tag:internal
  - pattern: GET /health
    reason: monitoring
    until: 2027-01-31
apis:
  - name: Shop
    schema: shop.yaml
    hosts: [shop.example]
    failUnder: 90
    include: GET /books
`;
  await inFolder({ "covtool.yaml": text }, (folder) => {
    const { exclude, apis } = readConfig(`${folder}/covtool.yaml`);
    const withoutFolder = (source = "") => source.replace(/^.*covtool\.yaml/, "covtool.yaml");
    assert.deepEqual(exclude.map((entry) => ({ ...entry, source: withoutFolder(entry.source) })), [
      { pattern: "tag:internal", source: "covtool.yaml:2" },
      {
        pattern: "GET /health",
        reason: "monitoring",
        until: "2027-01-31",
        source: "covtool.yaml:3",
      },
    ]);
    assert.deepEqual(
      apis.map(({ source, include, ...api }) => ({
        ...api,
        source: withoutFolder(source),
        include: include.map((entry) => withoutFolder(entry.source)),
      })),
      [{
        name: "Shop",
        schema: `${folder}/shop.yaml`,
        hosts: ["shop.example"],
        options: { failUnder: 90 },
        access: [],
        exclude: [],
        include: ["covtool.yaml:11"],
        source: "covtool.yaml:7",
      }],
    );
  });
});

Deno.test("APIs in a mapping have its keys as names, and otherwise equal those in a list", async () => {
  const mapping = `apis:
  Shop: { schema: shop.yaml, failUnder: 90, include: GET /books }
  a/b:
    schema: other.yaml
    hosts: b.example
    exclude: [tag:a]
  C: { name: Named, schema: c.yaml }
`;
  const list = `apis:
  - { name: Shop, schema: shop.yaml, failUnder: 90, include: GET /books }
  - name: a/b
    schema: other.yaml
    hosts: b.example
    exclude: [tag:a]
  - { name: Named, schema: c.yaml }
`;
  await inFolder({ "covtool.yaml": mapping, "list.yaml": list }, (folder) => {
    const read = (name: string) =>
      readConfig(`${folder}/${name}`).apis.map((api) =>
        JSON.parse(JSON.stringify(api).replaceAll("list.yaml", "covtool.yaml"))
      );
    assert.deepEqual(read("covtool.yaml"), read("list.yaml"));
  });
});

Deno.test("a config file may be UTF-16, as Windows PowerShell redirects output", () =>
  inFolder({}, async (folder) => {
    const path = `${folder}/covtool.yaml`;
    const units = Uint16Array.from("\uFEFFfailUnder: 80\r\n", (sign) => sign.charCodeAt(0));
    await Deno.writeFile(path, new Uint8Array(units.buffer));
    assert.equal(readConfig(path).options["failUnder"], 80);
  }));
