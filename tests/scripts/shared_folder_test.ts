import assert from "node:assert/strict";
import { sharedFolder } from "../../scripts/npm/shared_folder.ts";
import { inFolder } from "../in_folder.ts";

Deno.test("sharedFolder() makes a folder once, also for parallel callers", () =>
  inFolder({}, async (root) => {
    let made = 0;
    const ask = () =>
      sharedFolder("kind", ["a"], async (folder) => {
        made += 1;
        await Deno.writeTextFile(`${folder}/whole`, "");
      }, root);
    const [first = "", ...others] = await Promise.all([ask(), ask(), ask()]);
    assert.deepEqual([made, ...others], [1, first, first]);
    assert.ok((await Deno.stat(`${first}/whole`)).isFile);
  }));

Deno.test("sharedFolder() has one folder per kind and list of inputs", () =>
  inFolder({}, async (root) => {
    const make = async () => {};
    const one = await sharedFolder("kind", ["a", "b"], make, root);
    assert.notEqual(await sharedFolder("kind", ["ab"], make, root), one);
    assert.notEqual(await sharedFolder("other", ["a", "b"], make, root), one);
  }));

Deno.test("sharedFolder() makes a folder again after a failure", () =>
  inFolder({}, async (root) => {
    const fail = async (folder: string) => {
      await Deno.writeTextFile(`${folder}/half`, "");
      throw new Error("no network");
    };
    await assert.rejects(sharedFolder("kind", ["a"], fail, root), /no network/);
    const folder = await sharedFolder("kind", ["a"], async () => {}, root);
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  }));

Deno.test("sharedFolder() makes a folder again after a week", () =>
  inFolder({}, async (root) => {
    let made = 0;
    const ask = () =>
      sharedFolder("kind", ["a"], async () => {
        await Promise.resolve(made += 1);
      }, root);
    const folder = await ask();
    const eightDaysAgo = Date.now() / 1000 - 8 * 24 * 3600;
    await Deno.utime(folder, eightDaysAgo, eightDaysAgo);
    assert.equal(await ask(), folder);
    assert.equal(made, 2);
  }));
