import assert from "node:assert/strict";
import { dataFolder } from "../../src/proxy/data_folder.ts";

Deno.test("dataFolder() is the folder that the platform has for data", () => {
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
