import assert from "node:assert/strict";
import type { CoverageMap, Interaction } from "../../mod.ts";
import { shopMap, timeless } from "./shop.ts";

/** A server of the shop that records the requests it receives, which a plugin must record too. */
export interface Shop extends AsyncDisposable {
  readonly origin: string;
  readonly traffic: Interaction[];
}

/** Responds to a request to the shop. */
function answer(
  request: Request,
  body: Uint8Array<ArrayBuffer>,
  flaky: { count: number },
): Response {
  const { pathname } = new URL(request.url);
  switch (pathname) {
    case "/old":
      return new Response(null, { status: 302, headers: { location: "/books?limit=1" } });
    case "/flaky":
      return flaky.count++ % 2 === 0
        ? new Response("later", { status: 503, headers: { "retry-after": "0" } })
        : Response.json({ now: true });
    case "/books": {
      if (request.method !== "POST") return Response.json([{ title: "Momo" }]);
      const text = new TextDecoder().decode(body);
      return text.includes("title")
        ? new Response(text, { status: 201, headers: { "content-type": "application/json" } })
        : Response.json({ message: "no title" }, { status: 422 });
    }
    case "/nope":
      return new Response("nothing here", { status: 404 });
    default:
      return new Response(body);
  }
}

/** A handler of the shop, with the traffic that it received. */
export function shopHandler(): {
  readonly handler: (request: Request) => Promise<Response>;
  readonly traffic: Interaction[];
} {
  const traffic: Interaction[] = [];
  const flaky = { count: 0 };
  const handler = async (request: Request): Promise<Response> => {
    const body = await request.bytes();
    const response = answer(request, body, flaky);
    traffic.push({
      request: { method: request.method, url: request.url, headers: [...request.headers], body },
      response: { status_code: response.status },
    });
    return response;
  };
  return { handler, traffic };
}

/** The part of a Node.js request that is needed. */
export interface Asked {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: object;
}

/** Sends a Node.js server's request, whose body has been read, to the shop's handler. */
export async function ask(
  handler: ReturnType<typeof shopHandler>["handler"],
  { method = "GET", url, headers }: Asked,
  body: unknown,
): Promise<Response> {
  const { host } = headers as { readonly host?: string };
  return await handler(
    new Request(`http://${host}${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(body instanceof Uint8Array && body.length > 0 && { body: new Uint8Array(body) }),
    }),
  );
}

/** Starts the shop on a free port. */
export function startShop(): Shop {
  const { handler, traffic } = shopHandler();
  const abort = new AbortController();
  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    signal: abort.signal,
    onListen: () => {},
  }, handler);
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    traffic,
    async [Symbol.asyncDispose]() {
      abort.abort();
      await server.finished;
    },
  };
}

/** Asserts that a map has the coverage of the traffic that the server received, and that its plugin had no errors. */
export async function assertSameCoverage(
  map: CoverageMap,
  traffic: readonly Interaction[],
  count: number,
): Promise<void> {
  await map.settled();
  const expected = shopMap();
  for (const { request, response } of traffic) expected.record(request, response);
  assert.equal(traffic.length, count, "requests that reached the server");
  assert.deepEqual(map.diagnostics(), []);
  assert.deepEqual(timeless(map), timeless(expected));
}

/** Asserts that every request with a response has a plausible time. */
export function assertTimes(map: CoverageMap, before: number): void {
  const { traffic, operations } = map.report();
  assert.ok(traffic.first_at !== null && traffic.first_at >= before - 0.001);
  assert.ok(traffic.last_at !== null && traffic.last_at <= Date.now() / 1000 + 0.001);
  const elapsed = operations.flatMap(({ responses }) => responses).filter(({ hits }) => hits > 0);
  assert.ok(elapsed.some((response) => response.elapsed !== null && response.elapsed.max > 0));
}

/** Defines a test with clients that keep connections open after it. */
export function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, sanitizeOps: false, sanitizeResources: false, fn });
}
