/**
 * Runs the built program `dist/covtool` and the sources on the same fixtures and compares their output byte for byte;
 * also compares the program's start time with that of an empty one. It ends with the line "N passed, N failed".
 *
 *     deno task build && deno run -A scripts/check_program.ts
 *
 * @module
 */
import assert from "node:assert/strict";
import { compile, findDenort } from "./build.ts";
import { tryOwnAuthority } from "./program/own_authority.ts";
import { programCases, tryCases } from "./program/program_cases.ts";
import { type Outcome, runForOutcome } from "./program/outcome.ts";
import { run } from "./run.ts";
import { ROOT } from "./source_files.ts";
import { createTally } from "./tally.ts";
import { inFolder } from "../tests/in_folder.ts";

const PROGRAM = `${ROOT}/dist/covtool${Deno.build.os === "windows" ? ".exe" : ""}`;
const SOURCES = ["run", "-A", "--config", `${ROOT}/deno.json`, `${ROOT}/cli.ts`];
/** The maximum duration of `covtool --version`, as a multiple of an empty program's. */
const MOST = 2;

/** The number of timed runs of each command. The shortest run counts, since it is the least disturbed. */
const RUNS = 20;

/** Permissions to query in a compiled program; `sys` has a kind. */
const ASKED = [
  ...["read", "write", "net", "env", "run", "ffi", "import"].map((name) => ({ name })),
  ...["hostname", "homedir", "uid", "gid", "username", "networkInterfaces", "osRelease", "cpus"]
    .map((kind) => ({ name: "sys", kind })),
];

/** The permissions that the program has; all others must be denied. */
const GRANTED: readonly string[] = [
  ...["read", "write", "net", "env", "run"],
  ...["sys hostname", "sys homedir", "sys uid", "sys gid"],
];

/** A module that prints its permissions as a JSON list. */
const ASKING = `const granted = ${JSON.stringify(ASKED)}.filter((asked) =>
  Deno.permissions.querySync(asked).state === "granted"
);
console.log(JSON.stringify(granted.map(({ name, kind }) => kind === undefined ? name : name + " " + kind)));
`;

/** Cancels 2,000 HTTP/2 requests at once, which Deno 2.7 by itself doesn't survive; then sends one more. */
const CANCELLING = `
  import { connect } from "node:net";
  import { connect as connectTls } from "node:tls";
  const proxy = new URL(Deno.env.get("HTTP_PROXY"));
  const server = Deno.serve({ port: 0, onListen: () => {} }, () => new Response("[]"));
  const socket = connect(Number(proxy.port), proxy.hostname);
  socket.write("CONNECT localhost:" + server.addr.port + " HTTP/1.1\\r\\n\\r\\n");
  await new Promise((resolve) => socket.once("data", resolve));
  const secure = connectTls({ socket, rejectUnauthorized: false, ALPNProtocols: ["h2"] });
  await new Promise((resolve) => secure.once("secureConnect", resolve));
  const frames = [...new TextEncoder().encode("PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n"), 0, 0, 0, 4, 0, 0, 0, 0, 0];
  for (let id = 1; id < 4000; id += 2) {
    frames.push(0, 0, 6, 1, 5, 0, 0, id >> 8, id & 255, 0x82, 0x84, 0x87, 0x01, 1, 0x78);
    frames.push(0, 0, 4, 3, 0, 0, 0, id >> 8, id & 255, 0, 0, 0, 8);
  }
  secure.on("error", () => {});
  const closed = new Promise((resolve) => secure.once("close", resolve));
  secure.resume();
  secure.write(Uint8Array.from(frames));
  await closed;
  const response = await fetch("http://127.0.0.1:" + server.addr.port + "/api/v1/books");
  await response.text();
  Deno.exit(response.status === 200 ? 3 : 4);
`;

const { check, exit } = createTally();

async function checkProgram(temporary: string): Promise<void> {
  await tryCases(
    await programCases(ROOT),
    temporary,
    ({ name, args, stdin, isInProcess }, folder) =>
      check(`program and sources agree on ${name}`, async () => {
        const options = { root: ROOT, folder, stdin };
        const program: Outcome = await runForOutcome(PROGRAM, args, options);
        const sources: Outcome = isInProcess
          ? await runForOutcome(undefined, args, options)
          : await runForOutcome(Deno.execPath(), [...SOURCES, ...args], options);
        assert.deepEqual(program, sources);
        assert.ok(sources.out !== "" || sources.err !== "" || sources.files.size > 0);
      }),
  );
  await check("the proxy goes on when a client cancels thousands of requests at once", async () => {
    const args = ["proxy", "examples/bookshop/openapi.yaml", "--port", "0", "--format", "json"];
    const client = ["--", Deno.execPath(), "eval", CANCELLING];
    const options = { root: ROOT, folder: `${temporary}/out` };
    const { code, err } = await runForOutcome(PROGRAM, [...args, ...client], options);
    assert.equal(code, 3, err);
  });
  await check("authorities of --ca and both variables are trusted", async () => {
    await tryOwnAuthority([PROGRAM]);
  });
  await check(
    "a program compiled like this one may do what commands need, and no more",
    async () => {
      const module = `${temporary}/granted.js`;
      await Deno.writeTextFile(module, ASKING);
      const output = `${temporary}/granted${Deno.build.os === "windows" ? ".exe" : ""}`;
      assert.equal(await compile(await findDenort(), { module, output }), undefined);
      const { code, out, err } = await run(output, []);
      assert.equal(code, 0, err);
      assert.deepEqual(JSON.parse(out), GRANTED);
    },
  );
  await check("the program starts nearly as fast as an empty one", async () => {
    await Deno.writeTextFile(`${temporary}/empty.js`, "export {};\n");
    const output = `${temporary}/empty${Deno.build.os === "windows" ? ".exe" : ""}`;
    const module = `${temporary}/empty.js`;
    const problem = await compile(await findDenort(), { module, output });
    assert.equal(problem, undefined);
    const ratio = startRatio([PROGRAM, "--version"], [output]);
    assert.ok(ratio <= MOST, `It takes ${ratio.toFixed(2)} times as long, not ${MOST} at most.`);
    return `${ratio.toFixed(2)} times as long`;
  });
}

/** Returns the ratio of the times of two commands. They run alternately, so that a busy machine slows both. */
function startRatio(command: readonly string[], other: readonly string[]): number {
  let [shortest, shortestOther] = [Infinity, Infinity];
  for (let run = 0; run < RUNS; run++) {
    shortest = Math.min(shortest, milliseconds(command));
    shortestOther = Math.min(shortestOther, milliseconds(other));
  }
  return shortest / shortestOther;
}

function milliseconds([program = "", ...args]: readonly string[]): number {
  const start = performance.now();
  const { success } = new Deno.Command(program, { args, stdin: "null" }).outputSync();
  const taken = performance.now() - start;
  if (!success) throw new Error(`${program} ${args.join(" ")} fails.`);
  return taken;
}

if (import.meta.main) {
  await inFolder({}, checkProgram);
  exit();
}
