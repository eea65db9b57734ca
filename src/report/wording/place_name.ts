import { pointerTokens, splitDocumentPath } from "../../values/json_pointer.ts";
import type { Diagnostic } from "../../values/diagnostic.ts";
import {
  type KeywordFacts,
  keywordsHolding,
  keywordsWith,
  keywordTable,
} from "../../values/keyword_table.ts";

const MAX_NAME = 60;
const MAX_COMPONENT = 24;

function pointerSegments(pointer: string): string[] {
  return pointerTokens(splitDocumentPath(pointer)[1]);
}

/** The name of the schema in which a pointer starts, and the index of the first segment within that schema. */
function schemaRoot(
  segments: readonly string[],
  parameter: readonly string[],
  name: string,
): [string, number] {
  if (parameter.length > 0 && parameter.every((segment, index) => segment === segments[index])) {
    let at = parameter.length;
    if (segments[at] === "content") at += 2;
    if (segments[at] === "schema") at += 1;
    return [name, at];
  }
  if (segments[0] === "components") return [segments[2] ?? "", 3];
  if (segments[0] === "definitions" || segments[0] === "parameters") return [segments[1] ?? "", 2];
  return [segments[0] ?? "", 1];
}

/** A readable name for a schema: `User.address.city`. */
export function placeName(pointer: string, parameterPointer: string, parameter: string): string {
  const [start, steps] = splitPlace(pointer, parameterPointer, parameter);
  return shortenFront(withoutNamespace(start) + steps, MAX_NAME);
}

/** The name of a component. A long one loses its namespace, as in `io.k8s.api.core.v1.PodSpec`. */
function withoutNamespace(component: string): string {
  if (component.length <= MAX_COMPONENT) return component;
  const last = /[./][^./]{4,}$/.exec(component);
  return last === null ? component : `…${component.slice(last.index + 1)}`;
}

/** The steps to a schema within that of its parameter, or within a named schema, independent of where that is. */
export function schemaPlace(pointer: string, parameterPointer: string): string {
  return splitPlace(pointer, parameterPointer, "")[1];
}

function splitPlace(
  pointer: string,
  parameterPointer: string,
  parameter: string,
): [start: string, steps: string] {
  const segments = pointerSegments(pointer);
  const file = schemaFileName(`${pointer}/type`);
  const [start, first] = file === undefined
    ? schemaRoot(segments, pointerSegments(parameterPointer), parameter)
    : [file, 0];
  return [start, schemaSteps(segments.slice(first)).join("")];
}

/** The characters after which a shortened name may begin: separators of namespaces, steps and words. */
const SEPARATORS = /[./\s[_-]/g;

/** Cuts the front of a long name, because names mostly differ at the end. */
function shortenFront(name: string, most: number): string {
  if (name.length <= most) return name;
  const least = name.length - most + 1;
  for (const { index } of name.matchAll(SEPARATORS)) {
    const start = name[index] === "[" ? index : index + 1;
    if (start >= least && start < name.length) return `…${name.slice(start)}`;
  }
  return `…${name.slice(least).toWellFormed()}`;
}

/** `schemas` in OpenAPI's `components`, which the keyword table doesn't contain. */
const OPENAPI: Readonly<Record<string, Partial<KeywordFacts>>> = {
  schemas: { holds: ["schemas_by_name"] },
};

/** The steps from a schema to one within it, to be joined: `.name`, `[]`, ` anyOf[0]`. */
export function schemaSteps(tokens: readonly string[]): string[] {
  const steps: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const [token = "", next] = [tokens[at], tokens[at + 1]];
    const { holds = [], relation, byPattern, isRest } = keywordTable.get(token) ?? OPENAPI[token] ??
      {};
    if (token === "schema") continue; // the schema of a media type, parameter or header: not a step within a schema
    if (holds.includes("schemas_by_name") && next !== undefined) {
      steps.push(relation !== "property" ? ` ${next}` : byPattern ? `./${next}/` : `.${next}`);
      at += 1;
    } else if (holds.includes("schema_list") && /^\d+$/.test(next ?? "")) {
      steps.push(relation === "item" ? `[${next}]` : ` ${token}[${next}]`);
      at += 1;
    } else if (isRest) steps.push(relation === "property" ? ".*" : "[…]");
    else if (relation === "item" && holds.includes("schema_list")) steps.push("[]");
    else steps.push(` ${token}`);
  }
  return steps;
}

/** Keywords that contain schemas. A file whose pointers start with one is itself a schema. */
const LEADING: ReadonlySet<string> = new Set([
  ...keywordsWith(({ kind, dialects }) =>
    // Swagger's `definitions` are beside its schemas, not within one.
    kind === "applicator" || (kind === "definitions" && !dialects.includes("Swagger 2.0"))
  ),
  "examples",
]);

/** Returns `NewPet` for `models/NewPet.yaml#/properties/name`. Undefined unless the whole file is a schema. */
export function schemaFileName(path: string): string | undefined {
  const [label, pointer] = splitDocumentPath(path);
  if (label === "") return undefined;
  // A keyword always belongs to a schema: if the pointer has one token only, that schema is the file.
  const [, first = ""] = pointer.split("/", 2);
  if (pointer.lastIndexOf("/") > 0 && !LEADING.has(first)) return undefined;
  const file = label.split(/[?]/, 1).join("");
  return file.slice(file.lastIndexOf("/") + 1).replace(/(?:\.schema)?\.(?:ya?ml|json)$/i, "");
}

const COMPONENT = /^\/(?:components\/schemas|definitions)\/(.+)$/;
/** Matches the schema of a parameter, header or media type, but not a property of that name. */
const SCHEMA = new RegExp(
  `^(?:(?!/(?:${
    keywordsWith(({ kind }) => kind === "applicator").join("|")
  })/).)*?/(?:schema|itemSchema)/(.+)$`,
);
/** Matches a schema in a list, whose index is written in brackets, as on the page. */
const IN_LIST = new RegExp(`(^|/)(${keywordsHolding("schema_list").join("|")})/(\\d+)(?=/)`, "g");
/** Matches a Swagger 2.0 parameter or response header, which is a schema itself. */
const PARAMETER =
  /^(?:\/paths\/[^/]+(?:\/[^/]+)?)?\/(?:parameters|responses\/[^/]+\/headers)\/[^/]+\/(.+)$/;

export function keywordPlace(path: string): string {
  const [, pointer] = splitDocumentPath(path);
  const file = schemaFileName(path);
  const place = COMPONENT.exec(pointer)?.[1] ??
    (file === undefined ? undefined : file.replaceAll("~", "~0") + pointer) ??
    (SCHEMA.exec(pointer) ?? PARAMETER.exec(pointer))?.[1] ?? pointer.slice(1);
  return place.replace(IN_LIST, "$1$2[$3]").replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The component and the property names in a pointer, as search terms. */
export function schemaNames(pointer: string): string {
  const [file, inFile] = splitDocumentPath(pointer);
  const [root, kind = "", name = "", ...rest] = pointerTokens(inFile);
  if (root === "paths") {
    const steps = [kind, name, ...rest];
    const schema = steps.indexOf("schema");
    return schema < 0 ? "" : propertyNames(steps.slice(schema + 1));
  }
  if (root === "components") return name + propertyNames(rest);
  if (root === "definitions") return kind + propertyNames([name, ...rest]);
  // Another file either is a schema, or contains named schemas.
  if (root === undefined || keywordTable.has(root)) {
    return file + propertyNames([root ?? "", kind, name, ...rest]);
  }
  return `${file} ${root}${propertyNames([kind, name, ...rest])}`;
}

function propertyNames(tokens: readonly string[]): string {
  return schemaSteps(tokens).filter((step) => step.startsWith(".")).join("");
}

/** Names a parameter or body: `query limit`, `form data name`. */
export function parameterText(
  { location, parameter }: { readonly location: string; readonly parameter: string },
): string {
  return `${location.replace("_", " ")} ${parameter}`;
}

export function diagnosticPlace(diagnostic: Diagnostic, location: string): string | null {
  const { schema_path, line, column } = diagnostic;
  if (line === null) return null;
  const file = diagnosticFile(schema_path, location);
  return column === null ? `${file}:${line}` : `${file}:${line}:${column}`;
}

export function diagnosticFile(schema_path: string, location: string): string {
  return splitDocumentPath(schema_path)[0] || location;
}

export function pathSegments(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

/** The number of leading segments that all paths share (`/api/v1`). Each path keeps at least one more. */
export function sharedSegments(paths: readonly string[]): number {
  let shared: readonly string[] | undefined;
  for (const path of paths) {
    const segments = pathSegments(path).slice(0, -1);
    const differs = shared?.findIndex((segment, index) => segment !== segments[index]) ?? -1;
    if (shared === undefined) shared = segments;
    else if (differs >= 0) shared = shared.slice(0, differs);
  }
  return shared?.length ?? 0;
}
