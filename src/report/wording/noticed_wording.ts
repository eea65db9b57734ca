import { pointerTokens } from "../../values/json_pointer.ts";
import type { ReportNoticed } from "../report.ts";

/** Names a part of a response: ``property `author.name` ``. */
export function partName(
  { part, name, instance_path }: Pick<ReportNoticed, "part" | "name" | "instance_path">,
): string {
  switch (part) {
    case "status":
      return "the status";
    case "body":
      return "the whole body";
    case "header":
      return `header ${name}`;
    case "property":
      return `property ${dottedPath(instance_path)}`;
    case "list":
      return `list ${dottedPath(instance_path)}`;
  }
}

/** A place in a body, in the usual notation: `items[].price`. */
export function dottedPath(instance_path = ""): string {
  return pointerTokens(instance_path).reduce(
    (path, token) => token === "*" ? `${path}[]` : path === "" ? token : `${path}.${token}`,
    "",
  );
}

const CHANGED = {
  status: "is another one",
  body: "is empty",
  property: "is missing",
  list: "is empty",
  header: "is missing",
} as const;

/** The change that no test notices, as a sentence without a full stop. */
export function unnoticedText(part: Parameters<typeof partName>[0]): string {
  return `no test fails if ${partName(part)} ${CHANGED[part.part]}`;
}

/** The unnoticed parts of responses, most frequent first. Parts within an unnoticed part are omitted. */
export function unnoticedParts<Part extends ReportNoticed>(
  { noticed = [] }: { readonly noticed?: readonly Part[] },
): readonly Part[] {
  return noticed.filter(({ state, changes }) => state === "unnoticed" && changes.length > 0)
    .sort((a, b) => b.responses - a.responses);
}

/** The way to write assertions in the tests of a language. `body` is the parsed response body. */
interface AssertionStyle {
  /** Matches the files of its tests. */
  readonly files: RegExp;
  /** Appends a member to a place. The first item of a list stands for all its items. */
  member(place: string, name: string): string;
  /** `status` is `…` if it isn't a single status. */
  status(status: string): string;
  readonly body: string;
  property(place: string): string;
  list(place: string): string;
  header(name: string): string;
}

const JAVASCRIPT: AssertionStyle = {
  files: /\.[cm]?[jt]sx?\b/,
  member: (place, name) =>
    /^[A-Za-z_$][\w$]*$/.test(name) ? `${place}.${name}` : `${place}[${JSON.stringify(name)}]`,
  status: (status) => `expect(response.status).toBe(${status});`,
  body: "expect(body).toEqual(…);",
  property: (place) => `expect(${place}).toEqual(…);`,
  list: (place) => `expect(${place}).toHaveLength(…);`,
  header: (name) => `expect(response.headers.get(${name})).toBe(…);`,
};

const byIndex = (place: string, name: string): string => `${place}[${JSON.stringify(name)}]`;

/** Reads a place in the text of a body by JSONPath: `body[0].price` becomes `$[0].price` of `body`. */
function readJsonPath(place: string): string {
  return `JsonPath.read(body, ${JSON.stringify(place.replace(/^body/, "$"))})`;
}

const STYLES: readonly AssertionStyle[] = [JAVASCRIPT, {
  files: /\.py\b/,
  member: byIndex,
  status: (status) => `assert response.status_code == ${status}`,
  body: "assert body == …",
  property: (place) => `assert ${place} == …`,
  list: (place) => `assert len(${place}) == …`,
  header: (name) => `assert response.headers[${name}] == …`,
}, {
  files: /\.(java|kt)\b/,
  member: (place, name) => /^\w+$/.test(name) ? `${place}.${name}` : `${place}['${name}']`,
  status: (status) => `assertEquals(${status}, response.statusCode());`,
  body: "assertEquals(…, body);",
  property: (place) => `assertEquals(…, ${readJsonPath(place)});`,
  list: (place) => `assertEquals(…, ${readJsonPath(`${place}.length()`)});`,
  header: (name) => `assertEquals(…, response.header(${name}));`,
}, {
  files: /_test\.go\b/,
  member: byIndex,
  status: (status) => `if response.StatusCode != ${status} { t.Error(response.Status) }`,
  body: "if !reflect.DeepEqual(body, …) { t.Error(body) }",
  property: (place) => `if got := ${place}; got != … { t.Error(got) }`,
  list: (place) => `if got := len(${place}); got != … { t.Error(got) }`,
  header: (name) => `if got := response.Header.Get(${name}); got != … { t.Error(got) }`,
}];

/** The test in which to assert a part: `tests/books.test.ts:41 > lists books`. Undefined if none is known. */
export function testToExtend(
  { closest_test, reached_by: [first] }: Pick<ReportNoticed, "closest_test" | "reached_by">,
): string | undefined {
  if (closest_test?.line === undefined) return first;
  return `${closest_test.file}:${closest_test.line} > ${closest_test.name}`;
}

/** Code that asserts a part, in the language of `tests` (whose names start with files), otherwise in JavaScript. */
export function assertionCode(part: ReportNoticed, tests: readonly string[] = []): string {
  const { name = "", status_code } = part;
  const style = STYLES.find(({ files }) => tests.some((test) => files.test(test))) ?? JAVASCRIPT;
  const place = pointerTokens(part.instance_path ?? "").reduce(
    (path, token) => token === "*" ? `${path}[0]` : style.member(path, token),
    "body",
  );
  switch (part.part) {
    case "status":
      return style.status(/^\d+$/.test(status_code) ? status_code : "…");
    case "body":
      return style.body;
    case "header":
      return style.header(JSON.stringify(name));
    default:
      return style[part.part](place);
  }
}
