import type { Gap } from "../map/results.ts";
import type { ParameterLocation } from "../values/parameter_location.ts";

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
  /** The requests, those that close most first. */
  readonly requests: readonly Suggestion[];
  /** What they leave open, in document order; with a limit, in the operations that had to be searched for them. */
  readonly unreachable: readonly UnreachableGap[];
}

/** Requests for a report: as many as little effort finds. */
export interface NextRequests {
  /** The requests, those that close most first. */
  readonly requests: readonly Suggestion[];
  /** True if all operations with gaps were searched; where it is false, `covtool suggest` finds more. */
  readonly complete: boolean;
}

/** A request for suggestions that cannot be met; the message says what to do. */
export class SuggestError extends TypeError {
  /** The reason. */
  readonly code: "no_server" | "invalid_server" | "unknown_operation" | "unknown_kind";

  /** Takes the reason and a sentence. */
  constructor(code: SuggestError["code"], message: string) {
    super(message);
    this.name = "SuggestError";
    this.code = code;
  }
}

/** Options of `suggestRequests()`. */
export interface SuggestOptions {
  /** The operations to suggest requests for, by operation id or as `GET /path`; all by default. */
  readonly operations?: readonly string[] | undefined;
  /** The kinds of gaps to close; all by default. */
  readonly kinds?: readonly Gap["kind"][] | undefined;
  /** The most requests; those that close most are kept. */
  readonly limit?: number | undefined;
  /** The URL that paths are appended to; by default the one most requests were sent to, else the first server. */
  readonly server?: string | undefined;
  /** Suggests what was seen as well, as if nothing had been recorded but requests to make others of (default: false). */
  readonly repeat?: boolean | undefined;
}
