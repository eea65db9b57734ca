import type { HttpRequest, HttpResponse, Interaction } from "../http/interaction.ts";
import type { Identity } from "../redact/identities.ts";
import type { SecretNames } from "../redact/redactor.ts";
import type { ProxyNotice } from "./error_boundary.ts";

/** Receiver of the traffic: a `CoverageMap`, or anything with its `record()`. */
export interface TrafficRecorder {
  /** Records one interaction; `timestamp` is in seconds since 1970. */
  record(request: HttpRequest, response?: HttpResponse | null, timestamp?: number): void;
  /** The names under which the API takes keys, to be masked in recordings. */
  secretNames?(): SecretNames;
}

/** A response of which everything has come. */
export interface WholeResponse {
  /** The status code. */
  readonly status: number;
  /** Names and values; those about the connection are left out. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The bytes of the body, as they are sent: compressed where `Content-Encoding` says so. */
  readonly body: Uint8Array;
}

/** Options of a proxy, all optional. */
export interface ProxyOptions {
  /** The port; 0, the default, is any free one. */
  readonly port?: number | undefined;
  /** The address to listen on; by default the loopback interface, which other machines cannot reach. */
  readonly host?: string | undefined;
  /** Acts as a reverse proxy for the server with this URL. */
  readonly reverse?: string | undefined;
  /** The URL of another proxy that leads to the servers. */
  readonly upstreamProxy?: string | undefined;
  /** True if any certificate of a server is accepted. */
  readonly insecure?: boolean | undefined;
  /** Hosts whose traffic is read and recorded (`api.example`, `*.example`, `localhost:8080`); by default all. */
  readonly intercept?: readonly string[] | undefined;
  /** Hosts whose traffic passes untouched; they come before {@linkcode ProxyOptions.intercept}. */
  readonly passThrough?: readonly string[] | undefined;
  /** Bytes of a body that are recorded, of requests and of responses; 10 MiB by default. Larger ones are passed on whole. */
  readonly bodyLimit?: number | undefined;
  /** True if the bodies of responses are recorded; true by default. Their headers are recorded in any case. */
  readonly responseBodies?: boolean | undefined;
  /** A recording to append to (JSON Lines), readable by its owner alone. */
  readonly saveTraffic?: string | undefined;
  /** True if secrets are masked in that recording; true by default. The coverage is always that of the originals. */
  readonly redact?: boolean | undefined;
  /** Those who send requests: the recording has their names, as masked credentials no longer show them. */
  readonly identities?: readonly Identity[] | undefined;
  /** Folder of the certificate authority; by default covtool's data folder. */
  readonly dataFolder?: string | undefined;
  /**
   * Gives the response that the client gets in place of another; undefined leaves it as it is. Only `covtool mutate` sets
   * it. Bodies longer than {@linkcode ProxyOptions.bodyLimit} and sequences pass untouched.
   */
  readonly changeResponse?:
    | ((request: HttpRequest, response: WholeResponse) => WholeResponse | undefined)
    | undefined;
  /** Called with each complete interaction, before the client has the whole response; right after it if that is long. */
  readonly onInteraction?: ((interaction: Interaction) => void) | undefined;
  /** Called once for each problem that a person should know of: a client rejects the certificate, a server is down. */
  readonly onNotice?: ((notice: ProxyNotice) => void) | undefined;
}

/** A proxy that runs. */
export interface Proxy extends AsyncDisposable {
  /** URL for clients: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The port. */
  readonly port: number;
  /** The certificate authority that clients have to trust, as PEM. */
  readonly caCertificate: string;
  /** True if that is new, so that clients do not trust it yet. */
  readonly isAuthorityNew: boolean;
  /** Requests that were passed on, those that are not recorded included. */
  readonly requests: number;
  /** Interactions that were recorded. */
  readonly interactions: number;
  /** Connections of clients that are open. */
  readonly connections: number;
  /** Responses in progress. */
  readonly inFlight: number;
  /** Errors inside covtool itself, each of which cost one exchange or its recording; 0 if all is well. */
  readonly failures: number;
  /** The reason why the recording could not be written; undefined if it could. */
  readonly recordingError: Error | undefined;
  /**
   * Stops the proxy: it accepts no more connections, lets responses in progress finish, then closes everything.
   *
   * @param timeout How long to wait for them, in milliseconds; 5,000 by default.
   */
  close(timeout?: number): Promise<void>;
}
