import { AxiosPlugin } from "./axios_plugin.ts";
import { FastifyPlugin } from "./fastify_plugin.ts";
import { FetchPlugin, HandlerPlugin } from "./fetch_plugin.ts";
import { GotPlugin } from "./got_plugin.ts";
import { KyPlugin } from "./ky_plugin.ts";
import { OfetchPlugin } from "./ofetch_plugin.ts";
import { PlaywrightPlugin } from "./playwright_plugin.ts";
import {
  PluginSink,
  type RecordInteraction,
  type SinkOptions,
  type TestName,
} from "./plugin_sink.ts";
import { SupertestPlugin } from "./supertest_plugin.ts";
import { UndiciPlugin } from "./undici_plugin.ts";

/** A global symbol: the library and `covtool/server` may be bundled with separate copies of this module. */
export const SINK: unique symbol = Symbol.for("covtool.sink");

/** The plugins that record traffic of clients and servers for a map. */
export class PluginSet {
  /** For the platform's `fetch`, and functions with the same parameters. */
  readonly fetch: FetchPlugin;
  /** For axios. */
  readonly axios: AxiosPlugin;
  /** For ky. */
  readonly ky: KyPlugin;
  /** For got. */
  readonly got: GotPlugin;
  /** For ofetch. */
  readonly ofetch: OfetchPlugin;
  /** For undici, and so for the `fetch` of Node.js. */
  readonly undici: UndiciPlugin;
  /** For handlers that take a `Request` and return a `Response`. */
  readonly handler: HandlerPlugin;
  /** For supertest. */
  readonly supertest: SupertestPlugin;
  /** For the `inject()` of Fastify. */
  readonly fastify: FastifyPlugin;
  /** For Playwright. */
  readonly playwright: PlaywrightPlugin;
  /** The sink that all plugins record to. */
  readonly [SINK]: PluginSink;

  /** Creates the plugins. Nothing is tracked yet. */
  constructor(record: RecordInteraction, options?: SinkOptions) {
    const sink = new PluginSink(record, options);
    this[SINK] = sink;
    this.fetch = new FetchPlugin(sink, "fetch");
    this.axios = new AxiosPlugin(sink, "axios");
    this.ky = new KyPlugin(sink, "ky");
    this.got = new GotPlugin(sink, "got");
    this.ofetch = new OfetchPlugin(sink, "ofetch");
    this.undici = new UndiciPlugin(sink, "undici");
    this.handler = new HandlerPlugin(sink, "handler");
    this.supertest = new SupertestPlugin(sink, "supertest");
    this.fastify = new FastifyPlugin(sink, "fastify");
    this.playwright = new PlaywrightPlugin(sink, "playwright");
  }

  /**
   * Sets the test that sends requests from now on, for "covered by" in reports; `undefined` for none. If tests run at
   * the same time, pass a function: it is called for each request, and may read the name from an `AsyncLocalStorage`.
   */
  setTest(test: TestName | undefined): void {
    this[SINK].test = test;
  }

  /**
   * Resolves when everything that is still being read has been recorded: bodies that are read while they are sent.
   * Requests without a response yet are not waited for.
   */
  settled(): Promise<void> {
    return this[SINK].settled();
  }
}
