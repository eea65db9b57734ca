import { collector } from "@covtool/covtool/deno";
import assert from "node:assert/strict";
import { createApp } from "../app.ts";

function shorten(body: unknown): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

Deno.test("a link leads to its URL", async () => {
  const request = collector.handler.trackClient(createApp().request);
  const created = await request("/links", shorten({ url: "https://example.com/", slug: "home" }));
  assert.equal(created.status, 201);
  const followed = await request("/links/home");
  assert.equal(followed.status, 302);
  assert.equal(followed.headers.get("location"), "https://example.com/");
});

Deno.test("a slug is taken once", async () => {
  const request = collector.handler.trackClient(createApp().request);
  const link = shorten({ url: "https://example.com/", slug: "home" });
  assert.equal((await request("/links", link)).status, 201);
  assert.equal((await request("/links", link)).status, 409);
});

Deno.test("a slug without letters is refused", async () => {
  const request = collector.handler.trackClient(createApp().request);
  const link = shorten({ url: "https://example.com/", slug: "!!!" });
  assert.equal((await request("/links", link)).status, 400);
});
