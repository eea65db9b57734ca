import assert from "node:assert/strict";
import process from "node:process";
import { changeFetch } from "../../src/runners/change_fetch.ts";
import { TrafficCollector } from "../../src/runners/traffic_collector.ts";
import { TrafficFolder } from "../../src/run/traffic_folder.ts";

/** Calls a test while a server is asked for changes and makes none. It gets the address of another server. */
async function whileAsked(test: (url: string, asked: readonly string[]) => Promise<void>) {
  const asked: string[] = [];
  const listening = { port: 0, hostname: "127.0.0.1", onListen() {} };
  await using changes = Deno.serve(listening, async (request) => {
    asked.push((await request.json()).request.url);
    return new Response(null, { status: 204 });
  });
  await using server = Deno.serve(listening, ({ url }) =>
    url.endsWith("/events")
      ? new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
        }),
        { headers: { "content-type": "text/event-stream" } },
      )
      : Response.json([]));
  const { fetch } = globalThis;
  process.env["COVTOOL_CHANGES"] = `http://127.0.0.1:${changes.addr.port}/key`;
  try {
    await test(`http://127.0.0.1:${server.addr.port}`, asked);
  } finally {
    delete process.env["COVTOOL_CHANGES"];
    globalThis.fetch = fetch;
  }
}

Deno.test("a stream of events, which may have no end, is neither held back nor changed", () =>
  whileAsked(async (url, asked) => {
    changeFetch(() => undefined);
    const response = await fetch(`${url}/events`);
    const reader = response.body?.getReader();
    assert.equal(new TextDecoder().decode((await reader?.read())?.value), "data: 1\n\n");
    await reader?.cancel();
    assert.deepEqual(asked, []);
  }));

Deno.test("test files that share a process record each request once, and ask once for changes", () =>
  whileAsked(async (url, asked) => {
    const folder = TrafficFolder.create();
    const collector = new TrafficCollector(folder.path);
    for (const _ of ["one.test.ts", "other.test.ts"]) collector.trackFetch();
    await (await fetch(`${url}/books`)).text();
    await collector.flush();
    collector.close();
    const lines = folder.recordings().flatMap((path) =>
      Deno.readTextFileSync(path).split("\n").filter((line) => line.includes('"request"'))
    );
    folder.remove();
    assert.equal(lines.length, 1);
    assert.deepEqual(asked, [`${url}/books`]);
  }));
