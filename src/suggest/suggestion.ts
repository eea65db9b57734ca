import type { SuggestionFormatName } from "./formats/format_names.ts";
import { type Gap, isOfDimension } from "../map/results.ts";
import type { ParameterLocation } from "../values/position.ts";

/** A request that was made to be sent. */
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

/** A request that closes gaps. It was recorded before it was suggested. */
export interface Suggestion {
  /** The request. */
  readonly request: SuggestedHttpRequest;
  /** The beginning of its URL, to which the path is appended; `$SERVER` in it stands for a host that nothing names. */
  readonly server: string;
  /** The template of its path. */
  readonly path: string;
  /** The id of its operation; null if it has none. */
  readonly operation_id: string | null;
  /** What recording it has closed, in document order: gaps, and what would be gaps once the parameter is sent. */
  readonly closes: readonly Gap[];
  /** The only rule that it breaks; null for a valid request. */
  readonly breaks: SuggestedBreach | null;
  /** The placeholders of credentials in it, to be replaced: `$TOKEN`. */
  readonly placeholders: readonly string[];
  /** The origin of its values. */
  readonly based_on: SuggestionBase;
  /**
   * The documented statuses that the API may answer with: 2xx and 3xx for valid requests, 4xx for others; `default` where
   * nothing else is documented for them.
   */
  readonly expects: readonly string[];
  /** The test that already sends something like it; absent where recordings know none of the operation. */
  readonly closest_test?: ClosestTest;
}

/** A test that recordings name. */
export interface ClosestTest {
  /** Its name, without its file. */
  readonly name: string;
  /** The path of its file, if recordings have that. */
  readonly file?: string;
  /** Its line, from 1; only commands look for it. */
  readonly line?: number;
}

/** A gap that no request was found for. */
export interface UnreachableGap {
  /** The gap. */
  readonly gap: Gap;
  /** A sentence that says why. */
  readonly reason: string;
  /** True if no request can close it without breaking a second rule; false where none was found. */
  readonly impossible: boolean;
}

/** What to send next. */
export interface Suggestions {
  /** The requests, the first of each operation, then the second of each; of one operation, valid ones first. */
  readonly requests: readonly Suggestion[];
  /**
   * What they leave open, in document order; with a limit, in the operations that had to be searched for them, and classes
   * of values only where it leaves room for their requests.
   */
  readonly unreachable: readonly UnreachableGap[];
}

/** Requests for a report: as many as little effort finds. */
export interface NextRequests {
  /** The requests, in the order of suggestions. */
  readonly requests: readonly Suggestion[];
  /** True if all operations with gaps were searched; where it is false, `covtool suggest` finds more. */
  readonly complete: boolean;
  /** The command that searches all (default: with the description alone). */
  readonly command?: string | undefined;
  /** The requests as tests (default: none). */
  readonly tests?: CopiedTests | undefined;
}

/** Requests as tests, to copy. */
export interface CopiedTests {
  /** The name of their format, `vitest`. */
  readonly format: string;
  /** A file for each request; undefined for what the client of the format can't send. */
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

  /** Takes the reason and a sentence. */
  constructor(code: SuggestError["code"], message: string) {
    super(message);
    this.name = "SuggestError";
    this.code = code;
  }
}

/** Why it isn't known which classes of values were sent. */
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
  /** The URL that paths are appended to; by default the one most requests were sent to, else the first server. */
  readonly server?: string | undefined;
  /** Writes `$SERVER` where no URL is known to send requests to (default: an error). */
  readonly serverPlaceholder?: boolean | undefined;
  /** Varies names, e-mail addresses, numbers and the like by this text, for APIs that take each once only (default: not). */
  readonly seed?: string | undefined;
  /** Suggests what was seen as well, as if nothing had been recorded but requests to make others of (default: false). */
  readonly repeat?: boolean | undefined;
}

/** A way to write suggestions down. To add one, add its name and its line to `SUGGESTION_FORMATS`. */
export interface SuggestionFormat {
  readonly name: SuggestionFormatName;
  /** The extensions of its files, the first by default. */
  readonly extensions: readonly string[];
  /** Writes the requests; formats for programs leave out what no request was found for. */
  write(suggestions: Suggestions, title: string): string;
}

/** The fewest requests that cover what all cover, taking the largest first, of equal ones the first. */
export function chooseRequests<Request extends { readonly goals: readonly number[] }>(
  requests: readonly Request[],
): Request[] {
  const covered = new Set<number>();
  const chosen: Request[] = [];
  // What a request adds only shrinks, so that one that is the largest again when looked at is the largest of all.
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

/** The number of gaps that count for the order of requests: those of the dimensions, where there are any. */
export function countClosed(closes: readonly Gap[]): number {
  return closes.filter(isOfDimension).length || closes.length;
}

/**
 * The requests of operations in the order in which they are worth sending (docs/evidence.md has the reason): the first of
 * each operation, those that close most first, then the second of each.
 */
export function takeTurns(operations: readonly (readonly Suggestion[])[]): Suggestion[] {
  const turns: Suggestion[][] = [];
  const closed = ([first]: readonly Suggestion[]): number => countClosed(first?.closes ?? []);
  for (const own of operations.toSorted((one, other) => closed(other) - closed(one))) {
    own.forEach((request, turn) => (turns[turn] ??= []).push(request));
  }
  return turns.flat();
}
