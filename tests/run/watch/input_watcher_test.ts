import assert from "node:assert/strict";
import { InputWatcher } from "../../../src/run/watch/input_watcher.ts";
import { inFolder } from "../../in_folder.ts";

/** Watches while changes are made, and returns if they were noticed. A missed change lets the test wait forever. */
async function noticing(
  files: Readonly<Record<string, string>>,
  names: readonly string[],
  change: (folder: string) => Promise<void>,
  except: readonly string[] = [],
): Promise<void> {
  await inFolder(files, async (folder) => {
    const watcher = new InputWatcher();
    try {
      const paths = (list: readonly string[]) => list.map((name) => `${folder}/${name}`);
      await watcher.begin(paths(names), paths(except));
      const changed = watcher.waitForChange();
      await change(folder);
      await changed;
    } finally {
      watcher.close();
    }
  });
}

Deno.test("a written, replaced or removed file is a change", async () => {
  await noticing({ "a.json": "1" }, ["a.json"], async (folder) => {
    await Deno.writeTextFile(`${folder}/a.json`, "22");
  });
  await noticing({ "a.json": "1" }, ["a.json"], async (folder) => {
    await Deno.writeTextFile(`${folder}/a.json.tmp`, "22");
    await Deno.rename(`${folder}/a.json.tmp`, `${folder}/a.json`);
  });
  await noticing({ "a.json": "1" }, ["a.json"], async (folder) => {
    await Deno.remove(`${folder}/a.json`);
  });
});

Deno.test("a new file is a change: by name, in a folder, for a pattern, and in a folder that was missing", async () => {
  await noticing({}, ["a.json"], async (folder) => {
    await Deno.writeTextFile(`${folder}/a.json`, "1");
  });
  await noticing({ "recordings/a.har": "1" }, ["recordings"], async (folder) => {
    await Deno.mkdir(`${folder}/recordings/deep`);
    await Deno.writeTextFile(`${folder}/recordings/deep/b.har`, "1");
  });
  await noticing({ "recordings/a.har": "1" }, ["recordings/**/*.har"], async (folder) => {
    await Deno.writeTextFile(`${folder}/recordings/b.har`, "1");
  });
  await noticing({}, ["recordings/**/*.har"], async (folder) => {
    await Deno.mkdir(`${folder}/recordings/deep`, { recursive: true });
    await Deno.writeTextFile(`${folder}/recordings/deep/a.har`, "1");
  });
});

Deno.test("a link with a new target is a change, and so is a change of the target", async () => {
  const files = { "one/a.json": "1", "two/a.json": "2" };
  const link = async (folder: string, to: string) => {
    await Deno.symlink(`${folder}/${to}/a.json`, `${folder}/new.json`);
    await Deno.rename(`${folder}/new.json`, `${folder}/a.json`);
  };
  await inFolder(files, async (folder) => {
    await link(folder, "one");
    const watcher = new InputWatcher();
    try {
      await watcher.begin([`${folder}/a.json`]);
      const changed = watcher.waitForChange();
      await Deno.writeTextFile(`${folder}/one/a.json`, "11");
      await changed;
      await watcher.begin([`${folder}/a.json`]);
      const led = watcher.waitForChange();
      await link(folder, "two");
      await led;
    } finally {
      watcher.close();
    }
  });
});

Deno.test("a file that is removed and written again is one change, and is read when it is there", () =>
  inFolder({ "a.json": "1" }, async (folder) => {
    const watcher = new InputWatcher();
    try {
      await watcher.begin([`${folder}/a.json`]);
      const changed = watcher.waitForChange();
      await Deno.remove(`${folder}/a.json`);
      await Deno.writeTextFile(`${folder}/a.json`, "22");
      await changed;
      assert.equal(await Deno.readTextFile(`${folder}/a.json`), "22");
    } finally {
      watcher.close();
    }
  }));

Deno.test("files that covtool writes into a watched folder are not changes", () =>
  inFolder({ "recordings/a.har": "1", "recordings/coverage.json": "1" }, async (folder) => {
    const watcher = new InputWatcher();
    try {
      await watcher.begin([`${folder}/recordings`], [`${folder}/recordings/coverage.json`]);
      let changes = 0;
      const changed = watcher.waitForChange().then(() => changes++);
      await Deno.writeTextFile(`${folder}/recordings/coverage.json`, "22");
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.equal(changes, 0);
      await Deno.writeTextFile(`${folder}/recordings/a.har`, "22");
      await changed;
    } finally {
      watcher.close();
    }
  }));

Deno.test("a change between begin() and changed() is not missed", () =>
  inFolder({ "a.json": "1" }, async (folder) => {
    const watcher = new InputWatcher();
    try {
      await watcher.begin([`${folder}/a.json`]);
      await Deno.writeTextFile(`${folder}/a.json`, "22");
      await watcher.waitForChange();
    } finally {
      watcher.close();
    }
  }));
