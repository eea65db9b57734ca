import type { Suggestions } from "../suggestion.ts";

/** A way to write suggestions down. To add one, add its line to `SUGGESTION_FORMATS`. */
export interface SuggestionFormat {
  /** Its name, as `--format` takes it. */
  readonly name: string;
  /** The extensions of its files, the first by default. */
  readonly extensions: readonly string[];
  /** Writes the requests; formats for programs leave out what no request was found for. */
  write(suggestions: Suggestions, title: string): string;
}
