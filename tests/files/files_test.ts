import assert from "node:assert/strict";
import {
  decodeText,
  fileErrorSentence,
  type FileRange,
  pathToUrl,
  readBoundedFile,
  readFile,
  readFilePieces,
  readTextFile,
  toPath,
} from "../../src/files/files.ts";
import { writeTextFile } from "../../src/files/write_text_file.ts";
import { inFolder } from "../in_folder.ts";

Deno.test("writeTextFile() writes the pieces of an iterable in order, and creates folders", () =>
  inFolder({}, async (folder) => {
    const path = `${folder}/new/folder/report.txt`;
    await writeTextFile(path, ["a", "", "ü", "😀"]);
    assert.equal(await readTextFile(path), "aü😀");
    await writeTextFile(path, "short");
    assert.equal(await readTextFile(path), "short");
  }));

Deno.test("writeTextFile() doesn't split characters of a long text", () =>
  inFolder({}, async (folder) => {
    const path = `${folder}/long.txt`;
    const text = "x" + "😀".repeat(1_200_000);
    await writeTextFile(path, text);
    assert.equal(await readTextFile(path) === text, true);
  }));

Deno.test("readTextFile() accepts file URLs, and readFile() returns bytes", () =>
  inFolder({}, async (folder) => {
    const path = `${folder}/with space & 100%.txt`;
    await writeTextFile(path, "é");
    const url = pathToUrl(path);
    assert.match(url.href, /^file:\/\/\/.*with%20space%20&%20100%25\.txt$/);
    assert.equal(await readTextFile(url), "é");
    assert.deepEqual([...await readFile(url.href)], [0xc3, 0xa9]);
  }));

Deno.test("decodeText() removes byte order marks and reads UTF-16", () => {
  assert.equal(decodeText(new Uint8Array([0xef, 0xbb, 0xbf, 0x61])), "a");
  assert.equal(decodeText(new Uint8Array([0xff, 0xfe, 0x61, 0])), "a");
  assert.equal(decodeText(new Uint8Array([0xfe, 0xff, 0, 0x61])), "a");
});

Deno.test("fileErrorSentence() says what to do about a missing file and a folder", () =>
  inFolder({}, async (folder) => {
    await assert.rejects(readTextFile(`${folder}/none.txt`), (error) => {
      assert.match(fileErrorSentence(error), /no such file/);
      return true;
    });
    await assert.rejects(readTextFile(folder), (error) => {
      assert.match(fileErrorSentence(error), /folder/);
      return true;
    });
  }));

Deno.test("readFilePieces() reads a whole file or a range", () =>
  inFolder({}, async (folder) => {
    const path = `${folder}/long.txt`;
    const text = Array.from({ length: 100_000 }, (_, index) => String(index)).join(",");
    await writeTextFile(path, text);
    const read = async (range?: FileRange) => {
      let found = "";
      for await (const piece of readFilePieces(path, range)) found += decodeText(piece);
      return found;
    };
    assert.equal(await read() === text, true);
    assert.equal(await read({ start: 300_000 }) === text.slice(300_000), true);
    assert.equal(await read({ start: 7, end: 400_001 }) === text.slice(7, 400_001), true);
    assert.equal(await read({ start: 7, end: 7 }), "");
  }));

Deno.test("on platforms without file access, the error says which ones have it", async () => {
  const { process } = globalThis as unknown as { process: { getBuiltinModule?: unknown } };
  const { getBuiltinModule } = process;
  process.getBuiltinModule = undefined;
  try {
    await assert.rejects(readFile("openapi.yaml"), (error) => {
      assert.match(fileErrorSentence(error), /^The file cannot be used: .*Node\.js 22\.15.*\.$/);
      return true;
    });
  } finally {
    process.getBuiltinModule = getBuiltinModule;
  }
});

Deno.test("readTextFile() stops reading an endless file", async () => {
  if (Deno.build.os === "windows") return;
  await assert.rejects(readTextFile("/dev/zero"), /^RangeError: It is larger than 256 MiB/);
});

Deno.test("fileErrorSentence() distinguishes a full disk, a quota, a limit and a read-only disk", () => {
  const cases = [
    ["EACCES", /^Permission to use this file is denied/],
    ["EPERM", /^Permission to use this file is denied/],
    ["ENOSPC", /^The disk is full/],
    ["EDQUOT", /^Your disk quota is exceeded/],
    ["EFBIG", /^The file would exceed the size limit/],
    ["EROFS", /^This disk is read-only/],
    ["ELOOP", /^The path has a loop of symbolic links/],
    ["ENAMETOOLONG", /^The path is too long: use a shorter one\.$/],
  ] as const;
  for (const [code, expected] of cases) {
    assert.match(fileErrorSentence(Object.assign(new Error("no"), { code })), expected);
  }
  // Deno has no error codes for these.
  assert.match(fileErrorSentence(new Error("No space left (os error 28)")), /^The disk is full/);
  assert.match(fileErrorSentence(new Error("Read-only (os error 30)")), /^This disk is read-only/);
  assert.equal(
    fileErrorSentence(new Error("Odd (os error 99)")),
    "The file cannot be used: Odd (os error 99).",
  );
});

Deno.test("fileErrorSentence() names no permission if the user of the compiled program can't give it", () => {
  const error = new Error("Requires all access, which was not given during compilation");
  error.name = "NotCapable";
  assert.equal(
    fileErrorSentence(error),
    "covtool may not use files of the system, such as those in /dev.",
  );
});

Deno.test("toPath() says what is wrong with a URL that isn't a local file", () => {
  const cases = [
    ["file:///a%00b", "It contains `%00`, which no file name can contain."],
    ["file:///a%2Fb", "It contains `%2F`, which is an encoded slash: write `/` instead."],
    ["file:///a%zz", "It contains an invalid escape sequence: write `%25` for a percent sign."],
  ];
  if (Deno.build.os !== "windows") {
    cases.push([
      "file://server/a",
      "It is on another computer, server, and only local files can be read.",
    ]);
  }
  for (const [url = "", message] of cases) {
    assert.throws(() => toPath(url), { name: "TypeError", message });
  }
});

Deno.test("readBoundedFile() reads regular files, and others only on request", () =>
  inFolder({}, async (folder) => {
    await assert.rejects(readBoundedFile(folder, 2 ** 30), {
      name: "TypeError",
      message: "This is not a regular file.",
    });
    await writeTextFile(`${folder}/text`, "text");
    assert.equal(decodeText(await readBoundedFile(`${folder}/text`, 4)), "text");
    await assert.rejects(readBoundedFile(`${folder}/text`, 3), RangeError);
    if (Deno.build.os !== "linux") return;
    // A system file may report a size of 0 without being empty.
    await assert.rejects(readBoundedFile("/proc/self/status", 3), RangeError);
    const status = await readBoundedFile("/proc/self/status", 2 ** 20);
    assert.match(decodeText(status), /^Name:/);
    assert.deepEqual(
      await readBoundedFile("/dev/null", 3, true),
      new Uint8Array(0),
    );
  }));
