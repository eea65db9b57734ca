import assert from "node:assert/strict";
import { dataFolder, openPrivateFolder } from "../../src/proxy/private_folder.ts";
import { inFolder } from "../in_folder.ts";
import { needing } from "../requirement.ts";

const IS_ROOT = Deno.build.os !== "windows" && Deno.uid() === 0;

Deno.test("data is kept in a folder that only the user can read", () =>
  inFolder({}, async (folder) => {
    await Deno.mkdir(`${folder}/covtool`, { mode: 0o777 });
    using opened = await open(folder);
    assert.equal(opened.path, `${folder}/covtool`);
    assert.equal(opened.temporaryBecause, undefined);
    assert.equal(((await Deno.stat(opened.path)).mode ?? 0) & 0o777, 0o700);
    assert.deepEqual([...Deno.readDirSync(opened.path)], []);
  }));

Deno.test("a temporary folder replaces one that can't be used", () =>
  inFolder({}, async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "");
    let path: string;
    {
      using opened = await open(`${folder}/file`);
      path = opened.path;
      assert.match(opened.temporaryBecause ?? "", /file\/covtool cannot be used\..*\(ENOTDIR\)/);
      assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o700);
      await Deno.writeTextFile(`${path}/key`, "");
    }
    await assert.rejects(Deno.stat(path));
  }));

Deno.test("a folder that only the user can use keeps its mode", async () => {
  if (Deno.build.os === "windows") return;
  await inFolder({}, async (folder) => {
    await Deno.mkdir(`${folder}/covtool`, { mode: 0o500 });
    using _opened = await open(folder);
    assert.equal(((await Deno.stat(`${folder}/covtool`)).mode ?? 0) & 0o777, 0o500);
  });
});

Deno.test("without a home folder, data is kept in a temporary one", async () => {
  if (Deno.build.os === "windows") return;
  const home = Deno.env.get("HOME");
  Deno.env.set("HOME", "/");
  try {
    const opened = await openPrivateFolder({});
    opened.close();
    assert.equal(opened.temporaryBecause, "There is no home folder.");
    assert.match(opened.path, /[/]covtool-proxy-[^/]+$/);
  } finally {
    if (home === undefined) Deno.env.delete("HOME");
    else Deno.env.set("HOME", home);
  }
});

Deno.test({
  ...needing(
    { isMet: IS_ROOT, reason: "files can't be given to another user; run as root" },
    "a folder of another user, who could put an authority into it, isn't used",
  ),
  async fn() {
    await inFolder({}, async (folder) => {
      await Deno.mkdir(`${folder}/covtool`);
      await Deno.chown(`${folder}/covtool`, 1234, 1234);
      using opened = await open(folder);
      assert.match(opened.temporaryBecause ?? "", /belongs to another user/);
    });
  },
});

async function open(
  data: string,
): Promise<Disposable & Awaited<ReturnType<typeof openPrivateFolder>>> {
  const opened = await openPrivateFolder({ XDG_DATA_HOME: data });
  return { ...opened, [Symbol.dispose]: () => opened.close() };
}

Deno.test("dataFolder() is the platform's folder for data", () => {
  const home = "/home/ada";
  const folder = (platform: string, variables: Record<string, string>): string =>
    dataFolder({ platform, variables, home }) ?? "";
  assert.equal(folder("linux", { XDG_DATA_HOME: "/data" }), "/data/covtool");
  assert.equal(folder("linux", { XDG_DATA_HOME: "" }), "/home/ada/.local/share/covtool");
  assert.equal(folder("darwin", {}), "/home/ada/Library/Application Support/covtool");
  assert.match(folder("win32", { LOCALAPPDATA: "C:/Local" }), /Local.covtool$/);
  for (const home of [undefined, "", "/"]) {
    for (const platform of ["linux", "darwin", "win32"]) {
      assert.equal(dataFolder({ platform, variables: {}, home }), undefined, `${platform} ${home}`);
    }
    const variables = { XDG_DATA_HOME: "/data" };
    assert.equal(dataFolder({ platform: "linux", variables, home }), "/data/covtool");
  }
});
