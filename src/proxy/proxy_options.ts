import type { HttpRequest, HttpResponse, Interaction } from "../http/interaction.ts";
import type { Identity } from "../redact/identities.ts";
import type { SecretNames } from "../redact/redactor.ts";
import type { ProxyNotice } from "./error_boundary.ts";

/** Records traffic: a `CoverageMap`, or any object with its `record()`. */
export interface TrafficRecorder {
  /** Records an interaction; `timestamp` is in seconds since 1970. */
  record(request: HttpRequest, response?: HttpResponse | null, timestamp?: number): void;
  /** Returns the names of fields and parameters that contain API keys, to be masked in recordings. */
  secretNames?(): SecretNames;
}

/** A complete response. */
export interface WholeResponse {
  /** The status code. */
  readonly status: number;
  /** Names and values, without fields about the connection. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The bytes of the body as sent, possibly compressed (see `Content-Encoding`). */
  readonly body: Uint8Array;
}

/** Options of a proxy. */
export interface ProxyOptions {
  /** The port; 0 for any free port (default: 0). */
  readonly port?: number | undefined;
  /** The address to listen on (default: the loopback interface, which other machines cannot reach). */
  readonly host?: string | undefined;
  /** The URL of a server, to act as a reverse proxy for it. */
  readonly reverse?: string | undefined;
  /** The URL of another proxy, to reach servers through it. */
  readonly upstreamProxy?: string | undefined;
  /** True to accept any certificate of a server (default: false). */
  readonly insecure?: boolean | undefined;
  /** Hosts whose traffic is intercepted and recorded (`api.example`, `*.example`, `localhost:8080`; default: all). */
  readonly intercept?: readonly string[] | undefined;
  /** Hosts whose traffic is passed through unread. Takes precedence over {@linkcode ProxyOptions.intercept}. */
  readonly passThrough?: readonly string[] | undefined;
  /** Maximum bytes to record of each body (default: 10 MiB). Longer bodies are still forwarded whole. */
  readonly bodyLimit?: number | undefined;
  /** False to record no bodies of responses (default: true). Their headers are always recorded. */
  readonly responseBodies?: boolean | undefined;
  /** A recording to append to (JSON Lines), readable only by its owner. */
  readonly saveTraffic?: string | undefined;
  /** False to record secrets unmasked (default: true). Coverage is always measured with the original values. */
  readonly redact?: boolean | undefined;
  /** The identities that send requests. The recording includes their names, since their credentials are masked. */
  readonly identities?: readonly Identity[] | undefined;
  /** Folder of the certificate authority (default: covtool's data folder). */
  readonly dataFolder?: string | undefined;
  /**
   * Returns a response to send instead of the original one, or undefined to leave it unchanged. Used by `covtool
   * mutate`. Sequences and bodies longer than {@linkcode ProxyOptions.bodyLimit} are not changed.
   */
  readonly changeResponse?:
    | ((request: HttpRequest, response: WholeResponse) => WholeResponse | undefined)
    | undefined;
  /** Called with each complete interaction, before the client has the whole response, or right after a long one. */
  readonly onInteraction?: ((interaction: Interaction) => void) | undefined;
  /** Called once for each problem that the user should know about: a rejected certificate, a server that is down. */
  readonly onNotice?: ((notice: ProxyNotice) => void) | undefined;
}

/** A running proxy. */
export interface Proxy extends AsyncDisposable {
  /** URL for clients, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The port. */
  readonly port: number;
  /** The certificate authority that clients must trust, as PEM. */
  readonly caCertificate: string;
  /** True if the certificate authority is new, so that clients do not trust it yet. */
  readonly isAuthorityNew: boolean;
  /** Number of forwarded requests, including those that are not recorded. */
  readonly requests: number;
  /** Number of recorded interactions. */
  readonly interactions: number;
  /** Number of open connections of clients. */
  readonly connections: number;
  /** Number of responses in progress. */
  readonly inFlight: number;
  /** Number of errors inside covtool itself, each of which affected one exchange or its recording. */
  readonly failures: number;
  /** The error that keeps the recording from being written; undefined if there is none. */
  readonly recordingError: Error | undefined;
  /**
   * Stops the proxy: it accepts no more connections, lets responses in progress finish, then closes everything.
   *
   * @param timeout Milliseconds to wait for responses (default: 5,000).
   */
  close(timeout?: number): Promise<void>;
}
