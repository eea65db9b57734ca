import assert from "node:assert/strict";
import { compileCommand, programProblem } from "../../scripts/build.ts";

Deno.test("compileCommand() hands a given denort to the Deno that it belongs to", () => {
  const { args, env } = compileCommand("/opt/denort");
  assert.deepEqual(args.slice(0, 3), ["-y", "deno@2.7.14", "compile"]);
  assert.deepEqual(env, { DENORT_BIN: "/opt/denort" });
});

Deno.test("compileCommand() without a denort compiles with the Deno that runs, and grants what covtool needs", () => {
  const { command, args, env } = compileCommand(undefined);
  assert.equal(command, Deno.execPath());
  assert.equal(env, undefined);
  for (const name of ["read", "write", "net", "env"]) assert.ok(args.includes(`--allow-${name}`));
});

Deno.test("programProblem() accepts a program that says its version, and no other", () => {
  assert.equal(programProblem(0, "covtool 1.2.3\n", "1.2.3"), undefined);
  assert.equal(programProblem(1, "", "1.2.3"), "The program ends with 1.");
  assert.equal(
    programProblem(0, "covtool 1.2.2\n", "1.2.3"),
    `The program says "covtool 1.2.2", not "covtool 1.2.3".`,
  );
});
