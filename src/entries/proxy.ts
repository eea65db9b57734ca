/**
 * The proxy of covtool as a library, for tests on Deno and Node.js. It forwards real traffic, including HTTPS and
 * HTTP/2, and records it in a `CoverageMap`.
 *
 * {@linkcode createProxy} starts a proxy: either one that clients are configured to use, or a reverse proxy (`reverse`)
 * for clients that can't be configured. {@linkcode ProxyOptions} has the settings: which hosts are recorded, how much
 * of each body, and where the certificate authority is stored. A {@linkcode Proxy} is stopped by `close()` or `await
 * using`. Events that aren't errors of a test are reported as notices ({@linkcode ProxyNotice}).
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
export type { HeadersBut, Visibility, VisibleHeaders } from "../http/visibility.ts";
export type { SecretNames } from "../redact/redactor.ts";
export { createProxy } from "../proxy/create_proxy.ts";
export type { ProxyNotice } from "../proxy/error_boundary.ts";
export type {
  Proxy,
  ProxyOptions,
  TrafficRecorder,
  WholeResponse,
} from "../proxy/proxy_options.ts";
