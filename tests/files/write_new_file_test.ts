import { runOrThrow } from "../../scripts/run.ts";
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { writeNewFile } from "../../src/files/write_new_file.ts";
import { inFolder } from "../in_folder.ts";

Deno.test("writeNewFile() writes a file without replacing one", () =>
  inFolder({}, async (folder) => {
    await writeNewFile(`${folder}/covtool.yaml`, "schema: openapi.yaml\n");
    await assert.rejects(writeNewFile(`${folder}/covtool.yaml`, "other"), { code: "EEXIST" });
    assert.equal(await Deno.readTextFile(`${folder}/covtool.yaml`), "schema: openapi.yaml\n");
    if (Deno.build.os !== "windows") {
      await Deno.symlink("nowhere", `${folder}/link`);
      await assert.rejects(writeNewFile(`${folder}/link`, "other"), { code: "EEXIST" });
      await Deno.remove(`${folder}/link`);
    }
    assert.deepEqual(readdirSync(folder), ["covtool.yaml"]);
  }));

Deno.test("if several processes write a new file at once, one succeeds, and the file is complete", () =>
  inFolder({}, async (folder) => {
    const texts = Array.from({ length: 10 }, (_, index) => String(index).repeat(100_000));
    const results = await Promise.allSettled(
      texts.map((text) => writeNewFile(`${folder}/file`, text)),
    );
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
    assert.ok(texts.includes(await Deno.readTextFile(`${folder}/file`)));
    assert.deepEqual(readdirSync(folder), ["file"]);
  }));

Deno.test("a new file is either complete or missing", () =>
  inFolder({}, async (folder) => {
    const path = `${folder}/file`;
    const size = 50_000_000;
    let isDone = false;
    const writing = writeNewFile(path, "x".repeat(size)).finally(() => isDone = true);
    while (!isDone) {
      if (existsSync(path)) assert.equal((await Deno.stat(path)).size, size);
      await new Promise((resolve) => setTimeout(resolve));
    }
    await writing;
    assert.equal((await Deno.stat(path)).size, size);
  }));

Deno.test("if Deno only allows the file itself, it is written directly", () =>
  inFolder({
    "program.ts": `import { writeNewFile } from "${new URL(
      "../../src/files/write_new_file.ts",
      import.meta.url,
    )}"; await writeNewFile("covtool.yaml", "text");`,
  }, async (folder) => {
    const args = ["run", "--no-prompt", "--allow-write=covtool.yaml", "program.ts"];
    await runOrThrow(Deno.execPath(), args, { cwd: folder });
    assert.equal(await Deno.readTextFile(`${folder}/covtool.yaml`), "text");
  }));
