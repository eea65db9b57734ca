import { createHash } from "node:crypto";

/** Ways in which the servers treat requests; the first segment of a path names one. */
export const STEADY_MODES = [
  ...["ok", "chunked", "slow_answer", "stall", "early_hints", "huge_head", "empty"],
  ...["slow_reader", "big", "early_answer"],
] as const;
/** Ways of servers that close or break connections. */
export const CLOSING_MODES = [
  ...["ok", "then_close", "close_on_head", "close", "cut", "few_bytes", "half_body"],
  ...["half_chunk", "nonsense", "until_close", "too_huge_head", "two_lengths", "bad_status"],
] as const;

/** The way in which a server treats a request: `hang` is that of servers that never answer. */
export type Mode =
  | (typeof STEADY_MODES)[number]
  | (typeof CLOSING_MODES)[number]
  | "hang";

/** One answer, as a client got it. */
export interface Outcome {
  readonly status: number;
  /** True if it has the mark of a server; else the proxy made it. */
  readonly isServers: boolean;
  /** True if it came to its end. */
  readonly isWhole: boolean;
  /** The beginning of its body. */
  readonly text?: string;
}

/** Everything that is known of one request. */
export interface Sight {
  readonly id: string;
  readonly mode: Mode;
  readonly method: string;
  /** The kind of server that it is for. */
  readonly place: Place;
  /** The kind of client that sends it. */
  readonly client: string;
  /** True if the client wrote all of it. */
  isSent: boolean;
  /** True if the client did not wait for the whole answer. */
  hasLeft: boolean;
  /** True if an answer before this one on its connection broke, or the client was told that the connection ends. */
  isBehindBreak: boolean;
  outcome: Outcome | undefined;
  /** Times that a server read its head. */
  heads: number;
  /** Times that a server read all of it. */
  wholes: number;
  /** Hash of the body that was sent, and of the one that came. */
  sentBody: string | undefined;
  seenBody: string | undefined;
}

/** The kinds of servers. */
export type Place = "steady" | "closing";

/** All requests by their id, and what went wrong so far. */
export class Sights {
  readonly all = new Map<string, Sight>();
  /** Sentences, each of which is a failure. */
  readonly problems: string[] = [];
  /** Requests that nobody sent as such: hidden in others, or made up by servers. */
  readonly forbidden = new Set<string>();

  /** Adds a request that is going to be sent. */
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

  /** Notes a failure; of many, only the first ones are kept. */
  fail(problem: string): void {
    if (this.problems.length < 200) this.problems.push(problem);
  }
}

/** The length and the hash of a body, to compare it by. */
export function hashOf(bytes: Uint8Array): string {
  return `${bytes.length}:${createHash("sha1").update(bytes).digest("hex")}`;
}
