import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import * as playwright from "playwright-core";
import * as playwright64 from "playwright-core-1-64";
import { assertSameCoverage, assertTimes, startShop, test } from "./session.ts";
import { shopMap, versions } from "./shop.ts";
import { CHROMIUM, needing, NEEDS_CHROMIUM } from "../requirement.ts";

const PLAYWRIGHTS = versions(["1.65", playwright], ["1.64", playwright64]);

/** A page's request in Playwright's form. */
const REQUEST = {
  method: () => "GET",
  url: () => "http://localhost/books",
  headers: () => ({}),
  postDataBuffer: () => null,
  response: () => Promise.resolve({ status: () => 200 }),
};

for (const [version, library] of PLAYWRIGHTS) {
  test(
    `an APIRequestContext of Playwright ${version} is recorded as the server receives it`,
    async () => {
      await using shop = startShop();
      const map = shopMap();
      const before = Date.now() / 1000;
      const plain = await library.request.newContext({ baseURL: shop.origin });
      const context = map.playwright.trackClient(plain);
      assert.equal(context, plain);
      const list = await context.get("/books", {
        params: { limit: 700 },
        headers: { "X-Tag": "long" },
      });
      assert.deepEqual(await list.json(), [{ title: "Momo" }]);
      await context.get(`${shop.origin}/books`, { params: "limit=7" });
      await context.get("books", { params: new URLSearchParams({ limit: "8" }) });
      const created = await context.post("/books", { data: { title: "Momo" } });
      assert.equal(created.status(), 201);
      await context.fetch("/books", {
        method: "POST",
        headers: { "content-type": "application/json" },
        data: "{}",
      });
      await context.post("/form", { form: { size: 12 } });
      await context.post("/upload", {
        multipart: {
          note: "short",
          file: { name: "l.csv", mimeType: "text/csv", buffer: Buffer.from("a,b,c") },
        },
      });
      await context.put("/raw", { data: Buffer.from("bytes") });
      await context.get("/old", { maxRedirects: 0 });
      await context.get("/nope");
      await assertSameCoverage(map, shop.traffic, 10);
      assertTimes(map, before);
      await context.dispose();
    },
  );
}

test("a status that Playwright throws as an error counts", async () => {
  await using shop = startShop();
  const map = shopMap();
  for (const [, library] of PLAYWRIGHTS) {
    const plain = await library.request.newContext({ baseURL: shop.origin });
    const context = map.playwright.trackClient(plain);
    const data = {};
    await assert.rejects(context.post("/books", { data, failOnStatusCode: true }), /422/);
    await assert.rejects(context.get("http://127.0.0.1:1/422", { failOnStatusCode: true }));
    await context.dispose();
  }
  const books = map.report().operations.find(({ method, path }) =>
    method === "POST" && path === "/books"
  );
  assert.deepEqual(books?.responses.map(({ status_code, hits }) => [status_code, hits]), [
    ["201", 0],
    ["422", 2],
  ]);
});

test("a redirect that Playwright follows is recorded with its first and last request", async () => {
  await using shop = startShop();
  const map = shopMap();
  const context = map.playwright.trackClient(
    await playwright.request.newContext({ baseURL: shop.origin }),
  );
  assert.equal((await context.get("/old")).status(), 200);
  const old = map.report().operations.find(({ path }) => path === "/old");
  assert.deepEqual([old?.hits, old?.undocumented_responses], [1, []]);
  assert.equal(map.report().operations[0]?.responses[0]?.hits, 1);
  await assert.rejects(context.get("http://127.0.0.1:1/books"), /ECONNREFUSED/);
  assert.equal(map.traffic().recorded, 3);
  await context.dispose();
});

for (const [version, library] of PLAYWRIGHTS) {
  Deno.test({
    ...needing(
      NEEDS_CHROMIUM,
      `traffic of a Playwright ${version} page is recorded, with each redirect as its own interaction`,
    ),
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      await using shop = startShop();
      const map = shopMap();
      const browser = await library.chromium.launch({
        executablePath: CHROMIUM,
        args: ["--no-sandbox"],
      });
      try {
        const page = await browser.newPage();
        assert.equal(map.playwright.trackPage(page), page);
        await page.goto(`${shop.origin}/books`);
        const finished = page.waitForEvent("requestfinished", {
          predicate: (sent) => sent.url().includes("limit=1"),
        });
        await page.evaluate(`(async () => {
        await (await fetch("/books", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ title: "Momo" }),
        })).text();
        const form = new FormData();
        form.append("note", "too long");
        await (await fetch("/upload", { method: "POST", body: form })).text();
        await (await fetch("/old")).text();
      })()`);
        await finished;
        // The browser may request an icon at any time.
        const noIcon = shop.traffic.filter(({ request: { url } }) => !url.endsWith("/favicon.ico"));
        await map.settled();
        assert.equal(map.traffic().matched, noIcon.length);
        assert.equal(noIcon.length, 5);
        const expected = shopMap();
        for (const { request: sent, response } of noIcon) expected.record(sent, response);
        assert.deepEqual(map.statistic(), expected.statistic());
        assert.equal(map.statistic().examples.seen, 1);
      } finally {
        await browser.close();
      }
    },
  });
}

Deno.test("record() of Playwright accepts a URL with its options", async () => {
  const map = shopMap();
  const options = { method: "POST", data: { title: "Momo" } };
  await map.playwright.record(["http://localhost/books", options], { status: () => 201 });
  assert.equal(map.statistic().examples.seen, 1);
  assert.equal(map.statistic().responses.seen, 1);
  assert.equal(map.report().summary.response_keywords?.measured, false);
  await map.playwright.record("http://localhost/books", {
    status: () => 200,
    headers: () => ({ "content-type": "application/json" }),
    body: () => Promise.resolve(new TextEncoder().encode("[]")),
  });
  assert.equal(map.report().summary.response_keywords?.measured, true);
});

Deno.test("a page's request counts once, even if its context is tracked too", async () => {
  const map = shopMap();
  const listeners: ((request: unknown) => void)[] = [];
  const emitter = () => ({
    on: (event: string, listener: (request: unknown) => void): void => {
      if (event === "requestfinished") listeners.push(listener);
    },
  });
  map.playwright.trackPage(emitter());
  map.playwright.trackPage(emitter());
  // Playwright reports the same object to both.
  for (const sent of [REQUEST, { ...REQUEST }]) {
    for (const listener of listeners) listener(sent);
  }
  await map.settled();
  assert.equal(listeners.length, 2);
  assert.equal(map.traffic().matched, 2);
});

Deno.test("a response that a page is still receiving counts with its status after settled()", async () => {
  const map = shopMap();
  const listeners = new Map<string, (event: unknown) => void>();
  map.playwright.trackPage({
    on: (event: string, listener: (event: unknown) => void) => listeners.set(event, listener),
  });
  listeners.get("request")?.(REQUEST);
  assert.equal(map.report().summary.responses.seen, 0);
  await map.settled();
  assert.equal(map.statistic().responses.seen, 1);
  listeners.get("requestfinished")?.(REQUEST);
  await map.settled();
  assert.equal(map.traffic().matched, 1);
  // A closed page rejects calls.
  const response = () => Promise.reject(new Error("Target page has been closed"));
  listeners.get("request")?.({ ...REQUEST, response });
  await map.settled();
  assert.equal(map.traffic().matched, 2);
  assert.equal(map.statistic().responses.seen, 1);
  assert.deepEqual(map.report().diagnostics, []);
});

Deno.test("a page's request belongs to the test that sent it, even if the next one is running when it ends", async () => {
  const map = shopMap();
  const listeners = new Map<string, (event: unknown) => void>();
  map.playwright.trackPage({
    on: (event: string, listener: (event: unknown) => void) => listeners.set(event, listener),
  });
  map.setTest("first");
  listeners.get("request")?.(REQUEST);
  map.setTest("second");
  listeners.get("requestfinished")?.(REQUEST);
  await map.settled();
  assert.deepEqual(map.report().tests, ["first"]);
});
