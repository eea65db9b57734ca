import { collector } from "@covtool/covtool/deno";
import assert from "node:assert/strict";
import { createApp } from "../app.ts";

Deno.test("at first there are no links", async () => {
  const request = collector.handler.trackClient(createApp().request);
  const response = await request("/stats");
  assert.deepEqual(await response.json(), { links: 0 });
});
