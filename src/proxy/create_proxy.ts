import type { Socket } from "node:net";
import type { Interaction } from "../http/interaction.ts";
import { redactInteraction } from "../redact/redact_request.ts";
import { Redactor } from "../redact/redactor.ts";
import { openAuthority, type OpenedAuthority } from "./authority_store.ts";
import { EndedClients } from "./ended_clients.ts";
import { Guard } from "./guard.ts";
import { Front } from "./front.ts";
import { grantedVariables } from "../files/granted_variables.ts";
import { formatHostAndPort, type HostAndPort } from "../http/host_and_port.ts";
import { parseHostPattern } from "../http/host_pattern.ts";
import { InnerServers } from "./inner_servers.ts";
import { isLocalName } from "./local_name.ts";
import { LOOP_SENTENCE, LoopMark, refuseLoop } from "./loop_mark.ts";
import { failureNotice, Notices } from "./notices.ts";
import { openPrivateFolder } from "./private_folder.ts";
import type { Proxy, ProxyOptions, TrafficRecorder } from "./proxy_options.ts";
import type { Services } from "./services.ts";
import { RelayedConnections } from "./relayed_connections.ts";
import { parseReverseUpstream } from "./target.ts";
import { fileErrorSentence } from "../files/files.ts";
import { TrafficFile } from "./traffic_file.ts";
import { Upstream } from "./upstream.ts";

/** Bytes of a body that are recorded by default: 10 MiB. */
export const DEFAULT_BODY_LIMIT: number = 10 * 1024 * 1024;
/** The address that only programs of this machine reach. */
export const DEFAULT_HOST = "127.0.0.1";

const TIMEOUT = 5000;

/**
 * Starts a proxy that passes HTTP and HTTPS on and records it. Runs on Deno 2.7 and later, and on Node.js 20.16 or later.
 *
 * Clients have to be told of it, and to trust {@linkcode Proxy.caCertificate} for HTTPS; a reverse proxy
 * (`reverse: "http://localhost:3000"`) is called in the server's place instead.
 *
 * @param map What records the traffic.
 * @throws {TypeError} if an option cannot be used.
 * @throws the system's error where the port, the recording or the folder cannot be used.
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
  const reverse = options.reverse === undefined ? undefined : parseReverseUpstream(options.reverse);
  const mark = new LoopMark();
  const upstream = new Upstream({ ...options, mark: mark.via });
  const { host = DEFAULT_HOST, port = 0 } = options;
  const named = { reverse, upstreamProxy: upstream.proxy };
  refuseLoop({ host, port }, named);
  const intercept = options.intercept?.map(parseHostPattern);
  const passThrough = options.passThrough?.map(parseHostPattern) ?? [];
  const folder = options.dataFolder === undefined
    ? await openPrivateFolder(grantedVariables())
    : undefined;
  const opened = await openAuthority(options.dataFolder ?? folder?.path ?? "", new Date())
    .finally(() => folder?.close());
  const running = new RunningProxy(map, options, opened, upstream, {
    reverse,
    mark,
    isIntercepted: ({ host, port }) =>
      !passThrough.some((matches) => matches(host, port)) &&
      (intercept === undefined || intercept.some((matches) => matches(host, port))),
  });
  try {
    await running.listen(options.host, port);
    // Any free port may be the one that is named.
    refuseLoop({ host, port: running.port }, named);
  } catch (error) {
    await running.close(0);
    throw error;
  }
  return running;
}

interface Rules {
  readonly mark: LoopMark;
  readonly reverse: ReturnType<typeof parseReverseUpstream> | undefined;
  isIntercepted(server: HostAndPort): boolean;
}

class RunningProxy implements Proxy {
  readonly caCertificate: string;
  readonly isAuthorityNew: boolean;
  readonly #map: TrafficRecorder;
  readonly #options: ProxyOptions;
  readonly #file: TrafficFile | undefined;
  /** Undefined if secrets are kept. */
  readonly #redactor: Redactor | undefined;
  readonly #upstream: Upstream;
  readonly #relayed: RelayedConnections;
  readonly #inner: InnerServers;
  readonly #front: Front;
  readonly #notices: Notices;
  readonly #guard: Guard;
  /** Functions that end exchanges in flight, each with its client's connection if that is needed. */
  readonly #inFlight = new Map<() => void, Socket | undefined>();
  /** Connections whose end is listened for. */
  readonly #watched = new WeakSet<Socket>();
  #requests = 0;
  #interactions = 0;
  #host = DEFAULT_HOST;
  #port = 0;
  #recordingError: Error | undefined;
  #onIdle: (() => void) | undefined;
  #closed: Promise<void> | undefined;

  constructor(
    map: TrafficRecorder,
    options: ProxyOptions,
    { authority, state }: OpenedAuthority,
    upstream: Upstream,
    rules: Rules,
  ) {
    this.#map = map;
    this.#options = options;
    this.#upstream = upstream;
    const { saveTraffic } = options;
    this.#redactor = options.redact === false ? undefined : new Redactor(map.secretNames?.());
    this.#file = saveTraffic === undefined
      ? undefined
      : new TrafficFile(saveTraffic, (error) => this.#onRecordingError(saveTraffic, error));
    this.#notices = new Notices((notice) => options.onNotice?.(notice));
    this.#guard = new Guard((error) => {
      const { kind, message } = failureNotice(error);
      this.#notices.say(kind, message);
    });
    const ended = new EndedClients(this.#guard, (served) => this.#isServing(served));
    this.#relayed = new RelayedConnections(this.#guard, ended);
    this.caCertificate = authority.certificate;
    this.isAuthorityNew = state !== "found";
    const services = this.#services(rules, ended);
    this.#inner = new InnerServers({
      authority,
      relayed: this.#relayed,
      ended,
      services,
      resume: (client, first, mode) => this.#front.resume(client, first, mode),
      onRefused: (host, reason) =>
        this.#notices.say("certificate_refused", refusedSentence(host, reason), host),
      onExcess: (host) =>
        this.#notices.say(
          "client_excess",
          `A client cancelled too many requests to ${host} within a second. The proxy closed its HTTP/2 connection (ENHANCE_YOUR_CALM); the client can open another one.`,
          host,
        ),
    });
    this.#front = new Front({
      inner: this.#inner,
      relayed: this.#relayed,
      ended,
      upstream,
      guard: this.#guard,
      reverse: rules.reverse,
      isIntercepted: rules.isIntercepted,
      onFailure: services.onFailure,
      isLoop: (head) => {
        const isLoop = rules.mark.isIn(head);
        if (isLoop) services.onLoop();
        return isLoop;
      },
      onSecureClient: () =>
        this.#notices.say(
          "secure_client",
          "A client tried to connect to the proxy itself over TLS. Use http:// in the proxy's address, in HTTPS_PROXY too.",
        ),
    });
  }

  get url(): string {
    return `http://${formatHostAndPort({ host: reachable(this.#host), port: this.#port })}`;
  }

  get port(): number {
    return this.#port;
  }

  get requests(): number {
    return this.#requests;
  }

  get interactions(): number {
    return this.#interactions;
  }

  get connections(): number {
    return this.#front.connections;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  get failures(): number {
    return this.#guard.failures;
  }

  get recordingError(): Error | undefined {
    return this.#recordingError;
  }

  async listen(host: string | undefined, port: number): Promise<void> {
    this.#host = host ?? DEFAULT_HOST;
    this.#port = await this.#front.listen(this.#host, port);
    if (host !== undefined) return;
    // `localhost` is this address for some clients; machines without IPv6 do not have it.
    await this.#front.listen("::1", this.#port).catch(() => {});
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
    if (this.#inFlight.size > 0 && timeout > 0) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
        timer = setTimeout(resolve, timeout);
      });
      clearTimeout(timer);
    }
    for (const abort of [...this.#inFlight.keys()]) abort();
    await this.#relayed.finish(Math.max(0, Math.min(1000, deadline - performance.now())));
    this.#front.destroy();
    await this.#inner.close();
    this.#upstream.close();
    this.#file?.close();
  }

  #isServing(connection: Socket): boolean {
    for (const serving of this.#inFlight.values()) if (serving === connection) return true;
    return false;
  }

  /** Ends what is in flight when its client's connection ends: of pipelined requests, the runtimes tell only the first. */
  #endWith(connection: Socket): void {
    if (this.#watched.has(connection)) return;
    this.#watched.add(connection);
    connection.once("close", () => {
      for (const [abort, serving] of [...this.#inFlight]) if (serving === connection) abort();
    });
  }

  #services(rules: Rules, ended: EndedClients): Services {
    const { bodyLimit = DEFAULT_BODY_LIMIT } = this.#options;
    return {
      upstream: this.#upstream,
      guard: this.#guard,
      mark: rules.mark,
      onLoop: () => this.#notices.say("loop", LOOP_SENTENCE),
      bodyLimit,
      responseBodyLimit: this.#options.responseBodies === false ? 0 : bodyLimit,
      isCaptured: (server) => rules.reverse !== undefined || rules.isIntercepted(server),
      record: (interaction) => this.#record(interaction),
      onFailure: (server, { kind, sentence }) =>
        this.#notices.say(`upstream_${kind}`, sentence, `${formatHostAndPort(server)} ${sentence}`),
      onCutBody: (url, length) =>
        this.#notices.say(
          "body_cut",
          `A body of ${
            length.toLocaleString("en-US")
          } bytes was forwarded in full but recorded only up to the limit, so its keywords are not counted. Raise the limit with --body-limit to measure it.`,
          url.replace(/[?#][^]*/, ""),
        ),
      hasEnded: (connection) => ended.hasEnded(connection),
      begin: (abort, connection) => {
        this.#requests++;
        this.#inFlight.set(abort, connection);
        if (connection !== undefined) this.#endWith(connection);
        return () => {
          this.#inFlight.delete(abort);
          if (this.#inFlight.size === 0) this.#onIdle?.();
        };
      },
      // Whoever sets the address knows who can reach it.
      isServedAs: (host) =>
        rules.reverse === undefined || this.#options.host !== undefined || isLocalName(host),
      isOwn: ({ host, port }) =>
        port === this.#port && rules.reverse === undefined && isOwnName(host, this.#host),
      explanation: () =>
        `This is covtool's proxy at ${this.url}. To send requests through it,\n` +
        `set HTTP_PROXY and HTTPS_PROXY to ${this.url}, or start it with --reverse and your server's URL.\n`,
    };
  }

  #record(interaction: Interaction): void {
    this.#interactions++;
    const { request, response, timestamp } = interaction;
    const redactor = this.#redactor;
    // Each on its own: where one fails, the others still have the interaction, and the client its answer.
    this.#guard.run(() => {
      this.#file?.append(
        redactor === undefined ? interaction : redactInteraction(interaction, redactor),
      );
    }, ignore);
    this.#guard.run(() => this.#options.onInteraction?.(interaction), ignore);
    this.#guard.run(() => this.#map.record(request, response, timestamp), ignore);
  }

  #onRecordingError(path: string, error: Error): void {
    this.#recordingError = error;
    this.#notices.say(
      "recording_failed",
      `TRAFFIC IS NOT BEING SAVED: Cannot write ${path}: ${fileErrorSentence(error)}`,
    );
  }
}

/** An address that clients can connect to if the proxy listens on all addresses. */
function reachable(host: string): string {
  return host === "0.0.0.0" || host === "::" ? DEFAULT_HOST : host;
}

function isOwnName(host: string, listening: string): boolean {
  return host === "localhost" || host === DEFAULT_HOST || host === "::1" ||
    host === listening.toLowerCase();
}

/** The TLS alerts by which clients say that they do not trust a certificate (RFC 8446, section 6.2). */
function refusedSentence(host: string, reason: string): string {
  const isAlert = /UNKNOWN_CA|UnknownCA|BAD_CERTIFICATE|BadCertificate|CERTIFICATE_UNKNOWN/i
    .test(reason);
  const what = isAlert
    ? `A client rejected the proxy's certificate for ${host}: it doesn't trust covtool's certificate authority.`
    : `A client ended the TLS handshake for ${host}, probably because it doesn't trust covtool's certificate authority.`;
  return `${what} Run covtool proxy --print-ca-help for instructions, or skip this host with --pass-through ${host}.`;
}

function ignore(): void {}
