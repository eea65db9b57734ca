import { type Ended, run, runOrThrow } from "../../scripts/run.ts";
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { draftName } from "../../src/files/write_new_file.ts";
import { realPath } from "../../src/files/files.ts";
import { writeTextFile } from "../../src/files/write_text_file.ts";
import { inFolder } from "../in_folder.ts";

const SOURCES = new URL("../../src/files/", import.meta.url);

/** Runs a program in its own process. */
async function runProgram(program: string): Promise<Ended> {
  return await run(Deno.execPath(), ["eval", program], { env: { NO_COLOR: "1" } });
}

function importing(module: string): string {
  return `import { ${module === "write_new_file" ? "draftName" : "writeTextFile"} } from ${
    JSON.stringify(new URL(`${module}.ts`, SOURCES).href)
  };`;
}

Deno.test("if the text breaks off, the old file stays, and no other is left", () =>
  inFolder({ "report.json": "before" }, async (folder) => {
    const path = `${folder}/report.json`;
    await assert.rejects(
      writeTextFile(
        path,
        (function* () {
          yield "x".repeat(3_000_000);
          assert.equal(Deno.readTextFileSync(path), "before");
          throw new Error("no more");
        })(),
      ),
      /no more/,
    );
    assert.equal(await Deno.readTextFile(path), "before");
    assert.deepEqual(readdirSync(folder), ["report.json"]);
  }));

Deno.test("if the process is killed, the old file stays, and the next process cleans up", () =>
  inFolder({ "report.json": "before" }, async (folder) => {
    const path = `${folder}/report.json`;
    const { code } = await runProgram(`${importing("write_text_file")}
      await writeTextFile(${JSON.stringify(path)}, (function* () {
        yield "x".repeat(3_000_000);
        yield "y".repeat(3_000_000);
        process.kill(process.pid, "SIGKILL");
        while (true);
      })());`);
    assert.notEqual(code, 0);
    assert.equal(await Deno.readTextFile(path), "before");
    const left = readdirSync(folder).filter((name) => name !== "report.json");
    assert.equal(left.length, 1);
    assert.match(left[0] ?? "", /^\.covtool-/);
    await writeTextFile(`${folder}/other.json`, "after");
    assert.deepEqual(readdirSync(folder).sort(), ["other.json", "report.json"]);
  }));

Deno.test("drafts of running processes, of other machines and of unknown ones are kept", () =>
  inFolder({}, async (folder) => {
    const mine = draftName();
    const kept = [mine, mine.replace(/-[\da-z]+(-[\da-f]{12})/, "-elsewhere$1"), ".covtool-1.tmp"]
      .map((name, index) => index === 1 ? name.replace(/-\d+-\d+-/, "-999999999-1-") : name);
    // Another process has this id now, which began at another time.
    const gone = Deno.build.os === "linux"
      ? mine.replace(/^(\.covtool-\d+)-\d+/, "$1-1")
      : mine.replace(/-\d+-/, "-999999999-");
    for (const name of [...kept, gone]) await Deno.writeTextFile(`${folder}/${name}`, "");
    await writeTextFile(`${folder}/report.json`, "");
    assert.deepEqual(readdirSync(folder).sort(), [...kept, "report.json"].sort());
  }));

Deno.test("without a name for the machine, other processes' drafts are kept", () =>
  inFolder({}, async (folder) => {
    // In two containers that share a folder, each has processes that the other can't see.
    const script = `${folder}/write.ts`;
    await Deno.writeTextFile(
      script,
      `${importing("write_new_file")}${importing("write_text_file")}
await writeTextFile(${JSON.stringify(`${folder}/report.json`)}, "");
console.log(await draftName());`,
    );
    const write = () =>
      runOrThrow(Deno.execPath(), [
        ...["run", "--no-prompt", "--allow-read", "--allow-write", "--allow-run", "--allow-env"],
        ...["--config", fileURLToPath(new URL("../../deno.json", SOURCES)), script],
      ]);
    const draft = (await write()).trim().replace(/^\.covtool-\d+-\d+-/, ".covtool-999999999-0-");
    await Deno.writeTextFile(`${folder}/${draft}`, "");
    await write();
    assert.deepEqual(readdirSync(folder).sort(), [draft, "report.json", "write.ts"]);
  }));

Deno.test("several writers at once each write a complete file, and the last one stays", () =>
  inFolder({}, async (folder) => {
    const path = `${folder}/report.txt`;
    const texts = ["a".repeat(2_500_000), "b".repeat(1_500_000), "c".repeat(2_000_000)];
    await Promise.all(texts.map((text) => writeTextFile(path, text)));
    assert.ok(texts.includes(await Deno.readTextFile(path)));
    assert.deepEqual(readdirSync(folder), ["report.txt"]);
  }));

Deno.test("a link without a target is relative to the real folder that contains it", async () => {
  if (Deno.build.os === "windows") return;
  await inFolder({}, async (folder) => {
    await Deno.mkdir(`${folder}/deep/er`, { recursive: true });
    await Deno.symlink("deep/er", `${folder}/here`);
    await Deno.symlink("../report.html", `${folder}/deep/er/report.html`);
    assert.equal(
      await realPath(`${folder}/here/report.html`),
      await realPath(`${folder}/deep/report.html`),
    );
    await writeTextFile(`${folder}/here/report.html`, "text");
    assert.equal(await Deno.readTextFile(`${folder}/deep/report.html`), "text");
    await Deno.symlink("around", `${folder}/around`);
    assert.match(await realPath(`${folder}/around/x`), /\/around\/x$/);
  });
});

Deno.test("a link is kept, even if its target doesn't exist yet", async () => {
  if (Deno.build.os === "windows") return;
  await inFolder({}, async (folder) => {
    await Deno.mkdir(`${folder}/site`);
    await Deno.symlink("site/coverage.html", `${folder}/report.html`);
    for (const text of ["first", "second"]) {
      await writeTextFile(`${folder}/report.html`, text);
      assert.equal(await Deno.readTextFile(`${folder}/site/coverage.html`), text);
      assert.ok((await Deno.lstat(`${folder}/report.html`)).isSymlink);
    }
    await Deno.symlink("circle", `${folder}/circle`);
    await assert.rejects(writeTextFile(`${folder}/circle`, ""), { code: "ELOOP" });
  });
});

Deno.test("a file keeps its mode, and one with secrets gets a stricter one", async () => {
  if (Deno.build.os === "windows") return;
  await inFolder({}, async (folder) => {
    const path = `${folder}/report.json`;
    const fileMode = async () => (await Deno.stat(path)).mode! & 0o777; // null only on Windows
    await Deno.writeTextFile(path, "before");
    // More than new files usually have.
    await Deno.chmod(path, 0o666);
    await writeTextFile(path, "after");
    assert.equal(await fileMode(), 0o666);
    await writeTextFile(path, "secret", { mode: 0o600 });
    assert.equal(await fileMode(), 0o600);
  });
});

Deno.test("pipes, devices and standard streams are written directly", async () => {
  if (Deno.build.os === "windows") return;
  await inFolder({}, async (folder) => {
    await new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).output();
    const [read] = await Promise.all([
      Deno.readTextFile(`${folder}/pipe`),
      writeTextFile(`${folder}/pipe`, "through"),
    ]);
    assert.equal(read, "through");
    assert.ok((await Deno.lstat(`${folder}/pipe`)).isFifo);
    await writeTextFile("/dev/null", "nothing");
    assert.ok((await Deno.stat("/dev/null")).isCharDevice);
    const program = `${importing("write_text_file")}
      await writeTextFile("/dev/stdout", "the report");`;
    await Deno.writeTextFile(`${folder}/program.ts`, program);
    const script = `{ echo before; "$DENO" run -A program.ts; echo after; } >> out.txt`;
    await runOrThrow("sh", ["-c", script], { cwd: folder, env: { DENO: Deno.execPath() } });
    assert.equal(await Deno.readTextFile(`${folder}/out.txt`), "before\nthe reportafter\n");
  });
});

Deno.test("a text is written while it is generated, with little of it in memory", () =>
  inFolder({}, async (folder) => {
    const [part, most] = [3_500_000, 1 << 20];
    const sizes: number[] = [];
    await writeTextFile(
      `${folder}/report.txt`,
      (function* () {
        for (let index = 0; index < 3; index++) {
          yield "x".repeat(part);
          const [draft = ""] = readdirSync(folder);
          sizes.push(Deno.statSync(`${folder}/${draft}`).size);
        }
      })(),
    );
    for (const [index, size] of sizes.entries()) {
      const made = part * (index + 1);
      assert.ok(size <= made && size >= made - most, `${size} of ${made}`);
    }
    assert.equal(sizes.length, 3);
  }));

Deno.test("if there is no space for a draft, the old file stays", () =>
  inFolder({ "report.json": "before" }, async (folder) => {
    const { code, err } = await runProgram(`${importing("write_text_file")}
      const { open } = process.getBuiltinModule("node:fs/promises");
      process.getBuiltinModule("node:fs/promises").open = async (path, ...rest) => {
        if (!path.includes(".covtool-")) return await open(path, ...rest);
        throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      };
      await writeTextFile(${JSON.stringify(`${folder}/report.json`)}, "after");`);
    assert.equal(code, 1);
    assert.match(err, /no space left/);
    assert.equal(await Deno.readTextFile(`${folder}/report.json`), "before");
  }));

Deno.test("on a full disk, the old file stays", async () => {
  if (Deno.build.os === "windows") return;
  const program = `${
    importing("write_text_file")
  } await writeTextFile("report.json", "x".repeat(4_000_000));`;
  await inFolder({ "report.json": "before", "program.ts": program }, async (folder) => {
    const script = `ulimit -f 1000; exec "$DENO" run -A program.ts`;
    const options = { cwd: folder, env: { DENO: Deno.execPath() } };
    const { code } = await run("bash", ["-c", script], options);
    assert.notEqual(code, 0);
    assert.equal(await Deno.readTextFile(`${folder}/report.json`), "before");
  });
});

Deno.test("if Deno only allows one file, it is written without a prompt", () =>
  inFolder({
    "program.ts": `${importing("write_text_file")} await writeTextFile("report.json", "text");`,
  }, async (folder) => {
    for (const read of ["--allow-read", "--no-prompt"]) {
      const args = ["run", read, "--allow-write=report.json", "program.ts"];
      await runOrThrow(Deno.execPath(), args, { cwd: folder });
      assert.equal(await Deno.readTextFile(`${folder}/report.json`), "text");
      await Deno.remove(`${folder}/report.json`);
    }
  }));
