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

/** The same in every copy of this module, since the library and `covtool/server` may be bundled apart. */
export const SINK: unique symbol = Symbol.for("covtool.sink");

/** The plugins that record for a map from within clients, as attributes of the map. */
export class PluginSet {
  /** The `fetch` of the platform, and what is called like it. */
  readonly fetch: FetchPlugin;
  /** axios. */
  readonly axios: AxiosPlugin;
  /** ky. */
  readonly ky: KyPlugin;
  /** got. */
  readonly got: GotPlugin;
  /** ofetch. */
  readonly ofetch: OfetchPlugin;
  /** undici, and so the `fetch` of Node.js. */
  readonly undici: UndiciPlugin;
  /** Handlers that take a `Request` and give a `Response`. */
  readonly handler: HandlerPlugin;
  /** supertest. */
  readonly supertest: SupertestPlugin;
  /** The `inject()` of Fastify. */
  readonly fastify: FastifyPlugin;
  /** Playwright. */
  readonly playwright: PlaywrightPlugin;
  /** The sink that they all record to. */
  readonly [SINK]: PluginSink;

  /** Makes the plugins; nothing is tracked yet. */
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
   * Sets the test that sends the requests from now on, for "covered by" in reports; `undefined` for none. If tests run
   * at the same time, give a function: it is asked whenever a request is sent, and may look the name up in an
   * `AsyncLocalStorage`.
   */
  setTest(test: TestName | undefined): void {
    pluginSink(this).test = test;
  }

  /**
   * Resolves when everything that is still being read has been recorded: bodies that are read while they are sent.
   * Requests without a response yet are not waited for.
   */
  settled(): Promise<void> {
    return pluginSink(this).settled();
  }
}

export function pluginSink(plugins: PluginSet): PluginSink {
  return plugins[SINK];
}
