import { pointerTokens } from "../../values/json_pointer.ts";
import type { ReportNoticed } from "../report.ts";

/** A part of a response for people: ``property `author.name` ``. */
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

/** A place in a body as people write it: `items[].price`. */
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

/** What no test notices: a sentence without a full stop. */
export function unnoticedText(part: Parameters<typeof partName>[0]): string {
  return `no test fails if ${partName(part)} ${CHANGED[part.part]}`;
}

/** The parts that no test would miss, those of most responses first; what is inside of another goes without saying. */
export function unnoticedParts<Part extends ReportNoticed>(
  { noticed = [] }: { readonly noticed?: readonly Part[] },
): readonly Part[] {
  return noticed.filter(({ state, changes }) => state === "unnoticed" && changes.length > 0)
    .sort((a, b) => b.responses - a.responses);
}

/** Assertions as tests of a language write them; `body` is what the test has read. */
interface AssertionStyle {
  /** The files of its tests. */
  readonly files: RegExp;
  /** A member of what a place holds; the first item stands for all of a list. */
  member(place: string, name: string): string;
  /** `…` where the status isn't a single one. */
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
  body: "expect(body).toMatchObject({ … });",
  property: (place) => `expect(${place}).toEqual(…);`,
  list: (place) => `expect(${place}).toHaveLength(…);`,
  header: (name) => `expect(response.headers.get(${name})).toBe(…);`,
};

const byIndex = (place: string, name: string): string => `${place}[${JSON.stringify(name)}]`;

/** The place of a JSONPath in a text: `body[0].price` is `$[0].price` of `body`. */
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

/** The test to assert a part in: `tests/books.test.ts:41 > lists books`; undefined where none is known. */
export function testToExtend(
  { closest_test, reached_by: [first] }: Pick<ReportNoticed, "closest_test" | "reached_by">,
): string | undefined {
  if (closest_test?.line === undefined) return first;
  return `${closest_test.file}:${closest_test.line} > ${closest_test.name}`;
}

/** Code that notices a part, in the language of the tests, whose names begin with their files; else in JavaScript. */
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
