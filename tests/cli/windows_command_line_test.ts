import assert from "node:assert/strict";
import { isBatchCommand, windowsCommandLine } from "../../src/cli/run_child.ts";

/** Parses a line like cmd.exe: `^` escapes the next character, except inside quotes. */
function cmd(line: string): string {
  let result = "";
  let isQuoted = false;
  for (let index = 0; index < line.length; index++) {
    const unit = line[index] ?? "";
    if (unit === "^" && !isQuoted) {
      result += line[++index] ?? "";
      continue;
    }
    if (unit === '"') isQuoted = !isQuoted;
    else if (!isQuoted) {
      assert.doesNotMatch(unit, /[&|<>()%]/, `${unit} means something in ${line}`);
    }
    assert.notEqual(unit, "%", `% means something in ${line}`);
    result += unit;
  }
  return result;
}

/** Parses a command line like a Windows program (CommandLineToArgvW). */
function argv(line: string): string[] {
  const args: string[] = [];
  let arg: string | undefined;
  let isQuoted = false;
  for (let index = 0; index < line.length; index++) {
    const unit = line[index] ?? "";
    if (unit === "\\") {
      const slashes = /^\\+/.exec(line.slice(index))?.[0].length ?? 0;
      const isBeforeQuote = line[index + slashes] === '"';
      arg = (arg ?? "") + "\\".repeat(isBeforeQuote ? Math.floor(slashes / 2) : slashes);
      index += slashes - 1;
      if (isBeforeQuote && slashes % 2 === 1) {
        arg += '"';
        index++;
      }
    } else if (unit === '"') {
      isQuoted = !isQuoted;
      arg ??= "";
    } else if (unit === " " && !isQuoted) {
      if (arg !== undefined) args.push(arg);
      arg = undefined;
    } else arg = (arg ?? "") + unit;
  }
  return arg === undefined ? args : [...args, arg];
}

const ARGS = [
  ...["plain", "", "two words", 'say "hello"', "C:\\Program Files\\", 'a\\"b\\\\', "a&b|c<d>e"],
  ...["%PATH% !x! ^", "(a) [b] ; , * ? `", "&& del x", "https://h/?a=1&b=2"],
];

Deno.test("on Windows, arguments arrive unchanged, also through a batch file", () => {
  for (const arg of ARGS) {
    const line = windowsCommandLine(["tool", arg, "last"], false);
    assert.deepEqual(argv(cmd(line)), ["tool", arg, "last"], line);
    const batch = windowsCommandLine(["tool", arg, "last"], true);
    const [, ...rest] = argv(cmd(cmd(batch)));
    assert.deepEqual(rest, [arg, "last"], batch);
  }
});

Deno.test("isBatchCommand() finds the command like cmd.exe", () => {
  const files = new Set(["c:\\node\\npm.cmd", "c:\\node\\node.exe", "c:\\x\\run.bat", "tool.exe"]);
  const variables = { Path: "C:\\none;C:\\node\\", PATHEXT: ".EXE;.cmd" };
  const isBatch = (name: string): boolean =>
    isBatchCommand(name, variables, (path) => files.has(path.toLowerCase()));
  assert.equal(isBatch("npm"), true);
  assert.equal(isBatch("npm.cmd"), true);
  assert.equal(isBatch("node"), false);
  assert.equal(isBatch("tool"), false);
  assert.equal(isBatch("C:\\x\\run.bat"), true);
  assert.equal(isBatch("echo"), false);
});
