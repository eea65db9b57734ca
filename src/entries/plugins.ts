/**
 * The types of everything that brings traffic into a `CoverageMap`: its plugins, the clients that plugins accept
 * (reduced to the members that covtool uses), and its importers of recordings.
 *
 * @example
 * ```ts
 * import { CoverageMap } from "@covtool/covtool";
 * import type { FetchPlugin } from "@covtool/covtool/plugins";
 * import assert from "node:assert/strict";
 *
 * const track = (plugin: FetchPlugin): typeof fetch =>
 *   plugin.trackClient(() => Promise.resolve(Response.json(["espresso"])));
 * const map = CoverageMap.fromDict({
 *   openapi: "3.1.0",
 *   info: { title: "Coffee bar", version: "1" },
 *   paths: { "/menu": { get: { responses: { 200: { description: "The menu" } } } } },
 * });
 * await (await track(map.fetch)("http://localhost/menu")).json();
 * await map.settled();
 *
 * assert.equal(map.statistic().responses.seen, 1);
 * ```
 *
 * @module
 */
export type { HeadersLike } from "../http/interaction.ts";
export type { HeadersBut, VisibleHeaders } from "../http/visibility.ts";
export type { CollectionImporter, RecordingImporter } from "../coverage_map/recording_importer.ts";
export type { PostmanEnvironment } from "../traffic/formats/postman/postman_environment.ts";
export type {
  AxiosLike,
  AxiosPlugin,
  AxiosResponseHook,
  InterceptorsLike,
} from "../plugins/axios_plugin.ts";
export type { AxiosConfigLike, AxiosResponseLike } from "../plugins/axios_request.ts";
export type { ClientPlugin } from "../plugins/client_plugin.ts";
export type { RequestLike } from "../plugins/fetch_plugin.ts";
export type { FastifyLike, FastifyPlugin, InjectedLike } from "../plugins/fastify_plugin.ts";
export type {
  FetchHook,
  FetchPlugin,
  FetchRecorder,
  HandlerPlugin,
  ResponseLike,
  TrackedGlobal,
} from "../plugins/fetch_plugin.ts";
export type { GotLike, GotOptionsLike, GotPlugin, GotResponseLike } from "../plugins/got_plugin.ts";
export type { KyLike, KyPlugin } from "../plugins/ky_plugin.ts";
export type { OfetchLike, OfetchPlugin } from "../plugins/ofetch_plugin.ts";
export type {
  ApiContextLike,
  ApiOptionsLike,
  PageLike,
  PageRequestLike,
  PlaywrightPlugin,
  PlaywrightRequest,
  PlaywrightResponseLike,
} from "../plugins/playwright_plugin.ts";
export type { PluginSet } from "../plugins/plugin_set.ts";
export type { RecordInteraction, SinkOptions, TestName } from "../plugins/plugin_sink.ts";
export type {
  SupertestPlugin,
  SupertestRequestLike,
  SupertestResponseLike,
} from "../plugins/supertest_plugin.ts";
export type {
  DispatcherLike,
  DispatchLike,
  DispatchOptionsLike,
  UndiciPlugin,
  UndiciResponseLike,
} from "../plugins/undici_plugin.ts";
