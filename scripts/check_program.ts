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
import { print } from "./print.ts";
import { cancelRequests } from "./program/cancelled_requests.ts";
import { askingModule, EXPECTED } from "./program/granted.ts";
import { tryOwnAuthority } from "./program/own_authority.ts";
import { programCases, tryCases } from "./program/program_cases.ts";
import { type Outcome, outcomeOf } from "./program/outcome.ts";
import { startRatio } from "./program/start_ratio.ts";
import { run } from "./run.ts";
import { ROOT } from "./source_files.ts";
import { createTally } from "./tally.ts";

const PROGRAM = `${ROOT}/dist/covtool${Deno.build.os === "windows" ? ".exe" : ""}`;
const SOURCES = ["run", "-A", "--config", `${ROOT}/deno.json`, `${ROOT}/cli.ts`];
/** The longest that `covtool --version` may take, as a multiple of an empty program. */
const MOST = 2;

const { check, total, isGood } = createTally();

async function checkProgram(temporary: string): Promise<void> {
  await tryCases(
    await programCases(ROOT),
    temporary,
    ({ name, args, stdin }, folder) =>
      check(`program and sources agree on ${name}`, async () => {
        const options = { root: ROOT, folder, stdin };
        const program: Outcome = await outcomeOf(PROGRAM, args, options);
        const sources: Outcome = await outcomeOf(Deno.execPath(), [...SOURCES, ...args], options);
        assert.deepEqual(program, sources);
        assert.ok(sources.out !== "" || sources.err !== "" || sources.files.size > 0);
      }),
  );
  await check("the proxy goes on when a client cancels thousands of requests at once", async () => {
    const { code, err } = await cancelRequests(PROGRAM, { root: ROOT, folder: `${temporary}/out` });
    assert.equal(code, 3, err);
  });
  await check("authorities of --ca and both variables are trusted", async () => {
    await tryOwnAuthority([PROGRAM]);
  });
  await check(
    "a program compiled like this one may do what commands need, and no more",
    async () => {
      const module = `${temporary}/granted.js`;
      await Deno.writeTextFile(module, askingModule());
      const output = `${temporary}/granted${Deno.build.os === "windows" ? ".exe" : ""}`;
      assert.equal(await compile(await findDenort(), { module, output }), undefined);
      const { code, out, err } = await run(output, []);
      assert.equal(code, 0, err);
      assert.deepEqual(JSON.parse(out), EXPECTED);
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

if (import.meta.main) {
  const temporary = await Deno.makeTempDir({ prefix: "covtool-program-" });
  try {
    await checkProgram(temporary);
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }
  print(total());
  Deno.exit(isGood() ? 0 : 1);
}
