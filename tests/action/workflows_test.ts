// Tests workflows of this repository, which can't run here. A job lints them; these tests cover what breaks silently.
import assert from "node:assert/strict";
import { load } from "js-yaml";
import { TARGETS } from "../../scripts/build_release.ts";
import { billsOfMaterials } from "../../scripts/build_sbom.ts";
import { run } from "../../scripts/run.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { inFolder } from "../in_folder.ts";

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly needs?: string | readonly string[];
  readonly steps?: readonly {
    readonly name?: string;
    readonly run?: string;
    readonly uses?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

const FOLDER = ".github/workflows";
const FILES = [...Deno.readDirSync(`${ROOT}/${FOLDER}`)].map(({ name }) => `${FOLDER}/${name}`);

async function readText(path: string): Promise<string> {
  return await Deno.readTextFile(`${ROOT}/${path}`);
}

async function workflow(path: string): Promise<Workflow> {
  return load(await readText(path)) as Workflow;
}

Deno.test("third-party actions are pinned to a commit with its version beside it, the same everywhere", async () => {
  const pins = new Map<string, string>();
  for (const path of [...FILES, "action.yml"]) {
    for (const [, line = ""] of (await readText(path)).matchAll(/\buses: (.+)/g)) {
      if (line.startsWith("./")) continue;
      const [, name = "", pin = ""] =
        /^([\w-]+(?:\/[\w-]+)+)@([0-9a-f]{40} # v\d+\.\d+\.\d+)$/.exec(line) ?? [];
      assert.notEqual(pin, "", `${path}: ${line}`);
      assert.equal(pins.get(name) ?? pin, pin);
      pins.set(name, pin);
    }
  }
  assert.ok(pins.size > 5);
});

Deno.test("jobs request all permissions of workflows, and no outside text gets into scripts", async () => {
  for (const path of FILES) {
    const { permissions, jobs } = await workflow(path);
    assert.deepEqual(permissions, {}, path);
    for (const [name, job] of Object.entries(jobs)) {
      assert.ok(job.permissions !== undefined, `${path}: ${name}`);
      for (const { run } of job.steps ?? []) assert.doesNotMatch(run ?? "", /\$\{\{/, name);
    }
  }
});

Deno.test("tasks and scripts that workflows run exist", async () => {
  const { tasks } = JSON.parse(await readText("deno.json")) as { tasks: Record<string, string> };
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

Deno.test("everything that is published is attested with its SBOM, by a job with the permission", async () => {
  const { jobs } = await workflow(`${FOLDER}/release.yml`);
  const attested = (name: string): Record<string, unknown>[] =>
    (jobs[name]?.steps ?? []).filter(({ uses = "" }) => uses.startsWith("actions/attest@"))
      .map((step) => step.with ?? {});
  for (const name of ["build", "image"]) {
    const { permissions = {} } = jobs[name] ?? {};
    assert.deepEqual([permissions["id-token"], permissions["attestations"]], ["write", "write"]);
    assert.equal(permissions["contents"], "read");
  }
  const [provenance, program, library] = attested("build");
  // The release and npm get all files of these two folders, including checksums.
  assert.deepEqual(String(provenance?.["subject-path"]).trim().split(/\s+/), [
    "dist/release/*",
    "dist/covtool-*.tgz",
  ]);
  const bills = [...(await billsOfMaterials(ROOT, new Date(0))).keys()];
  assert.deepEqual(
    [program, library].map((step) => step?.["sbom-path"]),
    bills.map((name) => `dist/release/${name}`),
  );
  const covered = String(program?.["subject-path"]).trim().split(/\s+/)
    .map((pattern) => pattern.replace(/^dist\/release\/|\*$/g, ""));
  for (const name of Object.values(TARGETS)) {
    assert.ok(covered.some((start) => name.startsWith(start)), name);
  }
  const image = jobs["image"]?.steps?.find(({ uses = "" }) => uses.startsWith("docker/build-push"));
  assert.equal(image?.with?.["provenance"], "mode=max");
  assert.equal(image?.with?.["sbom"], true);
  assert.match(String(attested("image")[0]?.["subject-digest"]), /outputs\.digest/);
});

Deno.test("the documentation says how to verify attestations", async () => {
  const text = await readText("docs/install.md");
  for (const line of ["gh attestation verify covtool-linux-x64", "gh attestation verify oci://"]) {
    assert.ok(text.includes(line), line);
  }
  assert.ok(Object.values(TARGETS).includes("covtool-linux-x64"));
  const [, signer = ""] = /--signer-workflow OWNER\/covtool\/(\S+)/.exec(text) ?? [];
  assert.ok(FILES.includes(signer), signer);
});

Deno.test("workflows in the documentation request no more permissions than needed", async () => {
  let found = 0;
  for (const { name } of Deno.readDirSync(`${ROOT}/docs`)) {
    if (!name.endsWith(".md")) continue;
    for (
      const [, text = ""] of (await readText(`docs/${name}`)).matchAll(/^```ya?ml\n([^]*?)^```/gm)
    ) {
      if (!text.includes("uses: actions/") && !/uses: OWNER/.test(text)) continue;
      found++;
      const block = load(text) as Partial<Workflow> & Pick<Job, "steps">;
      const jobs = block.jobs === undefined ? [block] : Object.values(block.jobs);
      const place = `docs/${name}: ${text.slice(0, 60)}`;
      for (const permissions of [block.permissions, ...jobs.map((job) => job.permissions)]) {
        for (const [scope, level] of Object.entries(permissions ?? {})) {
          if (level === "read") continue;
          assert.match(
            text,
            new RegExp(`${scope}: write # \\w`),
            `${place}: ${scope} has no reason`,
          );
        }
      }
      for (const job of jobs) {
        assert.ok((job.permissions ?? block.permissions) !== undefined, place);
        for (const { uses = "", with: given = {} } of job.steps ?? []) {
          if (!uses.startsWith("actions/checkout@")) continue;
          assert.equal(given["persist-credentials"], false, place);
        }
      }
    }
  }
  assert.ok(found >= 4, String(found));
});

Deno.test("nothing is published before everything is checked, built and tested", async () => {
  const { jobs } = await workflow(`${FOLDER}/release.yml`);
  for (const name of ["npm", "jsr", "image", "manual"]) {
    assert.deepEqual(jobs[name]?.needs, ["build", "check", "try"], name);
  }
  assert.deepEqual(jobs["release"]?.needs, ["build", "npm", "jsr", "image", "manual"]);
});

/** Runs a step of the release in a folder. */
async function runScript(
  job: string,
  step: string,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<number> {
  const { jobs } = await workflow(`${FOLDER}/release.yml`);
  const script = jobs[job]?.steps?.find(({ name }) => name === step)?.run;
  assert.ok(script !== undefined, `${job} has no step "${step}"`);
  return (await run("bash", ["-eo", "pipefail", "-c", script], options)).code;
}

/** Runs a step of the release with fake commands, and returns their arguments. */
async function runStep(
  job: string,
  step: string,
  env: Readonly<Record<string, string>>,
  commands: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly asked: string[] }> {
  const files = { "release/covtool-linux-x64": "", "package/covtool-1.2.3.tgz": "" };
  return await inFolder(files, async (cwd) => {
    await Deno.mkdir(`${cwd}/bin`);
    for (const [name, answer] of Object.entries(commands)) {
      const text = `#!/usr/bin/env bash\necho "${name} $*" >> "${cwd}/asked"\n${answer}\n`;
      await Deno.writeTextFile(`${cwd}/bin/${name}`, text, { mode: 0o755 });
    }
    const PATH = `${cwd}/bin:${Deno.env.get("PATH") ?? ""}`;
    const code = await runScript(job, step, { cwd, env: { ...env, PATH } });
    const asked = await Deno.readTextFile(`${cwd}/asked`).catch(() => "");
    return { code, asked: asked.trim().split("\n") };
  });
}

const VERSION = { VERSION: "1.2.3", CHANNEL: "latest", GH_REPO: "ada/covtool", GITHUB_SHA: "abc" };

Deno.test("a release has its notes and files, and moves the tag of its major version", async () => {
  const { code, asked } = await runStep("release", "Publish the release", VERSION, {
    gh: "exit 0",
  });
  assert.equal(code, 0);
  assert.deepEqual(asked, [
    "gh release create v1.2.3 --verify-tag --title covtool 1.2.3 --notes-file notes/notes.md release/covtool-linux-x64 package/covtool-1.2.3.tgz",
    "gh api --silent --method PATCH repos/ada/covtool/git/refs/tags/v1 -f sha=abc -F force=true",
  ]);
  const first = await runStep("release", "Publish the release", VERSION, {
    gh: '[[ "$*" != *PATCH* ]]',
  });
  assert.equal(first.code, 0);
  assert.match(first.asked[2] ?? "", /--method POST .*-f ref=refs\/tags\/v1 -f sha=abc$/);
});

Deno.test("a prerelease is marked as such, and moves no tag", async () => {
  const env = { ...VERSION, VERSION: "2.0.0-rc.1", CHANNEL: "next" };
  const { asked } = await runStep("release", "Publish the release", env, { gh: "exit 0" });
  assert.equal(asked.length, 1);
  assert.match(asked[0] ?? "", / --prerelease /);
});

Deno.test("a version is published to npm once, with provenance", async () => {
  const step = "Publish unless an earlier attempt did";
  const first = await runStep("npm", step, VERSION, { npm: '[ "$1" != view ]' });
  assert.equal(first.code, 0);
  assert.deepEqual(first.asked, [
    "npm view covtool@1.2.3 version",
    "npm publish ./covtool-1.2.3.tgz --provenance --access public --tag latest",
  ]);
  const again = await runStep("npm", step, VERSION, { npm: '[ "$1" = view ] && echo 1.2.3' });
  assert.deepEqual(again.asked, ["npm view covtool@1.2.3 version"]);
});

Deno.test("a version that is set by hand is pushed with its tag, which starts the release again", async () => {
  const env = { VERSION: "1.2.3", GITHUB_REF_NAME: "main" };
  const tools = { git: "exit 0", gh: "exit 0", npx: "exit 0" };
  const prepared = await runStep("prepare", "Prepare the release", env, tools);
  assert.equal(
    prepared.asked.at(-1),
    "npx -y deno@2.9.6 run -A --config deno.dev.json scripts/prepare_release.ts 1.2.3",
  );
  const { asked } = await runStep("prepare", "Push and start the workflow on the tag", env, tools);
  assert.deepEqual(asked, [
    "gh auth setup-git",
    "git push --atomic origin HEAD:refs/heads/main refs/tags/v1.2.3",
    "gh workflow run release.yml --ref v1.2.3",
  ]);
});

Deno.test("a tag that differs from the version in the sources builds nothing", async () => {
  const current = (JSON.parse(await readText("deno.json")) as { version: string }).version;
  const step = "Check that the tag has this version";
  for (const [name, expected] of [[`v${current}`, 0], ["v9.9.9", 1]] as const) {
    await inFolder({}, async (folder) => {
      const files = { GITHUB_OUTPUT: `${folder}/output`, GITHUB_ENV: `${folder}/env` };
      const env = { GITHUB_REF_NAME: name, ...files };
      const code = await runScript("build", step, { cwd: ROOT, env });
      assert.equal(code, expected, name);
      if (code !== 0) return;
      const output = await Deno.readTextFile(files.GITHUB_OUTPUT);
      assert.equal(output, `version=${current}\nchannel=latest\n`);
      assert.match(await Deno.readTextFile(files.GITHUB_ENV), /^SOURCE_DATE_EPOCH=\d+\n$/);
    });
  }
});
