import { pointerTokens } from "../../values/json_pointer.ts";
import type { NoticedSummary } from "../../map/results.ts";
import { formatPercent } from "./amounts.ts";
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

/** True for tests in Python, by the names of tests, which begin with their files. */
function isPython(tests: readonly string[] | undefined): boolean {
  return tests?.some((test) => /\.py\b/.test(test)) === true;
}

/** Code that notices a part, for pytest or with `expect()`; `body` is what the test has read. */
export function assertionCode(part: ReportNoticed, tests: readonly string[] | undefined): string {
  const { name = "", status_code } = part;
  const text = JSON.stringify(name);
  const python = isPython(tests);
  const place = pointerTokens(part.instance_path ?? "").reduce(
    (path, token) =>
      token === "*"
        ? `${path}[0]`
        : !python && /^[A-Za-z_$][\w$]*$/.test(token)
        ? `${path}.${token}`
        : `${path}[${JSON.stringify(token)}]`,
    "body",
  );
  switch (part.part) {
    case "status": {
      const status = /^\d+$/.test(status_code) ? status_code : "…";
      return python
        ? `assert response.status_code == ${status}`
        : `expect(response.status).toBe(${status});`;
    }
    case "body":
      return python ? "assert body == …" : "expect(body).toMatchObject({ … });";
    case "property":
      return python ? `assert ${place} == …` : `expect(${place}).toEqual(…);`;
    case "list":
      return python ? `assert len(${place}) == …` : `expect(${place}).toHaveLength(…);`;
    case "header":
      return python
        ? `assert response.headers[${text}] == …`
        : `expect(response.headers.get(${text})).toBe(…);`;
  }
}

export function noticedText(summary: NoticedSummary | undefined): string | undefined {
  if (summary === undefined) return undefined;
  const { noticed, unnoticed, not_tried, percent } = summary;
  const share = percent === null ? "no verdict" : formatPercent(percent);
  const rest = not_tried === 0 ? "" : `, ${not_tried} not tried`;
  return `${share} of what responses hold: tests notice ${noticed} of ${
    noticed + unnoticed
  } parts when they change${rest}`;
}
