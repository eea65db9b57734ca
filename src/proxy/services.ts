import type { Socket } from "node:net";
import type { Interaction } from "../http/interaction.ts";
import type { UpstreamFailure } from "./failure_sentence.ts";
import type { HostAndPort } from "../http/host_and_port.ts";
import type { Guard } from "./guard.ts";
import type { LoopMark } from "./loop_mark.ts";
import type { Upstream } from "./upstream.ts";

/** Services of the proxy for the handling of requests. */
export interface Services {
  readonly upstream: Upstream;
  /** The guard that every event handler runs in. */
  readonly guard: Guard;
  /** The mark of the proxy's own requests. */
  readonly mark: LoopMark;
  /** Bytes of a request's body that are kept. */
  readonly bodyLimit: number;
  /** Bytes of a response's body that are kept; 0 for none of any. */
  readonly responseBodyLimit: number;
  /** True if what goes to a server is recorded. */
  isCaptured(server: HostAndPort): boolean;
  /** Takes a completed interaction. */
  record(interaction: Interaction): void;
  /** Called when a server cannot be reached or its response cannot be forwarded. */
  onFailure(server: HostAndPort, failure: UpstreamFailure): void;
  /** Called for a request that came back to the proxy. */
  onLoop(): void;
  /** Called for a body that exceeds the limit. */
  onCutBody(url: string, length: number): void;
  /** Counts what is in flight; gives what ends it. The proxy calls `abort` when it cannot wait any longer. */
  begin(abort: () => void, connection?: Socket): () => void;
  /** True if the client of a connection has ended its side: it may be gone. */
  hasEnded(connection: Socket): boolean;
  /** True if requests to a reverse proxy may name this `Host`. */
  isServedAs(host: string): boolean;
  /** True if a server is the proxy itself. */
  isOwn(server: HostAndPort): boolean;
  /** The answer to requests that lead to the proxy itself, and to requests that name no server. */
  explanation(): string;
}
