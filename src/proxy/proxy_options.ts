import type { HttpRequest, HttpResponse, Interaction } from "../http/interaction.ts";
import type { SecretNames } from "../redact/redactor.ts";
import type { ProxyNotice } from "./notices.ts";

/** What takes the traffic: a `CoverageMap`, or anything with its `record()`. */
export interface TrafficRecorder {
  /** Records one interaction; `timestamp` is in seconds since 1970. */
  record(request: HttpRequest, response?: HttpResponse | null, timestamp?: number): void;
  /** The names under which the API takes keys, to be masked in recordings. */
  secretNames?(): SecretNames;
}

/** How a proxy works; all of it can be left out. */
export interface ProxyOptions {
  /** The port; 0, the default, is any free one. */
  readonly port?: number | undefined;
  /** The address to listen on; by default the loopback interface, which other machines cannot reach. */
  readonly host?: string | undefined;
  /** Stands for the server with this URL instead of being a proxy that clients are told of. */
  readonly reverse?: string | undefined;
  /** The URL of another proxy that leads to the servers. */
  readonly upstreamProxy?: string | undefined;
  /** Whether any certificate of a server is accepted. */
  readonly insecure?: boolean | undefined;
  /** Hosts whose traffic is read and recorded (`api.example`, `*.example`, `localhost:8080`); by default all. */
  readonly intercept?: readonly string[] | undefined;
  /** Hosts whose traffic passes untouched; they come before {@linkcode ProxyOptions.intercept}. */
  readonly passThrough?: readonly string[] | undefined;
  /** Bytes of a request's body that are recorded; 10 MiB by default. Larger ones are passed on whole. */
  readonly bodyLimit?: number | undefined;
  /** A recording to append to (JSON Lines), readable by its owner alone. */
  readonly saveTraffic?: string | undefined;
  /** Whether secrets are masked in that recording; true by default. The coverage is always that of the originals. */
  readonly redact?: boolean | undefined;
  /** Where the certificate authority is kept; by default the user's folder for data. */
  readonly dataFolder?: string | undefined;
  /** Hears of each interaction when it is complete, before the client has all of the answer. */
  readonly onInteraction?: ((interaction: Interaction) => void) | undefined;
  /** Hears, once each, of what a person should know: a client that refuses the certificate, a server that is down. */
  readonly onNotice?: ((notice: ProxyNotice) => void) | undefined;
}

/** A proxy that runs. */
export interface Proxy extends AsyncDisposable {
  /** What clients are told: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The port. */
  readonly port: number;
  /** The certificate authority that clients have to trust, as PEM. */
  readonly caCertificate: string;
  /** Whether that is new, so that clients do not trust it yet. */
  readonly isAuthorityNew: boolean;
  /** Requests that were passed on, those that are not recorded included. */
  readonly requests: number;
  /** Interactions that were recorded. */
  readonly interactions: number;
  /** Connections of clients that are open. */
  readonly connections: number;
  /** Answers that are on their way. */
  readonly inFlight: number;
  /** Errors inside covtool itself, each of which cost one exchange or its recording; 0 if all is well. */
  readonly failures: number;
  /** Why the recording could not be written; undefined where it could. */
  readonly recordingError: Error | undefined;
  /**
   * Ends the proxy: no more connections are accepted, answers that are on their way finish, then all is closed.
   *
   * @param patience How long to wait for them, in milliseconds; 5,000 by default.
   */
  close(patience?: number): Promise<void>;
}
