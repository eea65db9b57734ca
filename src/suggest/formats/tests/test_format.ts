import type { TestFormatName } from "../format_names.ts";
import { placeholderNames } from "../placeholder_names.ts";
import { multipartText, type TextPart } from "../../../http/write_multipart.ts";
import type { Suggestion } from "../../suggestion.ts";
import type { Json } from "../../../values/json.ts";

/** A test of one request, independent of the test format. */
export interface SuggestedTest {
  /** The behavior that it tests: `POST /books refuses less than 0 for price`. Unique in its group. */
  readonly title: string;
  /** The tag of the operation, as part of a file name: `book-reviews`. */
  readonly group: string;
  readonly method: string;
  /** The environment variable for the URL of the API. */
  readonly base: TestVariable;
  /** The rest of the request's URL: the path with the query. */
  readonly target: string;
  /** Header fields by name, with `Content-Type` except for multipart forms, whose boundary the client chooses. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: TestBody;
  /** The placeholders of credentials in the target and the headers: `$COVTOOL_AUTH_BASIC`. */
  readonly placeholders: readonly string[];
  readonly statuses: ExpectedStatuses;
  /** The documented media types of the response; none if it may have no body or any type. */
  readonly mediaTypes: readonly string[];
  /** Properties that the schemas of all expected responses require. */
  readonly required: readonly string[];
  readonly suggestion: Suggestion;
}

/** A body: JSON that every language can write exactly as a literal, a multipart form, or text. */
export type TestBody =
  | { readonly json: Json }
  | { readonly parts: readonly TextPart[] }
  | { readonly text: string };

export interface TestVariable {
  readonly name: string;
  /** The default value; undefined if the variable must be set. */
  readonly value?: string | undefined;
}

/** The expected statuses: at least one, and none both as itself and by its class. */
export interface ExpectedStatuses {
  readonly exact: readonly number[];
  /** First digits: 4 for all of 4xx. */
  readonly classes: readonly number[];
}

/** A format of test files. To add one, add its name, and its line in `TEST_FORMATS`. */
export interface TestFormat {
  readonly name: TestFormatName;
  readonly extension: string;
  fileName(group: string): string;
  /** True if the client of the format can't send a request. */
  refuses?(test: SuggestedTest): boolean;
  /** Writes a file; `group` is the group of its tests, or a name for tests of several groups. */
  write(tests: readonly SuggestedTest[], group: string): string;
}

/** Lists the variables that a file needs, those for the API's URL first. */
export function testVariables(tests: readonly SuggestedTest[]): readonly TestVariable[] {
  const variables = new Map(tests.map(({ base }) => [base.name, base]));
  for (const name of placeholderNames(tests)) variables.set(name, { name });
  return [...variables.values()];
}

export function missingVariable({ name }: TestVariable): string {
  return /^API_URL/.test(name)
    ? `Set ${name} to the URL of the API, such as http://localhost:3000.`
    : `Set ${name} to the credentials that the API takes.`;
}

/** True if a redirect is an expected response, which the client must not follow. */
export function expectsRedirect({ statuses: { exact, classes } }: SuggestedTest): boolean {
  return classes.includes(3) || exact.some((status) => status >= 300 && status < 400);
}

/** Returns the header fields to set: clients add the media type of JSON bodies by themselves. */
export function headersToSet({ headers, body }: SuggestedTest): SuggestedTest["headers"] {
  const { "Content-Type": mediaType, ...others } = headers;
  const isAdded = body !== undefined && "json" in body && mediaType === "application/json";
  return isAdded ? others : headers;
}

/** Splits a title into words for a function name: runs of letters and decimal digits, without apostrophes. */
export function titleWords(title: string): string[] {
  return title.toLowerCase().replaceAll(/(?<=\p{L})'(?=\p{L})/gu, "").match(/[\p{L}\p{Nd}]+/gu) ??
    [];
}

export function pascalCase(words: readonly string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

export function uniqueNames(
  tests: readonly SuggestedTest[],
  name: (words: readonly string[], number: number) => string,
): string[] {
  const used = new Set<string>();
  return tests.map(({ title }) => {
    const words = titleWords(title);
    let unique = name(words, 1);
    for (let number = 2; used.has(unique); number++) unique = name(words, number);
    used.add(unique);
    return unique;
  });
}

/** Writes a form as text, for clients that can't send all its details otherwise. */
export function writeForm(parts: readonly TextPart[]): ReturnType<typeof multipartText> {
  return multipartText(parts, "form-boundary");
}

/** Returns the header fields for a form that is sent as text: with its boundary. */
export function textHeaders({ headers, body }: SuggestedTest): SuggestedTest["headers"] {
  return body !== undefined && "parts" in body
    ? { ...headers, "Content-Type": writeForm(body.parts).contentType }
    : headers;
}

/** Writes the expected statuses as text; classes as their digit with `suffix`. */
export function statusTexts({ exact, classes }: ExpectedStatuses, suffix: "XX" | ".."): string[] {
  return [...exact.map(String), ...classes.map((digit) => `${digit}${suffix}`)];
}
