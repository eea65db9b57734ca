import assert from "node:assert/strict";
import { copyObstacle } from "../../src/files/copy_obstacle.ts";
import { formattedCopy } from "../../src/values/formatted_copy.ts";

const NOT_OURS = "which covtool did not write";

/** What is said of a file that a copy of `document` would replace; `existing` is its text or what it is a copy of. */
async function obstacleTo(document: unknown, existing: unknown): Promise<string | undefined> {
  const path = await Deno.makeTempFile();
  try {
    const text = typeof existing === "string" ? existing : formattedCopy(existing);
    await Deno.writeTextFile(path, text);
    return await copyObstacle(path, formattedCopy(document));
  } finally {
    await Deno.remove(path);
  }
}

const BOOKS = { openapi: "3.1.0", info: { title: "Books" }, paths: {} };

Deno.test("a copy replaces an earlier one of the description with the same title", async () => {
  assert.equal(await obstacleTo(BOOKS, { ...BOOKS, paths: { "/books": {} } }), undefined);
  const swagger = { swagger: "2.0", info: { title: "Books" } };
  assert.equal(await obstacleTo(BOOKS, swagger), undefined);
  assert.equal(await obstacleTo(BOOKS, { ...BOOKS, info: { title: "Films" } }), NOT_OURS);
  assert.equal(await obstacleTo({ openapi: "3.1.0" }, { openapi: "3.1.0", info: {} }), undefined);
});

Deno.test("a copy replaces a part of a description that has some of the same names", async () => {
  assert.equal(await obstacleTo({ Book: {}, Film: {} }, { Book: { type: "object" } }), undefined);
  assert.equal(await obstacleTo({ Book: {} }, { Film: {} }), NOT_OURS);
  // It has a title, and still is no description.
  assert.equal(await obstacleTo({ info: { title: "Books" } }, { info: {} }), undefined);
  assert.equal(await obstacleTo({ Book: {} }, BOOKS), NOT_OURS);
  assert.equal(await obstacleTo([1], [2]), undefined);
  assert.equal(await obstacleTo([1], { Book: {} }), NOT_OURS);
});

Deno.test("a copy replaces no file that is formatted differently, or isn't JSON", async () => {
  assert.equal(await obstacleTo(BOOKS, JSON.stringify(BOOKS)), NOT_OURS);
  assert.equal(await obstacleTo(BOOKS, "openapi: 3.1.0\n"), NOT_OURS);
});

Deno.test("a copy replaces neither a link nor a folder", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const text = formattedCopy(BOOKS);
    assert.equal(await copyObstacle(`${folder}/nothing`, text), undefined);
    assert.equal(await copyObstacle(folder, text), "which is not a regular file");
    if (Deno.build.os === "windows") return;
    await Deno.writeTextFile(`${folder}/copy.json`, text);
    await Deno.symlink("copy.json", `${folder}/link.json`);
    assert.equal(await copyObstacle(`${folder}/link.json`, text), "which is a link");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
