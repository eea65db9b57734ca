import { encodePercent } from "../http/percent.ts";
import { headerLookup } from "../http/headers.ts";
import type { HttpRequest, HttpResponse } from "../http/interaction.ts";
import type { CoveragePlan, OperationPlan } from "../map/coverage_plan.ts";
import { documentedResponse } from "../map/response_plan.ts";
import { parsePathTemplate } from "../map/path_template.ts";
import type { Json } from "../values/json.ts";
import { findMember, pointerTokens } from "../values/json_pointer.ts";

/** A request and its answer, as runtime expressions see them. */
export interface LinkSource {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  /** The text of each template of the path, percent-encoded, and their names. */
  readonly captures: readonly string[];
  readonly templates: readonly string[];
  /** The body of the answer; undefined if it isn't JSON. */
  readonly body: Json | undefined;
}

export interface LinkedPath {
  readonly path: string;
  readonly captures: readonly string[];
}

/** The most references that are followed from one to the next. */
const MAX_REFERENCES = 10;

/** The paths of an answer's documented links that say all templates; references stay within the document. */
export function linkedCaptures(
  { operations }: CoveragePlan,
  { model }: OperationPlan,
  status: number,
  source: LinkSource,
): readonly LinkedPath[] {
  const response = model.responses[documentedResponse(model.responses, status)]?.place;
  const links = findMember(response?.value, "links");
  if (typeof links !== "object" || links === null) return [];
  return Object.values(links).flatMap((given) => {
    const link = resolve(response?.document.value, given);
    const target = operations.find(({ model: { operationId } }) =>
      operationId !== null && operationId === findMember(link, "operationId")
    )?.model ?? operationAt(operations, findMember(link, "operationRef"));
    if (target === undefined) {
      return [];
    }
    const names = parsePathTemplate(target.path).names;
    const captures = names.map((name) => {
      const parameters = findMember(link, "parameters");
      const given = findMember(parameters, `path.${name}`) ?? findMember(parameters, name);
      return typeof given === "string" ? evaluate(given, source) : scalarText(given);
    });
    if (
      captures.length === 0 || !captures.every((text) =>
        text !== undefined
      )
    ) return [];
    return [{ path: target.path, captures: captures.map(encodePercent) }];
  });
}

function resolve(root: unknown, value: unknown): unknown {
  let found = value;
  for (let count = 0; count < MAX_REFERENCES; count++) {
    const reference = findMember(found, "$ref");
    if (typeof reference !== "string") return found;
    found = at(root, reference);
  }
  return undefined;
}

function at(root: unknown, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  try {
    return pointerTokens(decodeURIComponent(reference.slice(1))).reduce(findMember, root);
  } catch {
    return undefined; // not percent-encoding
  }
}

/** The operation of `#/paths/~1books~1{id}/get`. */
function operationAt(
  operations: CoveragePlan["operations"],
  reference: unknown,
): OperationPlan["model"] | undefined {
  const match = typeof reference === "string" ? /#\/paths\/([^/]+)\/(\w+)$/.exec(reference) : null;
  if (match === null) return undefined;
  const [, token = "", method = ""] = match;
  try {
    const [path] = pointerTokens(`/${decodeURIComponent(token)}`);
    return operations.find(({ model }) =>
      model.path === path && model.method === method.toUpperCase()
    )?.model;
  } catch {
    return undefined; // not percent-encoding
  }
}

/** The value of a runtime expression (OpenAPI 3.2, section 4.20.3), or of a constant. */
function evaluate(expression: string, source: LinkSource): string | undefined {
  if (!expression.startsWith("$")) return expression;
  const { request, response, captures, templates, body } = source;
  const [, side, part, name = ""] =
    /^\$(request|response)\.(header|query|path|body)[.#]?(.*)$/.exec(expression) ?? [];
  if (side === undefined) return undefined;
  switch (part) {
    case "header":
      return headerLookup((side === "request" ? request : response).headers ?? undefined)
        .get(name.toLowerCase());
    case "path":
      return decoded(captures[templates.indexOf(name)]);
    case "query":
      return readQuery(request.url).get(name) ?? undefined;
    default:
      return scalarText(
        pointerTokens(name).reduce<unknown>(
          findMember,
          side === "response" ? body : readJson(request),
        ),
      );
  }
}

function readQuery(url: string): URLSearchParams {
  return new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? "");
}

function readJson({ body }: HttpRequest): unknown {
  try {
    return typeof body === "string" ? JSON.parse(body) : undefined;
  } catch {
    return undefined; // no JSON, so no pointer leads into it
  }
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return text;
  }
}

function scalarText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
