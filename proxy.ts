/**
 * The proxy of covtool as a library, for tests on Deno and Node.js: it passes real traffic on, HTTPS included, and
 * records it in a `CoverageMap`.
 *
 * @module
 */
export type { HttpRequest, HttpResponse, Interaction } from "./src/http/interaction.ts";
export { createProxy } from "./src/proxy/create_proxy.ts";
export type { ProxyNotice } from "./src/proxy/notices.ts";
export type { Proxy, ProxyOptions, TrafficRecorder } from "./src/proxy/proxy_options.ts";
