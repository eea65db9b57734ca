import assert from "node:assert/strict";
import { compileCommand, programProblem } from "../../scripts/build.ts";

const PROGRAM = { module: "dist/program/cli.js", output: "dist/covtool" };

Deno.test("compileCommand() hands a given denort to the Deno that it belongs to", () => {
  const { args, env } = compileCommand("/opt/denort", PROGRAM);
  assert.deepEqual(args.slice(0, 3), ["-y", "deno@2.7.14", "compile"]);
  assert.deepEqual(env, { DENORT_BIN: "/opt/denort" });
});

Deno.test("compileCommand() without a denort compiles with the Deno that runs, for any machine", () => {
  const { command, args, env } = compileCommand(undefined, { ...PROGRAM, target: "x86_64-other" });
  assert.equal(command, Deno.execPath());
  assert.equal(env, undefined);
  assert.equal(args[args.indexOf("--target") + 1], "x86_64-other");
  assert.deepEqual(args.slice(-3), ["--output", "dist/covtool", "dist/program/cli.js"]);
});

Deno.test("the program may do what its commands need, and no more", () => {
  const { args } = compileCommand(undefined, PROGRAM);
  assert.deepEqual(args.filter((arg) => /^(?:-A|--(?:allow|deny|no-prompt).*)$/.test(arg)).sort(), [
    ...["--allow-env", "--allow-net", "--allow-read", "--allow-run", "--allow-sys"],
    ...["--allow-write", "--deny-ffi", "--deny-import"],
    ...[
      "--deny-sys=cpus,getPriority,getegid,loadavg,networkInterfaces,osRelease,osUptime,setPriority,statfs,systemMemoryInfo,userInfo,username",
    ],
    "--no-prompt",
  ]);
});

Deno.test("programProblem() accepts a program that says its version, and no other", () => {
  assert.equal(programProblem(0, "covtool 1.2.3\n", "1.2.3"), undefined);
  assert.equal(programProblem(1, "", "1.2.3"), "The program exited with 1.");
  assert.equal(
    programProblem(0, "covtool 1.2.2\n", "1.2.3"),
    `The program printed "covtool 1.2.2", not "covtool 1.2.3".`,
  );
});
