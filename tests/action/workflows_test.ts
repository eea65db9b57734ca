// What GitHub runs of this repository. No workflow can run here, and one of their jobs lints them; what breaks quietly is held here.
import assert from "node:assert/strict";
import { load } from "js-yaml";
import { ROOT } from "../../scripts/source_files.ts";

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly needs?: string | readonly string[];
  readonly steps?: readonly { readonly run?: string; readonly uses?: string }[];
}

const FOLDER = ".github/workflows";
const FILES = [...Deno.readDirSync(`${ROOT}/${FOLDER}`)].map(({ name }) => `${FOLDER}/${name}`);

async function textOf(path: string): Promise<string> {
  return await Deno.readTextFile(`${ROOT}/${path}`);
}

async function workflow(path: string): Promise<Workflow> {
  return load(await textOf(path)) as Workflow;
}

Deno.test("actions of others are pinned to a commit, with its version beside it, the same everywhere", async () => {
  const pins = new Map<string, string>();
  for (const path of [...FILES, "action.yml"]) {
    for (const [, line = ""] of (await textOf(path)).matchAll(/\buses: (.+)/g)) {
      if (line.startsWith("./")) continue;
      const [, name = "", pin = ""] =
        /^([\w-]+\/[\w-]+)@([0-9a-f]{40} # v\d+\.\d+\.\d+)$/.exec(line) ?? [];
      assert.notEqual(pin, "", `${path}: ${line}`);
      assert.equal(pins.get(name) ?? pin, pin);
      pins.set(name, pin);
    }
  }
  assert.ok(pins.size > 5);
});

Deno.test("workflows may do nothing that a job does not ask for, and put no text from outside into scripts", async () => {
  for (const path of FILES) {
    const { permissions, jobs } = await workflow(path);
    assert.deepEqual(permissions, {}, path);
    for (const [name, job] of Object.entries(jobs)) {
      assert.ok(job.permissions !== undefined, `${path}: ${name}`);
      for (const { run } of job.steps ?? []) assert.doesNotMatch(run ?? "", /\$\{\{/, name);
    }
  }
});

Deno.test("what workflows run of this repository is there", async () => {
  const { tasks } = JSON.parse(await textOf("deno.json")) as { tasks: Record<string, string> };
  const found = new Set<string>();
  for (const path of FILES) {
    for (const { steps = [] } of Object.values((await workflow(path)).jobs)) {
      for (const { run = "" } of steps) {
        for (const [, version, task] of run.matchAll(/deno@(\S+) task (\w+)/g)) {
          assert.equal(version, "2.9.6");
          assert.ok(tasks[task ?? ""] !== undefined, task);
          found.add(task ?? "");
        }
        for (const [script] of run.matchAll(/(?:scripts|\.ci)\/\w+(?:\.ts)?/g)) {
          assert.ok((await Deno.stat(`${ROOT}/${script}`)).isFile);
          found.add(script);
        }
      }
    }
  }
  assert.ok(found.has("scripts/prepare_release.ts") && found.has(".ci/run") && found.has("site"));
});

Deno.test("nothing is published before everything is checked, built and tried", async () => {
  const { jobs } = await workflow(`${FOLDER}/release.yml`);
  for (const name of ["npm", "jsr", "image", "manual"]) {
    assert.deepEqual(jobs[name]?.needs, ["build", "check", "try"], name);
  }
  assert.deepEqual(jobs["release"]?.needs, ["build", "npm", "jsr", "image", "manual"]);
});
