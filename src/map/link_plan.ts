import { isExpression } from "../http/runtime_expression.ts";
import type { ApiModel, OperationModel, ResponseModel } from "../openapi/model.ts";
import type { Place } from "../schema/part_positions.ts";
import type { References } from "../schema/references.ts";
import { findMember, pointerTokens } from "../values/json_pointer.ts";
import { parsePathTemplate } from "./path_template.ts";

/** A link of a documented response (OpenAPI 3.2, section 4.20): passes values of the response to another operation. */
export interface DocumentedLink {
  readonly name: string;
  /** The indexes of the operation and of its response. */
  readonly operation: number;
  readonly response: number;
  /** The index of the operation to which the link leads. */
  readonly target: number;
  readonly parameters: readonly LinkParameter[];
}

export function linkKey(status_code: string, name: string): string {
  return `${status_code} ${name}`;
}

/** A parameter of the target operation, with a runtime expression or a constant as its value. */
export interface LinkParameter {
  readonly location: "path" | "query" | "header" | "cookie";
  readonly name: string;
  readonly value: unknown;
}

const MAX_REFERENCES = 10;
const OPERATION_POINTER = /#\/paths\/([^/]+)\/(?:additionalOperations\/)?([^/]+)$/;

/** Returns the links of all responses, in document order, except those that lead to no known operation. */
export function documentedLinks(
  { operations }: Pick<ApiModel, "operations">,
  references: References,
): readonly DocumentedLink[] {
  const documented: DocumentedLink[] = [];
  operations.forEach(({ responses }, operation) =>
    responses.forEach(({ place }: ResponseModel, response) => {
      const links = findMember(place?.value, "links");
      if (place === undefined || typeof links !== "object" || links === null) return;
      for (const [name, entry] of Object.entries(links)) {
        const link = followReferences(place, entry, references);
        const target = findTarget(operations, link);
        const model = operations[target];
        if (model === undefined) continue;
        const parameters = readParameters(link, model);
        if (parameters !== undefined) {
          documented.push({ name, operation, response, target, parameters });
        }
      }
    })
  );
  return documented;
}

function followReferences(place: Place, value: unknown, references: References): unknown {
  let current: Place = { ...place, value };
  for (let count = 0; count < MAX_REFERENCES; count++) {
    const reference = findMember(current.value, "$ref");
    if (typeof reference !== "string") return current.value;
    const target = references.resolve(current, reference);
    if (target === undefined) return undefined;
    current = target;
  }
  return undefined;
}

function findTarget(operations: readonly OperationModel[], link: unknown): number {
  const id = findMember(link, "operationId");
  if (typeof id === "string") return operations.findIndex(({ operationId }) => operationId === id);
  const reference = findMember(link, "operationRef");
  const match = typeof reference === "string" ? OPERATION_POINTER.exec(reference) : null;
  if (match === null) return -1;
  const [, token = "", method = ""] = match;
  try {
    const [path] = pointerTokens(`/${decodeURIComponent(token)}`);
    return operations.findIndex((model) =>
      model.path === path && [method, method.toUpperCase()].includes(model.method)
    );
  } catch {
    return -1; // invalid percent-encoding
  }
}

/** Returns the parameters of a link; undefined if an expression is for a parameter that the target doesn't have. */
function readParameters(link: unknown, target: OperationModel): LinkParameter[] | undefined {
  const members = findMember(link, "parameters");
  const templates = parsePathTemplate(target.path).names;
  const parameters: LinkParameter[] = [];
  for (const [key, value] of Object.entries(members ?? {})) {
    const [, qualified, bareName = ""] = /^(path|query|header|cookie)\.(.+)$/.exec(key) ?? [];
    const location = qualified ?? (templates.includes(key) ? "path" : undefined) ??
      target.parameters.find((one) => one.name === key)?.in;
    if (!isLinkLocation(location)) {
      if (isExpression(value)) return undefined;
      continue; // a constant doesn't depend on the response
    }
    parameters.push({ location, name: qualified === undefined ? key : bareName, value });
  }
  return parameters;
}

function isLinkLocation(location: string | undefined): location is LinkParameter["location"] {
  return location === "path" || location === "query" || location === "header" ||
    location === "cookie";
}
