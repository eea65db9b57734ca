import type { TestFormatName } from "../format_names.ts";
import { multipartText, type TextPart } from "../../../http/write_multipart.ts";
import { groupItems } from "../../../values/collections.ts";
import type { Suggestion } from "../../suggestion.ts";
import type { Json } from "../../../values/json.ts";

/** A test of one request, in the terms that all test formats share. */
export interface SuggestedTest {
  /** What it shows: `POST /books refuses less than 0 for price`. No two tests of a group have the same. */
  readonly title: string;
  /** The tag of its operation, as part of a file's name: `book-reviews`. */
  readonly group: string;
  readonly method: string;
  /** The variable of the environment that holds the URL of the API. */
  readonly base: TestVariable;
  /** What follows that URL: the path with the query. */
  readonly target: string;
  /** Header fields by their names, `Content-Type` among them but for multipart forms, whose boundary clients choose. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: TestBody;
  /** The placeholders of credentials in the target and the headers: `$COVTOOL_AUTH_BASIC`. */
  readonly placeholders: readonly string[];
  readonly statuses: ExpectedStatuses;
  /** The documented media types of the answer; none where it may have no body, or one of any type. */
  readonly mediaTypes: readonly string[];
  /** Properties that the answer must have: what the schemas of all expected answers require. */
  readonly required: readonly string[];
  readonly suggestion: Suggestion;
}

/** A body: JSON that a literal of any language says exactly, a multipart form, or text. */
export type TestBody =
  | { readonly json: Json }
  | { readonly parts: readonly TextPart[] }
  | { readonly text: string };

export interface TestVariable {
  readonly name: string;
  /** Its value where it isn't set; undefined if it must be set. */
  readonly value?: string | undefined;
}

/** At least one of the two has an entry; no status is in a class that is named, too. */
export interface ExpectedStatuses {
  readonly exact: readonly number[];
  /** First digits: 4 for all of 4xx. */
  readonly classes: readonly number[];
}

/** A kind of test files. To add one, add its name and its line to `TEST_FORMATS`. */
export interface TestFormat {
  readonly name: TestFormatName;
  readonly extension: string;
  fileName(group: string): string;
  /** True for what its client can't send. */
  refuses?(test: SuggestedTest): boolean;
  /** Writes a file; `group` is that of its tests, or another name for all of them. */
  write(tests: readonly SuggestedTest[], group: string): string;
}

/** The groups of tests, each once, in the order in which they come first. */
export function testGroups(
  tests: readonly SuggestedTest[],
): ReadonlyMap<string, readonly SuggestedTest[]> {
  return groupItems(tests, ({ group }) => group);
}

/** The variables that a file needs, those with the URL of the API first. */
export function testVariables(tests: readonly SuggestedTest[]): readonly TestVariable[] {
  const variables = new Map(tests.map(({ base }) => [base.name, base]));
  for (const { placeholders } of tests) {
    for (const placeholder of placeholders) {
      variables.set(placeholder.slice(1), { name: placeholder.slice(1) });
    }
  }
  return [...variables.values()];
}

/** A sentence for somebody who has not set a variable. */
export function missingVariable({ name }: TestVariable): string {
  return /^API_URL/.test(name)
    ? `Set ${name} to the URL of the API, such as http://localhost:3000.`
    : `Set ${name} to the credentials that the API takes.`;
}

/** True where a client must not follow a redirect. */
export function expectsRedirect({ statuses: { exact, classes } }: SuggestedTest): boolean {
  return classes.includes(3) || exact.some((status) => status >= 300 && status < 400);
}

/** The words of a title, for the name of a function: what is no letter or digit, as `²` is none, parts them, but for apostrophes. */
export function titleWords(title: string): string[] {
  return title.toLowerCase().replaceAll(/(?<=\p{L})'(?=\p{L})/gu, "").match(/[\p{L}\p{Nd}]+/gu) ??
    [];
}

/** Words as one: `BookReviews`. */
export function pascalCase(words: readonly string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** Names for tests, each another one even if titles differ in nothing but signs. */
export function uniqueNames(
  tests: readonly SuggestedTest[],
  name: (words: readonly string[], number: number) => string,
): string[] {
  const taken = new Set<string>();
  return tests.map(({ title }) => {
    const words = titleWords(title);
    let chosen = name(words, 1);
    for (let number = 2; taken.has(chosen); number++) chosen = name(words, number);
    taken.add(chosen);
    return chosen;
  });
}

/** A form as text, for clients that have no other way to send it with all that it says. */
export function writeForm(parts: readonly TextPart[]): ReturnType<typeof multipartText> {
  return multipartText(parts, "form-boundary");
}

/** The header fields of a test whose form is sent as text, with its boundary. */
export function textHeaders({ headers, body }: SuggestedTest): SuggestedTest["headers"] {
  return body !== undefined && "parts" in body
    ? { ...headers, "Content-Type": writeForm(body.parts).contentType }
    : headers;
}

/** The expected statuses as text, `rest` behind the digit of a class. */
export function statusTexts({ exact, classes }: ExpectedStatuses, rest: "XX" | ".."): string[] {
  return [...exact.map(String), ...classes.map((digit) => `${digit}${rest}`)];
}
