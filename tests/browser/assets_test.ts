import assert from "node:assert/strict";
import { WITH_DEV_CONFIG } from "../../scripts/source_files.ts";

Deno.test("the committed page is built from its sources", async () => {
  const script = new URL("../../scripts/build_page.ts", import.meta.url).href;
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", ...WITH_DEV_CONFIG, script, "--check"],
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
});
