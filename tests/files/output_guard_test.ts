import { type Ended, run } from "../../scripts/run.ts";
import { CoverageMap } from "../../mod.ts";
import { ROOT, sourceFiles } from "../../scripts/source_files.ts";
import { main } from "../../src/cli/main.ts";
import { findCopyObstacle, OutputGuard } from "../../src/files/output_guard.ts";
import { prepareRun } from "../../src/runners/finish_run.ts";
import { readRunOptions } from "../../src/runners/run_options.ts";
import { COVTOOL_MODULE } from "../covtool_module.ts";
import { fakeHost, runCovtool } from "../cli/fake_host.ts";
import { inShop } from "../cli/shop_files.ts";
import { fails } from "../command_end.ts";
import { formatJson } from "../../src/values/json_type.ts";
import { inFolder } from "../in_folder.ts";
import assert from "node:assert/strict";

const NOT_OURS = "which covtool did not write";

/** The obstacle to replacing a file by a copy of `document`. The file has the text `existing`, or is a copy of it. */
async function obstacleTo(document: unknown, existing: unknown): Promise<string | undefined> {
  const text = typeof existing === "string" ? existing : formatJson(existing);
  return await inFolder(
    { "a.json": text },
    (folder) => findCopyObstacle(`${folder}/a.json`, formatJson(document)),
  );
}

const BOOKS = { openapi: "3.1.0", info: { title: "Books" }, paths: {} };

Deno.test("a copy replaces an earlier copy of the description with the same title", async () => {
  assert.equal(await obstacleTo(BOOKS, { ...BOOKS, paths: { "/books": {} } }), undefined);
  const swagger = { swagger: "2.0", info: { title: "Books" } };
  assert.equal(await obstacleTo(BOOKS, swagger), undefined);
  assert.equal(await obstacleTo(BOOKS, { ...BOOKS, info: { title: "Films" } }), NOT_OURS);
  assert.equal(await obstacleTo({ openapi: "3.1.0" }, { openapi: "3.1.0", info: {} }), undefined);
});

Deno.test("a copy replaces a copy of a part of a description with some equal names", async () => {
  assert.equal(await obstacleTo({ Book: {}, Film: {} }, { Book: { type: "object" } }), undefined);
  assert.equal(await obstacleTo({ Book: {} }, { Film: {} }), NOT_OURS);
  // It has a title, but isn't a description.
  assert.equal(await obstacleTo({ info: { title: "Books" } }, { info: {} }), undefined);
  assert.equal(await obstacleTo({ Book: {} }, BOOKS), NOT_OURS);
  assert.equal(await obstacleTo([1], [2]), undefined);
  assert.equal(await obstacleTo([1], { Book: {} }), NOT_OURS);
});

Deno.test("a copy doesn't replace a file that is formatted differently or isn't JSON", async () => {
  const odd = [
    ...["", "MINE\n", "openapi: 3.1.0\n", `${"[".repeat(50_000)}${"]".repeat(50_000)}`],
    ...[JSON.stringify(BOOKS), JSON.stringify(BOOKS, null, 4), formatJson([BOOKS])],
  ];
  for (const text of odd) assert.equal(await obstacleTo(BOOKS, text), NOT_OURS, text.slice(0, 20));
});

Deno.test("a copy replaces neither a link nor a folder", () =>
  inFolder({}, async (folder) => {
    const text = formatJson(BOOKS);
    assert.equal(await findCopyObstacle(`${folder}/nothing`, text), undefined);
    assert.equal(await findCopyObstacle(folder, text), "which is not a regular file");
    if (Deno.build.os === "windows") return;
    await Deno.writeTextFile(`${folder}/copy.json`, text);
    await Deno.symlink("copy.json", `${folder}/link.json`);
    assert.equal(await findCopyObstacle(`${folder}/link.json`, text), "which is a link");
  }));

const OPENAPI = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /books:
    get: { responses: { 200: { $ref: "parts/books.yaml" } } }
`;
const TRAFFIC = '{"request":{"method":"GET","url":"/books"},"response":{"status_code":200}}\n';

/** A folder with a description in two files, a folder of recordings, and links to them. */
async function inProject(use: (folder: string) => Promise<void>): Promise<void> {
  const files = {
    "openapi.yaml": OPENAPI,
    "parts/books.yaml": "description: Books\n",
    "rec/a.jsonl": TRAFFIC,
    "rec/notes.txt": "no recording",
  };
  await inFolder(files, async (folder) => {
    await Deno.symlink(`${folder}/openapi.yaml`, `${folder}/link.json`);
    await Deno.link(`${folder}/openapi.yaml`, `${folder}/hard.json`);
    await Deno.symlink(`${folder}/rec`, `${folder}/linked`);
    await use(folder);
  });
}

async function contents(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of ["openapi.yaml", "parts/books.yaml", "rec/a.jsonl"]) {
    found[name] = await Deno.readTextFile(`${folder}/${name}`);
  }
  return found;
}

/** Runs the program in a folder with a shell, for redirections. */
async function shell(folder: string, command: string): Promise<Ended> {
  const program = { DENO: Deno.execPath(), CLI: COVTOOL_MODULE };
  return await run("sh", ["-c", command.replaceAll("covtool", `"$DENO" run -A "$CLI"`)], {
    cwd: folder,
    env: { ...program, NO_COLOR: "1", XDG_DATA_HOME: `${folder}/data` },
  });
}

Deno.test("a report never overwrites its inputs, in whatever way the path is written", async () => {
  if (Deno.build.os === "windows") return;
  await inProject(async (folder) => {
    const before = await contents(folder);
    const outputs = [
      ...["./openapi.yaml", "rec/../openapi.yaml", "link.json", "hard.json", "parts/books.yaml"],
      ...["rec/a.jsonl", "linked/a.jsonl"],
    ];
    for (const output of outputs.map((name) => `${folder}/${name}`)) {
      for (const traffic of [`${folder}/rec`, `${folder}/rec/*`, `${folder}/rec/a.jsonl`]) {
        const host = fakeHost();
        const args = ["report", `${folder}/openapi.yaml`, traffic, "--format", `json=${output}`];
        assert.equal(await main(args, host), 1, output);
        assert.match(
          host.err(),
          /^Error: The report would overwrite .*, which is an input.*\ncovtool: exit 1: error\n$/,
        );
        assert.deepEqual(await contents(folder), before);
      }
    }
  });
});

Deno.test("a report from the last run may be overwritten in a folder of recordings", () =>
  inProject(async (folder) => {
    for (let time = 0; time < 2; time++) {
      const host = fakeHost();
      const output = `html=${folder}/rec/coverage.html`;
      const args = ["report", `${folder}/openapi.yaml`, `${folder}/rec`, "--format", output];
      assert.equal(await main(args, host), 0, host.err());
    }
  }));

Deno.test("two reports are never written to the same file", async () => {
  if (Deno.build.os === "windows") return;
  await inProject(async (folder) => {
    await Deno.writeTextFile(`${folder}/old.html`, "");
    await Deno.symlink(`${folder}/old.html`, `${folder}/new.html`);
    // Links without a target yet: directly, through another link, and through a linked folder.
    await Deno.symlink("nothing.html", `${folder}/dangling.html`);
    await Deno.symlink("dangling.html", `${folder}/chain.html`);
    await Deno.symlink("../nothing.html", `${folder}/rec/up.html`);
    await Deno.symlink("nowhere", `${folder}/hollow`);
    const pairs = [
      ["x.html", "./x.html"],
      ["rec/x", "linked/x"],
      ["old.html", "new.html"],
      ["nothing.html", "dangling.html"],
      ["nothing.html", "chain.html"],
      ["linked/up.html", "dangling.html"],
      ["nowhere/x", "hollow/x"],
    ];
    for (const [one, other] of pairs) {
      const host = fakeHost();
      const formats = ["--format", `html=${folder}/${one}`, "--format", `json=${folder}/${other}`];
      const args = ["report", `${folder}/openapi.yaml`, `${folder}/rec`, ...formats];
      assert.equal(await main(args, host), 1);
      assert.match(host.err(), /The report .* and the report .* would be written to the same file/);
      await assert.rejects(Deno.stat(`${folder}/nothing.html`), Deno.errors.NotFound);
    }
    const nothing = ["--format", "html=/dev/null", "--format", "json=/dev/./null"];
    const args = ["report", `${folder}/openapi.yaml`, `${folder}/rec`, ...nothing];
    assert.equal(await main(args, fakeHost()), 0);
  });
});

Deno.test("a traffic file never overwrites or extends the file of standard input", async () => {
  if (Deno.build.os === "windows") return;
  await inProject(async (folder) => {
    const before = await contents(folder);
    const input = /an input \(standard input\)|overwrite standard input/;
    for (
      const [command, expected] of [
        ["covtool convert - -o rec/a.jsonl < rec/a.jsonl", input],
        ["covtool convert rec/a.jsonl >> rec/a.jsonl", /overwrite rec\/a\.jsonl/],
        ["covtool convert - < rec/a.jsonl >> rec/a.jsonl", input],
        ["covtool report openapi.yaml - --format json=rec/a.jsonl < rec/a.jsonl", /standard input/],
      ] as const
    ) {
      const { code, err } = await shell(folder, command);
      assert.equal(code, 1, command);
      assert.match(err, expected);
      assert.deepEqual(await contents(folder), before);
    }
  });
});

Deno.test("no report overwrites the config file, and compare no environment", () =>
  inShop(async () => {
    await fails(runCovtool("report -o covtool.yaml"), /would overwrite covtool\.yaml/);
    await fails(runCovtool("run --format text=covtool.yaml -- true"), /would overwrite covtool/);
    await fails(runCovtool("gaps -o covtool.yaml"), /would overwrite covtool\.yaml/);
    const sides = "compare --tests traffic.json --production traffic.json";
    await fails(runCovtool(`${sides} -o covtool.yaml`), /would overwrite covtool\.yaml/);
    await fails(runCovtool(`${sides} --env env.json -o env.json`), /would overwrite env\.json/);
    assert.equal(await Deno.readTextFile("env.json"), '{"values":[]}');
    const options = readRunOptions({ format: "json=covtool.yaml" }, "covtool");
    await assert.rejects(prepareRun(options), /would overwrite .*covtool\.yaml/);
  }, {
    "covtool.yaml": "schema: openapi.yaml\ntraffic: traffic.json\n",
    "env.json": '{"values":[]}',
  }));

Deno.test("run and proxy never overwrite a file of the description, and the error comes first", async () => {
  if (Deno.build.os === "windows") return;
  await inProject(async (folder) => {
    const before = await contents(folder);
    for (
      const command of [
        "covtool run openapi.yaml --format json=parts/../hard.json -- touch started",
        "covtool run openapi.yaml --format json=parts/books.yaml -- touch started",
        "covtool proxy openapi.yaml --format json=link.json -- touch started",
        "covtool proxy openapi.yaml --save-traffic parts/books.yaml -- touch started",
        "covtool proxy openapi.yaml --export-ca hard.json -- touch started",
      ]
    ) {
      const { code, err } = await shell(folder, command);
      assert.equal(code, 1, command);
      assert.match(err, /^Error: The \w+ would overwrite /, command);
      assert.deepEqual(await contents(folder), before);
    }
    const twice =
      "covtool proxy openapi.yaml --save-traffic x --export-ca rec/../x -- touch started";
    assert.match((await shell(folder, twice)).err, /would be written to the same file/);
    await assert.rejects(Deno.stat(`${folder}/started`));
  });
});

Deno.test("convert never overwrites a file of the description that it gets names of secrets from", async () => {
  if (Deno.build.os === "windows") return;
  await inProject(async (folder) => {
    await Deno.writeTextFile(`${folder}/parts/books.yaml`, "$ref: deep/books.json#/B\n");
    await Deno.mkdir(`${folder}/parts/deep`);
    await Deno.writeTextFile(`${folder}/parts/deep/books.json`, '{"B":{"description":"Books"}}');
    const before = await contents(folder);
    for (
      const output of ["openapi.yaml", "parts/books.yaml", "parts/deep/books.json", "hard.json"]
    ) {
      for (const flag of ["", " --no-redact"]) {
        const { code, err } = await shell(
          folder,
          `covtool convert rec/a.jsonl --schema openapi.yaml -o ${output}${flag}`,
        );
        assert.equal(code, 1, output);
        assert.match(err, /^Error: The traffic file would overwrite [^ ]+, which is an input/);
        assert.doesNotMatch(err, /file:/);
      }
    }
    assert.deepEqual(await contents(folder), before);
    assert.match(await Deno.readTextFile(`${folder}/parts/deep/books.json`), /Books/);
  });
});

Deno.test("the library never overwrites its description with a report", () =>
  inProject(async (folder) => {
    const before = await contents(folder);
    const map = await CoverageMap.fromPath(`${folder}/openapi.yaml`);
    assert.deepEqual(
      map.documentUrls().map((url) => url.slice(url.lastIndexOf("/"))),
      ["/openapi.yaml", "/books.yaml"],
    );
    for (const name of ["link.json", "parts/books.yaml", "rec/../openapi.yaml"]) {
      await assert.rejects(
        map.saveReport({ outputFile: `${folder}/${name}` }),
        /The report would overwrite .*, which is an input/,
      );
    }
    assert.deepEqual(await contents(folder), before);
  }));

Deno.test("/dev/stdout is standard output, also if that is a file to which others write", async () => {
  if (Deno.build.os === "windows") return;
  await inProject(async (folder) => {
    const report = "covtool report openapi.yaml rec/a.jsonl --format badge=/dev/stdout";
    const { err } = await shell(folder, `{ echo before; ${report}; echo after; } > out.txt`);
    const text = await Deno.readTextFile(`${folder}/out.txt`);
    assert.match(text, /^before\n<svg[\s\S]*<\/svg>\nafter\n$/, err);
    const { out } = await shell(folder, "covtool convert rec/a.jsonl -o /dev/stdout | cat");
    assert.match(out, /"interactions"/);
    const twice = await shell(folder, `${report} --format text`);
    assert.match(twice.err, /Only one report can go to standard output/);
  });
});

Deno.test("two outputs with the same path are refused before any file is read, with their names", async () => {
  const path = "no/such/folder/x";
  const report = { name: "The report", path };
  const recording = { name: "The recording", path };
  const sentence = { name: "OverwriteError", message: /^Two reports would be written to no\// };
  assert.throws(() => new OutputGuard([report, report]), sentence);
  assert.throws(() => new OutputGuard([report]).with([recording]), {
    message:
      `The report ${path} and the recording ${path} would be written to the same file. Give each its own path.`,
  });
  const terminal = { name: "The report", path: undefined };
  await new OutputGuard([terminal, report]).check(["https://a.example/openapi.yaml", undefined]);
});

Deno.test("a guard that is extended with outputs keeps the inputs, and the first guard doesn't change", () =>
  inProject(async (folder) => {
    const guard = new OutputGuard([{ name: "The report", path: `${folder}/report.json` }]);
    await guard.check([`${folder}/openapi.yaml`]);
    const copy = { name: "The formatted copy", path: `${folder}/openapi.yaml` };
    for (let time = 0; time < 2; time++) {
      await assert.rejects(guard.with([copy]).check(), /^OverwriteError: The formatted copy would/);
    }
    await guard.check();
  }));

Deno.test("test runners refuse two reports with the same path before the tests run", () => {
  const options = { schema: "openapi.yaml", format: ["html=x", "json=x"] };
  assert.throws(() => readRunOptions(options, "covtool.json"), {
    name: "CommandError",
    message: "covtool.json: Two reports would be written to x. Give each its own path.",
  });
});

Deno.test("only one module decides what may be written", async () => {
  const comparing: string[] = [];
  for (const path of await sourceFiles(ROOT, [".ts"])) {
    if (!path.startsWith("src/") || path === "src/files/file_identity.ts") continue;
    if ((await Deno.readTextFile(`${ROOT}/${path}`)).includes("fileIdentity(")) {
      comparing.push(path);
    }
  }
  assert.deepEqual(comparing, ["src/files/output_guard.ts"]);
});
