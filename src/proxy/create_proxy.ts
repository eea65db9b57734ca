import { openAuthority, type OpenedAuthority } from "./authority.ts";
import { Front } from "./front.ts";
import { grantedVariables } from "../files/missing_permission.ts";
import { HttpServers } from "./http_servers.ts";
import { refuseLoop } from "./loop_mark.ts";
import { openPrivateFolder } from "./private_folder.ts";
import type { Proxy, ProxyOptions, TrafficRecorder } from "./proxy_options.ts";
import { Services } from "./services.ts";

/** Milliseconds to wait for responses in progress. */
const TIMEOUT = 5000;

/**
 * Starts a proxy that forwards and records HTTP and HTTPS. Runs on Deno 2.7 or later and on Node.js 22.15 or later.
 *
 * Clients must be configured to use the proxy and, for HTTPS, to trust {@linkcode Proxy.caCertificate}. For a reverse
 * proxy (`reverse: "http://localhost:3000"`), replace the server's URL by the proxy's instead.
 *
 * @param map The map that records the traffic.
 * @throws {TypeError} if an option is invalid.
 * @throws the system's error if the port, the recording or the folder cannot be used.
 *
 * @example
 * ```ts
 * import { once } from "node:events";
 * import { mkdtemp } from "node:fs/promises";
 * import { createServer } from "node:http";
 * import { tmpdir } from "node:os";
 * import assert from "node:assert/strict";
 * import { CoverageMap } from "../coverage_map/coverage_map.ts";
 * import { createProxy } from "./create_proxy.ts";
 *
 * const server = createServer((_request, response) => void response.end("hello")).listen(0, "127.0.0.1");
 * await once(server, "listening");
 * const { port } = server.address() as { port: number };
 * const map = CoverageMap.fromDict({ openapi: "3.1.0", info: {}, paths: { "/books": { get: {} } } });
 *
 * const proxy = await createProxy(map, {
 *   reverse: `http://127.0.0.1:${port}`,
 *   dataFolder: await mkdtemp(`${tmpdir()}/covtool`),
 * });
 * assert.equal(await (await fetch(`${proxy.url}/books`)).text(), "hello");
 * await proxy.close();
 * assert.deepEqual(map.statistic().operations, { seen: 1, total: 1 });
 * server.close();
 * ```
 */
export async function createProxy(
  map: TrafficRecorder,
  options: ProxyOptions = {},
): Promise<Proxy> {
  const services = new Services(map, options);
  const { reverse, upstream } = services;
  const upstreams = { reverse, upstreamProxy: upstream.proxy };
  refuseLoop(services.listening, upstreams);
  const folder = options.dataFolder === undefined
    ? await openPrivateFolder(grantedVariables())
    : undefined;
  const opened = await openAuthority(options.dataFolder ?? folder?.path ?? "", new Date())
    .finally(() => folder?.close());
  services.openRecording();
  const running = new RunningProxy(services, opened);
  try {
    await running.listen(options.host === undefined);
    // The system may have assigned the very port that `reverse` or `upstreamProxy` names.
    refuseLoop(services.listening, upstreams);
  } catch (error) {
    await running.close(0);
    throw error;
  }
  return running;
}

class RunningProxy implements Proxy {
  readonly caCertificate: string;
  readonly isAuthorityNew: boolean;
  readonly #services: Services;
  readonly #servers: HttpServers;
  readonly #front: Front;
  #closed: Promise<void> | undefined;

  constructor(services: Services, { authority, state }: OpenedAuthority) {
    this.caCertificate = authority.certificate;
    this.isAuthorityNew = state !== "found";
    this.#services = services;
    this.#servers = new HttpServers(
      authority,
      services,
      (client, first, mode) => this.#front.sniff(client, first, mode),
    );
    this.#front = new Front(services, this.#servers);
  }

  get url(): string {
    return this.#services.url;
  }

  get port(): number {
    return this.#services.listening.port;
  }

  get requests(): number {
    return this.#services.requests;
  }

  get interactions(): number {
    return this.#services.interactions;
  }

  get connections(): number {
    return this.#front.connections;
  }

  get inFlight(): number {
    return this.#services.inFlight;
  }

  get failures(): number {
    return this.#services.boundary.failures;
  }

  get recordingError(): Error | undefined {
    return this.#services.recordingError;
  }

  /** @param isDefault True if the user chose no address. */
  async listen(isDefault: boolean): Promise<void> {
    const { host, port: chosen } = this.#services.listening;
    const port = await this.#front.listen(host, chosen);
    this.#services.listening = { host, port };
    // Some clients resolve `localhost` to this address. Machines without IPv6 do not have it.
    if (isDefault) await this.#front.listen("::1", port).catch(() => {});
  }

  close(timeout: number = TIMEOUT): Promise<void> {
    return this.#closed ??= this.#close(timeout);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(timeout: number): Promise<void> {
    const deadline = performance.now() + timeout;
    this.#front.stop();
    await this.#services.finishExchanges(timeout);
    await this.#front.finish(Math.max(0, Math.min(1000, deadline - performance.now())));
    this.#servers.close();
    this.#services.close();
  }
}
