import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import {
  makeTemporaryFolder,
  TemporaryFolderError,
} from "../../src/files/make_temporary_folder.ts";
import { errorSentences } from "../../src/run/error_sentences.ts";
import { inFolder } from "../in_folder.ts";

const VARIABLE = Deno.build.os === "windows" ? "TEMP" : "TMPDIR";

async function withTemporary(test: (folder: string) => void | Promise<void>): Promise<void> {
  const before = process.env[VARIABLE];
  await inFolder({}, test).finally(() => {
    if (before === undefined) delete process.env[VARIABLE];
    else process.env[VARIABLE] = before;
  });
}

Deno.test("only the user can read a temporary folder, and those of killed processes are removed", () =>
  withTemporary(async (folder) => {
    // A missing parent folder is created.
    process.env[VARIABLE] = join(folder, "new", "tmp");
    const first = makeTemporaryFolder("run");
    assert.equal(dirname(first), join(folder, "new", "tmp"));
    if (Deno.build.os !== "windows") {
      assert.equal(((await Deno.stat(first)).mode ?? 0) & 0o777, 0o700);
    }
    const others = ["run", "proxy", "other"].map((kind) =>
      join(
        dirname(first),
        basename(first).replace(/^covtool-run-\d+-\d+/, `covtool-${kind}-999999999-1`),
      )
    );
    for (const path of others) {
      mkdirSync(path);
      writeFileSync(join(path, "secret"), "");
    }
    const second = makeTemporaryFolder("proxy");
    assert.deepEqual([first, second, ...others].map((path) => existsSync(path)), [
      ...[true, true],
      ...[false, false, true],
    ]);
  }));

Deno.test("the error about an impossible temporary folder says where and what to do", () =>
  withTemporary((folder) => {
    writeFileSync(join(folder, "file"), "");
    const parent = join(folder, "file");
    process.env[VARIABLE] = parent;
    assert.throws(() => makeTemporaryFolder("run"), (error) => {
      assert.ok(error instanceof TemporaryFolderError);
      const [before, after] = errorSentences(error).split(/: [^:]+\. /);
      assert.equal(before, `Cannot make a temporary folder in ${parent}`);
      assert.equal(after, `Set ${VARIABLE} to a folder that you can write to.`);
      return true;
    });
  }));
