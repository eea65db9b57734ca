import assert from "node:assert/strict";
import { fetchErrorSentence, fetchText } from "../../src/openapi/fetch_text.ts";

Deno.test("fetchText() has a timeout for the response and its body", async () => {
  const never = () => new Promise<Response>(() => {});
  const halfWay = () => Promise.resolve(new Response(new ReadableStream()));
  for (const fetch of [never, halfWay]) {
    await assert.rejects(
      fetchText(new URL("https://slow.example/"), { fetch, maxBytes: 10, timeout: 20 }),
      (error) => /did not answer within 1 seconds?\./.test(fetchErrorSentence(error)),
    );
  }
});

Deno.test("fetchText() follows redirects of real servers, and checks each", async () => {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    (request) =>
      new URL(request.url).pathname === "/a"
        ? new Response(null, { status: 301, headers: { location: "/b" } })
        : new Response("text"),
  );
  try {
    const asked: string[] = [];
    const { text, url, bytes } = await fetchText(
      new URL(`http://127.0.0.1:${server.addr.port}/a`),
      {
        maxBytes: 10,
        timeout: 10_000,
        refusal: (url) => {
          asked.push(url.pathname);
          return Promise.resolve(undefined);
        },
      },
    );
    assert.deepEqual([text, url.pathname, bytes, asked], ["text", "/b", 4, ["/a", "/b"]]);
  } finally {
    await server.shutdown();
  }
});
