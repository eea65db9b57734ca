import {
  hasEnded,
  isProcessAlive,
  PROCESS_MARK,
  processMark,
  processStart,
} from "../../src/files/process_mark.ts";
import { inFolder } from "../in_folder.ts";
import { spawn } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSession, recoverSessions } from "../../src/cli/proxy_session.ts";
import { ROOT, sourceFiles } from "../../scripts/source_files.ts";
import assert from "node:assert/strict";
import process from "node:process";

/** The id of a process that has ended. */
async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  const { pid } = child;
  assert.ok(pid !== undefined);
  await new Promise((resolve) => child.on("exit", resolve));
  return pid;
}

Deno.test("isProcessAlive() is true for this process, and false for one that has ended", async () => {
  assert.equal(isProcessAlive(process.pid), true);
  assert.equal(isProcessAlive(await endedProcess()), false);
});

Deno.test("isProcessAlive() distinguishes a process from an earlier one with the same id", () => {
  const start = processStart("self");
  if (Deno.build.os !== "linux") return assert.equal(start, undefined);
  assert.match(start ?? "", /^\d+$/);
  assert.equal(processStart(process.pid), start);
  assert.equal(isProcessAlive(process.pid, start), true);
  assert.equal(isProcessAlive(process.pid, "1"), false);
});

Deno.test("recoverSessions() ignores running sessions and finds those of ended processes", async () => {
  await inFolder({}, async (folder) => {
    const session = openSession(folder, assert.ifError);
    session.append({ request: { method: "GET", url: "/books" } });
    session.close();
    assert.deepEqual(recoverSessions(folder, Date.now()), []);
    const [running = ""] = readdirSync(join(folder, "sessions"));
    const uuid = crypto.randomUUID();
    const ended = [`running-${await endedProcess()}-${uuid}.jsonl`];
    // The same id, but another process.
    if (Deno.build.os === "linux") ended.push(`running-${process.pid}-1-${uuid}.jsonl`);
    for (const name of ended) writeFileSync(join(folder, "sessions", name), "{}\n");
    assert.equal(recoverSessions(folder, Date.now()).length, ended.length);
    const left = readdirSync(join(folder, "sessions"));
    assert.ok(left.includes(running));
    assert.equal(left.filter((name) => name.startsWith("recovered-")).length, ended.length);
  });
});

Deno.test("only one module decides if a process is alive", async () => {
  const asking: string[] = [];
  for (const path of await sourceFiles(ROOT, [".ts"])) {
    if (!path.startsWith("src/")) continue;
    if (/\bkill\(\w+(?:\(\w+\))?, 0\)/.test(await Deno.readTextFile(`${ROOT}/${path}`))) {
      asking.push(path);
    }
  }
  assert.deepEqual(asking, ["src/files/process_mark.ts"]);
});

Deno.test("a mark has ended when its process has, and in doubt it has not", async () => {
  const mark = processMark();
  assert.match(mark, new RegExp(`^${PROCESS_MARK}$`));
  const [pid, start, machine] = mark.split("-");
  assert.equal(pid, String(process.pid));
  assert.equal(hasEnded(mark), false);
  const gone = new Deno.Command(Deno.execPath(), { args: ["--version"], stdout: "null" }).spawn();
  await gone.status;
  assert.equal(hasEnded(`${gone.pid}-1-${machine}`), true);
  assert.equal(hasEnded(`${gone.pid}-0-${machine}`), true);
  assert.equal(hasEnded(`${gone.pid}-1-elsewhere`), false);
  assert.equal(hasEnded(`${gone.pid}-1-0`), false);
  // The mark may have been made without permission to read the start time.
  assert.equal(hasEnded(`${process.pid}-0-${machine}`), false);
  if (Deno.build.os !== "linux") return;
  assert.notEqual(start, "0");
  assert.equal(hasEnded(`${process.pid}-1-${machine}`), true);
});

Deno.test("process marks need no permission that Deno would ask the user for", async () => {
  const module = new URL("../../src/files/process_mark.ts", import.meta.url).href;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-prompt", "--allow-read", "--allow-sys=hostname", "--ext=ts"],
      `data:application/typescript,${
        encodeURIComponent(`
          const { getBuiltinModule } = process;
          const asked: string[] = [];
          process.getBuiltinModule = (name: string) => {
            asked.push(name);
            return getBuiltinModule(name);
          };
          const { processMark } = await import(${JSON.stringify(module)});
          processMark();
          console.log(asked.includes("node:os"), asked.includes("node:fs"));`)
      }`,
    ],
    env: { NO_COLOR: "1" },
  }).output();
  assert.equal(new TextDecoder().decode(stdout), "true false\n");
});

Deno.test("without permission to read the machine's name, no mark counts as ended", async () => {
  const module = new URL("../../src/files/process_mark.ts", import.meta.url).href;
  const program = `import { hasEnded, processMark } from ${JSON.stringify(module)};
    const mark = processMark();
    console.log(mark.split("-")[2], hasEnded("999999999-1-" + mark.split("-")[2]));`;
  await inFolder({ "mark.ts": program }, async (folder) => {
    for (
      const [permissions, expected] of [
        [["--allow-read", "--allow-run"], /^0 false\n$/],
        [["--allow-read", "--allow-run", "--allow-sys=hostname"], /^(?!0 )[\da-z]+ true\n$/],
      ] as const
    ) {
      const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-prompt", ...permissions, `${folder}/mark.ts`],
        env: { NO_COLOR: "1" },
      }).output();
      const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
      assert.match(said, expected, permissions.join(" "));
    }
  });
});
