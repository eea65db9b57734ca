import type { SuggestionFormatName } from "./formats/format_names.ts";
import { type Gap, isDimensionGap } from "../map/results.ts";
import type { ParameterLocation } from "../values/position.ts";

/** A generated request. */
export interface SuggestedHttpRequest {
  /** In upper case. */
  readonly method: string;
  /** The full URL. */
  readonly url: string;
  /** Header fields by their names. Credentials are placeholders: `$TOKEN`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; absent where there is none. */
  readonly body?: string;
}

/** The only rule that a suggested request breaks. */
export interface SuggestedBreach {
  /** The location of the parameter. */
  readonly location: ParameterLocation;
  /** The name of the parameter. */
  readonly parameter: string;
  /** The pointer of the keyword, or of `required` of a parameter. */
  readonly schema_path: string;
  /** RFC 6901 pointer to the part of the value that the keyword refuses; absent for a parameter that is left out. */
  readonly instance?: string;
}

/** The origin of the values of a request: traffic, documented examples, or the schemas alone. */
export type SuggestionBase = "recorded" | "examples" | "schema";

/** A request that closes gaps, as recording it on trial has shown. */
export interface Suggestion {
  /** The request. */
  readonly request: SuggestedHttpRequest;
  /** The part of its URL before the path; `$SERVER` in it stands for an unknown host. */
  readonly server: string;
  /** The path template. */
  readonly path: string;
  /** The id of its operation; null if it has none. */
  readonly operation_id: string | null;
  /** The gaps that recording the request closes, in document order, with those that open once its parameter is sent. */
  readonly closes: readonly Gap[];
  /** The only rule that the request breaks; null for a valid request. */
  readonly breaks: SuggestedBreach | null;
  /** The placeholders of credentials to replace in the request: `$TOKEN`. */
  readonly placeholders: readonly string[];
  /** The origin of its values. */
  readonly based_on: SuggestionBase;
  /**
   * The documented statuses that the API may respond with: 2xx and 3xx for valid requests, 4xx for others; `default` if
   * no other status is documented for them.
   */
  readonly expects: readonly string[];
  /** The test that already sends a similar request; absent where no test is recorded for the operation. */
  readonly closest_test?: ClosestTest;
}

/** A test that is named in recordings. */
export interface ClosestTest {
  /** The name of the test, without its file. */
  readonly name: string;
  /** The path of the test's file, if recordings have it. */
  readonly file?: string;
  /** The line of the test, from 1; only commands look it up. */
  readonly line?: number;
}

/** A gap for which no request was found. */
export interface UnreachableGap {
  /** The gap. */
  readonly gap: Gap;
  /** The reason, as a sentence. */
  readonly reason: string;
  /** True if no request can close the gap without breaking a second rule; false if there may be one. */
  readonly impossible: boolean;
}

/** Suggested requests, and the gaps that they leave open. */
export interface Suggestions {
  /** The requests, the first of each operation, then the second of each; of one operation, valid ones first. */
  readonly requests: readonly Suggestion[];
  /**
   * The gaps that stay open, in document order. With a limit, just those of the operations that were searched, and
   * classes of values only where the limit leaves room for their requests.
   */
  readonly unreachable: readonly UnreachableGap[];
}

/** Requests for a report, found with limited effort. */
export interface NextRequests {
  /** The requests, in the order of suggestions. */
  readonly requests: readonly Suggestion[];
  /** True if all operations with gaps were searched; otherwise `covtool suggest` finds more. */
  readonly complete: boolean;
  /** The command that searches all operations (default: `covtool suggest` with the description alone). */
  readonly command?: string | undefined;
  /** True if the command reads the traffic, too (default: false). */
  readonly has_traffic?: boolean | undefined;
  /** The requests as tests (default: none). */
  readonly tests?: CopiedTests | undefined;
}

/** Requests written as tests, to copy. */
export interface CopiedTests {
  /** The name of the test format, such as `vitest`. */
  readonly format: string;
  /** A test file for each request; undefined for a request that the format's client can't send. */
  readonly texts: readonly (string | undefined)[];
}

/** A request for suggestions that cannot be met; the message says what to do. */
export class SuggestError extends TypeError {
  /** The reason. */
  readonly code:
    | "no_server"
    | "invalid_server"
    | "unknown_operation"
    | "unknown_kind"
    | "unknown_gap"
    | "values_not_counted";

  /** Creates an error with a reason and a sentence. */
  constructor(code: SuggestError["code"], message: string) {
    super(message);
    this.name = "SuggestError";
    this.code = code;
  }
}

export const VALUES_NOT_COUNTED =
  "Classes of values aren't counted, or weren't in some of the hits. Leave out --no-values, and measure again.";

/** Options of `suggestRequests()`. */
export interface SuggestOptions {
  /** The operations to suggest requests for, by operation id or as `GET /path`; all by default. */
  readonly operations?: readonly string[] | undefined;
  /** The kinds of gaps to close; all by default. */
  readonly kinds?: readonly Gap["kind"][] | undefined;
  /** The ids of the gaps to close, as reports have them; all gaps by default. */
  readonly gaps?: readonly string[] | undefined;
  /** The most requests; the first ones are kept. */
  readonly limit?: number | undefined;
  /** The URL that paths are appended to; by default the URL that most requests were sent to, else the first server. */
  readonly server?: string | undefined;
  /** Writes `$SERVER` if no server URL is known (default: throws an error). */
  readonly serverPlaceholder?: boolean | undefined;
  /** Varies names, e-mail addresses, numbers and the like by this text, if an API wants them unique (default: not). */
  readonly seed?: string | undefined;
  /** Suggests requests for covered things, too: uses recordings only to base requests on (default: false). */
  readonly repeat?: boolean | undefined;
}

/** An output format of suggestions. To add one, add its name, and its line in `SUGGESTION_FORMATS`. */
export interface SuggestionFormat {
  readonly name: SuggestionFormatName;
  /** File extensions; the first is the default. */
  readonly extensions: readonly string[];
  /** Writes the requests; only the format for people writes the unreachable gaps, too. */
  write(suggestions: Suggestions, title: string): string;
}

/** Chooses few requests that cover the goals of all, greedily: largest first, and of equal ones the first. */
export function chooseRequests<Request extends { readonly goals: readonly number[] }>(
  requests: readonly Request[],
): Request[] {
  const covered = new Set<number>();
  const chosen: Request[] = [];
  // The number of goals that a request adds never grows, so a request that still has its size is the largest left.
  const bySize: { request: Request; order: number; size: number }[][] = [];
  requests.forEach((request, order) => {
    const size = request.goals.length;
    (bySize[size] ??= []).push({ request, order, size });
  });
  for (let size = bySize.length - 1; size > 0; size--) {
    const bucket = bySize[size]?.sort((one, other) => one.order - other.order) ?? [];
    for (const entry of bucket) {
      const added = entry.request.goals.filter((goal) => !covered.has(goal));
      if (added.length === size) {
        for (const goal of added) covered.add(goal);
        chosen.push(entry.request);
      } else if (added.length > 0) (bySize[added.length] ??= []).push(entry);
    }
  }
  return chosen;
}

/** Counts the gaps that decide the order of requests: those of the dimensions, or all where there are none of these. */
export function countClosed(closes: readonly Gap[]): number {
  return closes.filter(isDimensionGap).length || closes.length;
}

/**
 * Orders the requests of all operations by usefulness (reason: docs/evidence.md): the first of each operation, by
 * the number of gaps that it closes, then the second of each.
 */
export function interleaveRequests(operations: readonly (readonly Suggestion[])[]): Suggestion[] {
  const turns: Suggestion[][] = [];
  const closed = ([first]: readonly Suggestion[]): number => countClosed(first?.closes ?? []);
  for (const requests of operations.toSorted((one, other) => closed(other) - closed(one))) {
    requests.forEach((request, turn) => (turns[turn] ??= []).push(request));
  }
  return turns.flat();
}
