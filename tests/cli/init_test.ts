import assert from "node:assert/strict";
import { parse } from "node:path";
import { FRAMEWORKS } from "../../src/cli/code_first.ts";
import { readConfig } from "../../src/run/config/read_config.ts";
import { inWorkingFolder } from "../in_folder.ts";
import { fails, succeeds } from "../command_end.ts";
import { runCovtool } from "./fake_host.ts";
import { SHOP_DESCRIPTION, SHOP_TRAFFIC } from "./shop_files.ts";

const HAR = JSON.stringify({
  log: { entries: [{ request: { method: "GET", url: "http://localhost/v1/books" } }] },
});

Deno.test("init writes a config file with what it finds, which report can use at once", async () => {
  const files = {
    "api/openapi.yaml": SHOP_DESCRIPTION,
    "api/parts/book.yaml": "type: object\n",
    "legacy/v1/swagger.json":
      '{"swagger": "2.0", "info": {"title": "Old", "version": "1"}, "paths": {}}',
    "recordings/a.har": HAR,
    "recordings/b.har": HAR,
    "tests/traffic.json": SHOP_TRAFFIC,
    "traffic/traffic-1-a.ndjson":
      `{"request":{"method":"GET","url":"http://localhost/v1/books"}}\n`,
    "tests/other.json": '{"a": 1}',
    "node_modules/x/openapi.yaml": SHOP_DESCRIPTION,
    "package.json": '{"devDependencies": {"vitest": "5"}, "openapi": "3.1.0"}',
    ".github/workflows/ci.yml": "on: push\n",
  };
  await inWorkingFolder(files, async () => {
    const { code, out, err } = await runCovtool("init");
    assert.deepEqual([code, err], [0, ""]);
    assert.equal(
      out,
      `Description: api/openapi.yaml (also: legacy/v1/swagger.json)
Recordings: recordings/*.har, tests/traffic.json, traffic/traffic-1-a.ndjson (4 files)
Test runner: Vitest
Build: .github/workflows/ci.yml

Wrote covtool.yaml. Next:
  covtool report
`,
    );
    const { options } = readConfig("covtool.yaml");
    assert.deepEqual(options, {
      schema: "api/openapi.yaml",
      traffic: ["recordings/*.har", "tests/traffic.json", "traffic/traffic-1-a.ndjson"],
      format: "html",
      testFormat: "vitest",
      failOn: "no-traffic",
    });
    const report = await succeeds(runCovtool("report"));
    assert.match(report.err, /\n6 requests: 5 matched/);
  });
});

Deno.test("init uses no pattern that other files of the folder match", async () => {
  const har = { "a.json": HAR, "b.json": HAR };
  const inFolder = (name: string) =>
    Object.fromEntries(Object.entries(har).map(([path, text]) => [`${name}/${path}`, text]));
  const files = {
    ...har,
    ...inFolder("api"),
    ...inFolder("traffic"),
    "package.json": "{}",
    "api/openapi.json": '{"openapi": "3.1.0", "info": {}, "paths": {}}',
  };
  await inWorkingFolder(files, async () => {
    const { out } = await succeeds(runCovtool("init"));
    assert.match(
      out,
      /^Recordings: a\.json, api\/a\.json, api\/b\.json, b\.json, traffic\/\*\.json \(6 files\)$/m,
    );
  });
});

Deno.test("init uses no pattern below a folder whose own name is one", async () => {
  const files = Object.fromEntries(
    ["[slug]/a.har", "[slug]/b.har", "(shop)/a.har", "(shop)/b.har"].map((path) => [path, HAR]),
  );
  await inWorkingFolder({ ...files, "openapi.yaml": SHOP_DESCRIPTION }, async () => {
    await succeeds(runCovtool("init"));
    const { err } = await succeeds(runCovtool("report"));
    assert.match(err, /\n4 requests: 4 matched/);
  });
});

Deno.test("init says how several descriptions can be measured together", async () => {
  const files = { "a/openapi.yaml": SHOP_DESCRIPTION, "b/openapi.yaml": SHOP_DESCRIPTION };
  await inWorkingFolder(files, async () => {
    await runCovtool("init");
    const text = await Deno.readTextFile("covtool.yaml");
    assert.match(text, /# Also found: b\/openapi\.yaml\n# To measure them in one run, .* apis/);
  });
});

Deno.test("init never overwrites a config file, whatever its name", async () => {
  for (const name of ["covtool.yaml", "covtool.yml", "covtool.json"]) {
    await inWorkingFolder({ [name]: "{}" }, async () => {
      await fails(
        runCovtool("init"),
        new RegExp(`^Error: ${parse(name).name}.* exists already, and covtool init`),
      );
      assert.equal(await Deno.readTextFile(name), "{}");
    });
  }
});

Deno.test("the error of init about a symbolic link without a target says so", async () => {
  await inWorkingFolder({}, async () => {
    await Deno.symlink("nowhere/covtool.yaml", "covtool.yaml");
    await fails(
      runCovtool("init"),
      /^Error: Cannot write covtool\.yaml: It is a symbolic link that leads to no file\. Delete/,
    );
    assert.equal(await Deno.readLink("covtool.yaml"), "nowhere/covtool.yaml");
  });
});

Deno.test("init prints what is missing and the next step", async () => {
  await inWorkingFolder({}, async () => {
    const { out } = await runCovtool("init");
    assert.match(
      out,
      /^Description: none found\. Set schema to a file or URL\.\nRecordings: none /,
    );
    assert.match(out, /\nWrote covtool\.yaml\. Next:\n {2}Set schema in covtool\.yaml, then: /);
    assert.deepEqual(readConfig("covtool.yaml").options, { format: "html", failOn: "no-traffic" });
  });
  const installed = {
    "openapi.yaml": SHOP_DESCRIPTION,
    "package.json": '{"scripts": {"test": "node --test"}}',
    "node_modules/.bin/covtool": "",
  };
  await inWorkingFolder(installed, async () => {
    assert.match((await runCovtool("init")).out, /Next:\n {2}npx covtool run -- node --import /);
  });
  for (
    const [name, text, step] of [
      ["package.json", '{"devDependencies": {"jest": "30"}}', 'Add "covtool/jest" to'],
      ["package.json", '{"scripts": {"test": "node --test"}}', "covtool run -- node --import "],
      ["deno.json", "{}", "covtool run -- deno test "],
      ["pyproject.toml", '[project]\ndependencies = ["pytest"]', "pip install covtool && "],
      ["manage.py", "", "pip install covtool && covtool run -- python -m covtool manage.py test"],
      [
        "pom.xml",
        "<project/>",
        "Add covtool-junit to the test dependencies, then: covtool run -- mvn test\n",
      ],
      [
        "build.gradle.kts",
        "",
        "Add covtool-junit to the test dependencies, then: covtool run -- ./gradlew test --rerun\n",
      ],
      [
        "go.mod",
        "module shop",
        "Add covtool.Record(t, handler) to the tests, then: covtool run -- go test ./...\n",
      ],
      [
        "Shop.Tests.csproj",
        "<Project/>",
        "Give the clients of the tests a CovtoolHandler, then: covtool run -- dotnet test\n",
      ],
      [
        "Gemfile",
        'gem "rails"',
        "Wrap the application in a CovtoolRecorder, then: covtool run -- bundle exec rake test\n",
      ],
      [
        "composer.json",
        "{}",
        "Wrap the application in a CovtoolRecorder, then: covtool run -- vendor/bin/phpunit\n",
      ],
    ] as const
  ) {
    await inWorkingFolder({ "openapi.yaml": SHOP_DESCRIPTION, [name]: text }, async () => {
      const { out } = await runCovtool("init");
      assert.ok(out.includes(`Next:\n  ${step}`), out);
    });
  }
});

Deno.test("without a description, init says how to measure the tests", async () => {
  for (
    const [dependencies, first] of [
      ['["pytest", "flask"]', "Set schema in covtool.yaml, then: covtool check"],
      ['["pytest", "fastapi"]', "Write openapi.json, name it as schema in covtool.yaml, then: "],
    ] as const
  ) {
    await inWorkingFolder(
      { "pyproject.toml": `[project]\ndependencies = ${dependencies}` },
      async () => {
        const [, next = ""] = (await runCovtool("init")).out.split("Next:\n");
        assert.ok(next.startsWith(`  ${first}`), next);
        assert.ok(next.endsWith("\n  pip install covtool && covtool run -- pytest\n"), next);
      },
    );
  }
});

Deno.test("init refers to the JSON Schema if the package for npm is installed", async () => {
  const files = { "node_modules/covtool/config.schema.json": "{}" };
  await inWorkingFolder(files, async () => {
    await runCovtool("init");
    assert.match(
      await Deno.readTextFile("covtool.yaml"),
      /^# yaml-language-server: \$schema=\.\/node_modules\/covtool\/config\.schema\.json\n/,
    );
  });
});

Deno.test("check reports mistakes in the config file, its exclusions and the description", async () => {
  const config = `schema: openapi.yaml
traffic: [gone.har, none/*.har]
exclude:
  - tag:nothing
  - pattern: GET /books
    until: 2020-01-01
baseline: base.json
env: [env.json]
`;
  const description = SHOP_DESCRIPTION.replace("in: query", "in: nowhere");
  await inWorkingFolder({ "covtool.yaml": config, "openapi.yaml": description }, async () => {
    const { out } = await fails(runCovtool("check"));
    const lines = out.split("\n");
    assert.match(out, /^openapi\.yaml:8:\d+: error: /m);
    assert.deepEqual(lines.filter((line) => !line.startsWith("openapi.yaml:")), [
      "covtool.yaml:2:11: warning: There is no file gone.har.",
      "covtool.yaml:2:21: warning: No files match none/*.har. Check the pattern and the folder.",
      "covtool.yaml:8:7: warning: There is no file env.json.",
      "covtool.yaml:7:1: warning: There is no file base.json.",
      'covtool.yaml:4:5: warning: The exclusion "tag:nothing" (covtool.yaml:4) matches nothing.',
      'covtool.yaml:5:5: warning: The exclusion "GET /books" (covtool.yaml:5) was meant until 2020-01-01. Remove it or set a later date.',
      "Checked covtool.yaml: 1 error, 6 warnings.",
      "",
    ]);
  });
});

Deno.test("check lists all mistakes of a config file and exits with 1", () =>
  inWorkingFolder({ "covtool.yaml": "titel: a\njobs: 0\n" }, async () => {
    const { out, err } = await fails(runCovtool("check"));
    assert.equal(
      out,
      `covtool.yaml:1:1: error: Unknown key "titel". Did you mean title?
covtool.yaml:2:1: error: jobs must be an integer from 1 to 64.
Checked covtool.yaml: 2 errors, 0 warnings.
`,
    );
    assert.equal(err, "covtool: exit 1: error\n");
  }));

Deno.test("check exits with 0 if there are only warnings or none", async () => {
  await inWorkingFolder({ "covtool.yaml": "title: Shop\n" }, async () => {
    const { out } = await succeeds(runCovtool("check"));
    assert.match(out, /^covtool\.yaml:1:1: warning: It names no description\. Set schema /);
  });
  const files = { "covtool.yaml": "schema: openapi.yaml\n", "openapi.yaml": SHOP_DESCRIPTION };
  await inWorkingFolder(files, async () => {
    assert.equal((await runCovtool("check")).out, "Checked covtool.yaml: nothing is wrong.\n");
  });
});

Deno.test("check accepts a description without a config file, but needs one of them", () =>
  inWorkingFolder({ "openapi.yaml": SHOP_DESCRIPTION }, async () => {
    assert.equal((await runCovtool("check openapi.yaml")).out, "nothing is wrong.\n");
    const { err } = await runCovtool("check");
    assert.match(err, /^Error: There is no covtool\.yaml in this folder or above it\. Write one /);
  }));

Deno.test("init names the framework that generates the description, and the command to export it", async () => {
  const dependency = (name: string) => JSON.stringify({ dependencies: { [name]: "1" } });
  const projects: readonly (readonly [string, string, string, RegExp])[] = [
    ["requirements.txt", "fastapi==0.1\n", "FastAPI", /main\.app\.openapi\(\)/],
    ["pyproject.toml", 'dependencies = ["fastapi"]', "FastAPI", /> openapi\.json/],
    ["package.json", dependency("@nestjs/swagger"), "NestJS", /createDocument/],
    ["package.json", dependency("@asteasolutions/zod-to-openapi"), "zod-to-openapi", /V31/],
    ["package.json", dependency("@elysiajs/openapi"), "Elysia", /app\.handle/],
    ["package.json", dependency("@fastify/swagger"), "Fastify", /app\.swagger\(\)/],
    ["package.json", dependency("@hono/zod-openapi"), "Hono", /getOpenAPI31Document/],
    ["package.json", dependency("trpc-to-openapi"), "tRPC", /generateOpenApiDocument/],
    ["package.json", dependency("tsoa"), "tsoa", /npx tsoa spec/],
    ["pom.xml", "<artifactId>springdoc-openapi-starter</artifactId>", "springdoc", /mvn verify/],
    ["build.gradle.kts", 'implementation("x:springdoc-openapi-ui:2")', "springdoc", /gradlew/],
    ["go.mod", "require github.com/swaggo/http-swagger v1.0.0\n", "swaggo", /swag@latest init/],
  ];
  for (const [file, text, framework, command] of projects) {
    await inWorkingFolder({ [file]: text }, async () => {
      const { out } = await succeeds(runCovtool("init"));
      assert.ok(out.includes(`none found. ${framework} makes it from code`), out);
      assert.match(out.split("\n")[1] ?? "", command);
      assert.match(out, /Write \S+\.json, name it as schema in covtool\.yaml/);
    });
  }
  await inWorkingFolder({ "requirements.txt": "fastapi", "a.yaml": SHOP_DESCRIPTION }, async () => {
    assert.doesNotMatch((await runCovtool("init")).out, /FastAPI/);
  });
});

Deno.test("docs/code-first.md lists every framework with its exact command", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/code-first.md", import.meta.url));
  for (const { framework, command } of FRAMEWORKS) {
    assert.ok(page.includes(framework), framework);
    if (/^(?:python|node|npx|go) /.test(command)) assert.ok(page.includes(command), command);
  }
});

Deno.test("init finds a description in UTF-16, as Windows PowerShell writes it", () =>
  inWorkingFolder({}, async () => {
    const units = Uint16Array.from(`\uFEFF${SHOP_DESCRIPTION}`, (sign) => sign.charCodeAt(0));
    await Deno.writeFile("openapi.yaml", new Uint8Array(units.buffer));
    const { out } = await succeeds(runCovtool("init"));
    assert.match(out, /^Description: openapi\.yaml\n/);
  }));
