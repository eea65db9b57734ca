/**
 * The proxy of covtool as a library, for tests on Deno and Node.js: it passes real traffic on, HTTPS and HTTP/2 included,
 * and records it in a `CoverageMap`.
 *
 * {@linkcode createProxy} starts one, either as a proxy that clients are told of, or in the place of a server
 * (`reverse`), for clients that can be told of nothing. {@linkcode ProxyOptions} says what else can be chosen: which
 * hosts are recorded, how much of a body is, where the certificate authority is kept. A {@linkcode Proxy} ends with
 * `close()`, or with `await using`. What happens on the way, which isn't an error of a test, are notices
 * ({@linkcode ProxyNotice}).
 *
 * @example In the place of a server
 * ```ts
 * import { CoverageMap } from "@covtool/covtool";
 * import { createProxy } from "@covtool/covtool/proxy";
 * import assert from "node:assert/strict";
 *
 * const map = CoverageMap.fromDict({
 *   openapi: "3.1.0",
 *   info: { title: "Coffee bar", version: "1" },
 *   paths: { "/menu": { get: { responses: { 200: { description: "What there is" } } } } },
 * });
 * const server = Deno.serve({ port: 0, onListen() {} }, () => Response.json(["espresso"]));
 * const proxy = await createProxy(map, { port: 0, reverse: `http://127.0.0.1:${server.addr.port}` });
 *
 * const response = await fetch(`${proxy.url}/menu`);
 * assert.deepEqual(await response.json(), ["espresso"]);
 *
 * await proxy.close();
 * await server.shutdown();
 * assert.equal(map.statistic().responses.seen, 1);
 * ```
 *
 * @module
 */
export type {
  HttpRequest,
  HttpResponse,
  Interaction,
  InteractionDetails,
} from "../http/interaction.ts";
export type { Visibility } from "../http/visibility.ts";
export type { HeadersBut, VisibleHeaders } from "../http/visibility.ts";
export type { SecretNames } from "../redact/redactor.ts";
export { createProxy } from "../proxy/create_proxy.ts";
export type { ProxyNotice } from "../proxy/error_boundary.ts";
export type {
  Proxy,
  ProxyOptions,
  TrafficRecorder,
  WholeResponse,
} from "../proxy/proxy_options.ts";
