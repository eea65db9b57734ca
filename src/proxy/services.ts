import type { Socket } from "node:net";
import { clearInterval, setInterval } from "node:timers";
import { fileErrorSentence } from "../files/files.ts";
import { formatHostAndPort, type HostAndPort, parseHostPattern } from "../http/host_and_port.ts";
import type { Interaction } from "../http/interaction.ts";
import { SenderReader } from "../redact/identities.ts";
import { redactInteraction } from "../redact/redact_request.ts";
import { Redactor } from "../redact/redactor.ts";
import type { UpstreamFailure } from "./describe_failure.ts";
import { ErrorBoundary, failureNotice, ignore, Notices } from "./error_boundary.ts";
import type { RawHeaders } from "./header_fields.ts";
import { isLocalName, LOOP_SENTENCE, LoopMark } from "./loop_mark.ts";
import type { ProxyOptions, TrafficRecorder } from "./proxy_options.ts";
import { parseReverseUpstream, type ReverseUpstream } from "./target.ts";
import { TrafficFile } from "./traffic_file.ts";
import { Upstream } from "./upstream.ts";

const DEFAULT_BODY_LIMIT: number = 10 * 1024 * 1024;
const DEFAULT_HOST = "127.0.0.1";
/** Milliseconds without a byte sent, after which a client that ended its side of the connection counts as gone. */
const SILENCE_TIMEOUT = 3000;

/** State shared by all connections of a proxy: rules, connections to servers, recording and notices. */
export class Services {
  readonly upstream: Upstream;
  /** All event handlers run in this boundary. */
  readonly boundary: ErrorBoundary;
  readonly loopMark: LoopMark = new LoopMark();
  /** The server behind a reverse proxy; undefined for a forward proxy. */
  readonly reverse: ReverseUpstream | undefined;
  /** Maximum size of recorded request bodies in bytes. */
  readonly bodyLimit: number;
  /** Maximum size of recorded response bodies in bytes; 0 to record none. */
  readonly responseBodyLimit: number;
  /** May change responses, which are held back for it until they are complete. */
  readonly changeResponse: ProxyOptions["changeResponse"];
  /** The address that the proxy listens on. The port is 0 until it listens. */
  listening: HostAndPort;
  requests = 0;
  interactions = 0;
  recordingError: Error | undefined;
  readonly #map: TrafficRecorder;
  readonly #options: ProxyOptions;
  #file: TrafficFile | undefined;
  readonly #redactor: Redactor | undefined;
  readonly #senderReader: SenderReader | undefined;
  readonly #notices: Notices;
  readonly #intercept: readonly HostPattern[] | undefined;
  readonly #passThrough: readonly HostPattern[];
  /** Functions that abort exchanges in progress, with the client's connection if it must be watched. */
  readonly #inFlight = new Map<() => void, Socket | undefined>();
  /** Connections whose end is already handled. */
  readonly #watched = new WeakSet<Socket>();
  #onIdle: (() => void) | undefined;

  /** @throws {TypeError} if an option is invalid. */
  constructor(map: TrafficRecorder, options: ProxyOptions) {
    const { bodyLimit = DEFAULT_BODY_LIMIT } = options;
    this.#map = map;
    this.#options = options;
    this.changeResponse = options.changeResponse;
    const { reverse } = options;
    this.reverse = reverse === undefined ? undefined : parseReverseUpstream(reverse);
    this.upstream = new Upstream({ ...options, via: this.loopMark.via });
    this.listening = { host: options.host ?? DEFAULT_HOST, port: options.port ?? 0 };
    this.bodyLimit = bodyLimit;
    this.responseBodyLimit = options.responseBodies === false ? 0 : bodyLimit;
    this.#intercept = options.intercept?.map(parseHostPattern);
    this.#passThrough = options.passThrough?.map(parseHostPattern) ?? [];
    this.#redactor = options.redact === false ? undefined : new Redactor(map.secretNames?.());
    const { identities = [] } = options;
    this.#senderReader = identities.length === 0 ? undefined : new SenderReader(identities);
    this.#notices = new Notices((notice) => options.onNotice?.(notice));
    this.boundary = new ErrorBoundary((error) => {
      const { kind, message } = failureNotice(error);
      this.#notices.report(kind, message);
    });
  }

  /** Opens the recording, if there is one. Throws the system's error. */
  openRecording(): void {
    const { saveTraffic } = this.#options;
    if (saveTraffic === undefined) return;
    this.#file = new TrafficFile(saveTraffic, (error) => {
      this.recordingError = error;
      this.#notices.report(
        "recording_failed",
        `TRAFFIC IS NOT BEING SAVED: Cannot write ${saveTraffic}: ${fileErrorSentence(error)}`,
      );
    });
  }

  get url(): string {
    const { host, port } = this.listening;
    // Clients cannot connect to the address that means all interfaces.
    const reachable = host === "0.0.0.0" || host === "::" ? DEFAULT_HOST : host;
    return `http://${formatHostAndPort({ host: reachable, port })}`;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** True if the traffic of a tunnel is intercepted; otherwise it passes through unread. */
  isIntercepted({ host, port }: HostAndPort): boolean {
    return !this.#passThrough.some((matches) => matches(host, port)) &&
      (this.#intercept === undefined || this.#intercept.some((matches) => matches(host, port)));
  }

  isCaptured(server: HostAndPort): boolean {
    return this.reverse !== undefined || this.isIntercepted(server);
  }

  /** True if a request to the reverse proxy may have this `Host`. */
  isAllowedHost(host: string): boolean {
    // A user who sets the address knows who can reach it.
    return this.reverse === undefined || this.#options.host !== undefined || isLocalName(host);
  }

  /** True if a forward proxy is asked for a server that is the proxy itself. */
  isProxyItself({ host, port }: HostAndPort): boolean {
    const ownHosts = [this.listening.host.toLowerCase(), "localhost", DEFAULT_HOST, "::1"];
    return port === this.listening.port && this.reverse === undefined && ownHosts.includes(host);
  }

  /** True if the proxy itself sent a request with these header fields or this head. Adds a notice. */
  isLoop(request: RawHeaders | string): boolean {
    const isLoop = this.loopMark.isIn(request);
    if (isLoop) this.#notices.report("loop", LOOP_SENTENCE);
    return isLoop;
  }

  usageText(): string {
    return `This is covtool's proxy at ${this.url}. To send requests through it,\n` +
      `set HTTP_PROXY and HTTPS_PROXY to ${this.url}, or start it with --reverse and your server's URL.\n`;
  }

  /** Counts an exchange and returns a function that ends it. `abort` is called if the client leaves or time is up. */
  begin(abort: () => void, connection?: Socket): () => void {
    this.requests++;
    this.#inFlight.set(abort, connection);
    if (connection !== undefined) this.#watch(connection);
    return () => {
      this.#inFlight.delete(abort);
      if (this.#inFlight.size === 0) this.#onIdle?.();
    };
  }

  /** Waits until no exchange is in progress, at most `timeout` milliseconds, then aborts the rest. */
  async finishExchanges(timeout: number): Promise<void> {
    if (this.#inFlight.size > 0 && timeout > 0) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
        timer = setTimeout(resolve, timeout);
      });
      clearTimeout(timer);
    }
    for (const abort of [...this.#inFlight.keys()]) abort();
  }

  close(): void {
    this.upstream.close();
    this.#file?.close();
  }

  record(interaction: Interaction): void {
    this.interactions++;
    const { request, response, timestamp } = interaction;
    const redactor = this.#redactor;
    // Three separate runs: if one fails, the others still get the interaction, and the client its response.
    this.boundary.run(() => {
      const marked = this.#senderReader?.mark(interaction) ?? interaction;
      this.#file?.append(redactor === undefined ? marked : redactInteraction(marked, redactor));
    }, ignore);
    this.boundary.run(() => this.#options.onInteraction?.(interaction), ignore);
    this.boundary.run(() => this.#map.record(request, response, timestamp), ignore);
  }

  reportFailure(server: HostAndPort, { kind, sentence }: UpstreamFailure): void {
    this.#notices.report(`upstream_${kind}`, sentence, `${formatHostAndPort(server)} ${sentence}`);
  }

  reportCutBody(url: string, length: number): void {
    this.#notices.report(
      "body_cut",
      `A body of ${
        length.toLocaleString("en-US")
      } bytes was forwarded, but recorded only up to the limit, so its keywords are not counted. Raise the limit with --body-limit to measure it.`,
      url.replace(/[?#][^]*/, ""),
    );
  }

  /**
   * Reports that a client ended the TLS handshake, which usually means that it rejects the certificate.
   *
   * @param reason The client's TLS alert (RFC 8446, section 6.2).
   */
  reportRefusedCertificate(host: string, reason: string): void {
    const isAlert = /UNKNOWN_CA|UnknownCA|BAD_CERTIFICATE|BadCertificate|CERTIFICATE_UNKNOWN/i
      .test(reason);
    const problem = isAlert
      ? `A client rejected the proxy's certificate for ${host}: it doesn't trust covtool's certificate authority.`
      : `A client ended the TLS handshake for ${host}, probably because it doesn't trust covtool's certificate authority.`;
    this.#notices.report(
      "certificate_refused",
      `${problem} Run covtool proxy --print-ca-help for instructions, or skip this host with --pass-through ${host}.`,
      host,
    );
  }

  reportExcess(host: string): void {
    this.#notices.report(
      "client_excess",
      `A client cancelled too many requests to ${host} within a second. The proxy closed its HTTP/2 connection (ENHANCE_YOUR_CALM); the client can open another one.`,
      host,
    );
  }

  reportSecureClient(): void {
    this.#notices.report(
      "secure_client",
      "A client tried to connect to the proxy itself over TLS. Use http:// in the proxy's address, in HTTPS_PROXY too.",
    );
  }

  /** Aborts exchanges when their connection closes: of pipelined requests, the runtimes notify only the first. */
  #watch(connection: Socket): void {
    if (this.#watched.has(connection)) return;
    this.#watched.add(connection);
    let timer: ReturnType<typeof setInterval> | undefined;
    connection.once("close", () => {
      clearInterval(timer);
      for (const [abort, serving] of [...this.#inFlight]) if (serving === connection) abort();
    });
    // A client may end its side after its requests and wait for responses, or it may have gone.
    connection.once("end", () => {
      let written = connection.bytesWritten;
      timer = setInterval(() => {
        if (connection.bytesWritten === written) connection.destroy();
        written = connection.bytesWritten;
      }, SILENCE_TIMEOUT);
    });
  }
}

type HostPattern = ReturnType<typeof parseHostPattern>;
