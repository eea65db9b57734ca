import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { isProcessAlive, processStart } from "../../src/files/is_process_alive.ts";
import { openSession, recoverSessions } from "../../src/cli/proxy_session.ts";
import { ROOT, sourceFiles } from "../../scripts/source_files.ts";

/** The number of a process that has ended. */
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

Deno.test("isProcessAlive() tells a process from an earlier one with the same number", () => {
  const start = processStart("self");
  if (Deno.build.os !== "linux") return assert.equal(start, undefined);
  assert.match(start ?? "", /^\d+$/);
  assert.equal(processStart(process.pid), start);
  assert.equal(isProcessAlive(process.pid, start), true);
  assert.equal(isProcessAlive(process.pid, "1"), false);
});

Deno.test("recoverSessions() leaves running sessions alone and finds those of ended processes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "covtool-sessions-"));
  try {
    const session = openSession(folder, assert.ifError);
    session.append({ request: { method: "GET", url: "/books" } });
    session.close();
    assert.deepEqual(recoverSessions(folder, Date.now()), []);
    const [running = ""] = readdirSync(join(folder, "sessions"));
    const uuid = crypto.randomUUID();
    const ended = [`running-${await endedProcess()}-${uuid}.jsonl`];
    // The same number, but another process.
    if (Deno.build.os === "linux") ended.push(`running-${process.pid}-1-${uuid}.jsonl`);
    for (const name of ended) writeFileSync(join(folder, "sessions", name), "{}\n");
    assert.equal(recoverSessions(folder, Date.now()).length, ended.length);
    const left = readdirSync(join(folder, "sessions"));
    assert.ok(left.includes(running));
    assert.equal(left.filter((name) => name.startsWith("recovered-")).length, ended.length);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("one module decides whether a process is alive", async () => {
  const asking: string[] = [];
  for (const path of await sourceFiles(ROOT, [".ts"])) {
    if (!path.startsWith("src/")) continue;
    if (/\bkill\(\w+(?:\(\w+\))?, 0\)/.test(await Deno.readTextFile(`${ROOT}/${path}`))) {
      asking.push(path);
    }
  }
  assert.deepEqual(asking, ["src/files/is_process_alive.ts"]);
});
