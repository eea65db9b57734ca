import { createHash } from "node:crypto";

/** How servers treat requests: the first segment of a path. */
export const STEADY_MODES = [
  ...["ok", "chunked", "slow_answer", "stall", "early_hints", "huge_head", "empty"],
  ...["slow_reader", "big", "early_answer"],
] as const;
/** Faults of servers that close or break connections. */
export const CLOSING_MODES = [
  ...["ok", "then_close", "close_on_head", "close", "cut", "few_bytes", "half_body"],
  ...["half_chunk", "nonsense", "until_close", "too_huge_head", "two_lengths", "bad_status"],
] as const;

/** How a server treats a request; with `hang`, it never responds. */
export type Mode =
  | (typeof STEADY_MODES)[number]
  | (typeof CLOSING_MODES)[number]
  | "hang";

/** A response as a client received it. */
export interface Outcome {
  readonly status: number;
  /** False if the proxy made the response, which then has no mark of a server. */
  readonly isServers: boolean;
  /** True if it was complete. */
  readonly isWhole: boolean;
  /** The beginning of the body. */
  readonly text?: string;
}

/** All that is known about one request. */
export interface Sight {
  readonly id: string;
  readonly mode: Mode;
  readonly method: string;
  /** The kind of server that it is for. */
  readonly place: Place;
  /** The kind of client that sends it. */
  readonly client: string;
  /** True if the client wrote it completely. */
  isSent: boolean;
  /** True if the client did not wait for the complete response. */
  hasLeft: boolean;
  /** True if an earlier response on the connection broke off or announced the end of the connection. */
  isBehindBreak: boolean;
  outcome: Outcome | undefined;
  /** Number of times that a server read its head. */
  heads: number;
  /** Number of times that a server read it completely. */
  wholes: number;
  /** Hashes of the body that was sent and of the one that was received. */
  sentBody: string | undefined;
  seenBody: string | undefined;
}

/** The kinds of servers. */
export type Place = "steady" | "closing";

/** All requests by id, and the problems so far. */
export class Sights {
  readonly all = new Map<string, Sight>();
  /** Messages, each of which is a failure. */
  readonly problems: string[] = [];
  /** Requests that nobody sent directly: hidden in others, or made up by servers. */
  readonly forbidden = new Set<string>();

  /** Adds a request before it is sent. */
  add(
    facts: Pick<Sight, "id" | "mode" | "method" | "place" | "client"> & { readonly body?: string },
  ): Sight {
    const { id, mode, method, place, client, body } = facts;
    const sight: Sight = {
      ...{ id, mode, method, place, client },
      ...{ isSent: false, hasLeft: false, isBehindBreak: false, outcome: undefined },
      ...{ heads: 0, wholes: 0, sentBody: body, seenBody: undefined },
    };
    this.all.set(id, sight);
    return sight;
  }

  /** Records a failure; only the first ones are kept. */
  fail(problem: string): void {
    if (this.problems.length < 200) this.problems.push(problem);
  }
}

/** Length and hash of a body, for comparisons. */
export function bodyHash(bytes: Uint8Array): string {
  return `${bytes.length}:${createHash("sha1").update(bytes).digest("hex")}`;
}
