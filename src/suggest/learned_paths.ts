import { compareText, getOrAdd } from "../values/collections.ts";
import { encodePercent } from "../http/percent.ts";
import { type HeaderLookup, headerLookup } from "../http/headers.ts";
import type { HttpRequest, HttpResponse } from "../http/interaction.ts";
import { evaluateExpression, type RuntimeSource, scalarText } from "../http/runtime_expression.ts";
import { contentTypeKind, readContentType } from "../http/media_type.ts";
import { type CoveragePlan, documentedResponse, type OperationPlan } from "../map/coverage_plan.ts";
import type { RouteCaptures } from "../map/routes.ts";
import { decodeUri } from "../values/escapes.ts";
import { parsePathTemplate } from "../map/path_template.ts";
import { recordedIds } from "../record/sent_request.ts";
import { hidePath } from "../redact/redact_path.ts";
import { nameKind } from "../redact/secret_names.ts";
import type { Json } from "../values/json.ts";
import { findMember } from "../values/json_pointer.ts";

/** The text of each template of a path, percent-encoded, from the left; the last ones may be missing as unknown. */
export type Captures = readonly string[];

/** The preferred one of several known paths: the first by size and text, whatever their order, or the latest. */
export type Preference = "smallest" | "newest";

const MAX_PATHS = 20;
const MAX_ITEMS = 5;
const MAX_LENGTH = 100;
/** Usual names of id properties, tried where no property has the name of the template. */
const ID_NAMES = ["id", "_id", "uuid", "key", "slug", "code", "name"];
const METHODS_TO_MATCH = ["GET", "PUT", "PATCH", "DELETE", "POST"];
const GONE_STATUSES: ReadonlySet<number> = new Set([404, 410]);

/**
 * Collects ids from an API's traffic: from `Location`, bodies of the collection that they belong to, documented links
 * (OpenAPI 3.2, section 4.20), and paths of requests that succeeded.
 */
export class LearnedPaths {
  readonly #plan: CoveragePlan;
  readonly #preference: Preference;
  /** Known captures by path template without names: `/books/{}`. */
  readonly #capturesByPath = new Map<string, Captures[]>();
  /** The path templates whose last segment is an id, by the path before that segment. */
  #children: ReadonlyMap<string, readonly Child[]> | undefined;

  constructor(plan: CoveragePlan, preference: Preference) {
    this.#plan = plan;
    this.#preference = preference;
  }

  learn(
    index: number,
    routeCaptures: RouteCaptures,
    request: HttpRequest,
    response: HttpResponse | undefined,
  ): void {
    const operation = this.#plan.operations[index];
    const status = response?.status_code;
    if (operation === undefined || response === undefined || status === undefined) return;
    const { method, path } = operation.model;
    const captures = capturesInPath(path, routeCaptures);
    const key = pathKey(path);
    const isGone = GONE_STATUSES.has(status) || (method === "DELETE" && status < 300);
    if (isGone && captures.length > 0) this.#forget(key, captures);
    if (isGone || status < 200 || status > 399) return;
    if (captures.length > 0 && !templateNames(path).some(isSecretName)) this.#add(key, captures);
    const headers = headerLookup(response.headers);
    for (const name of ["content-location", "location"]) {
      const target = headers.get(name);
      if (target !== undefined) this.#addUrl(target, request.url);
    }
    const body = readJson(response, headers);
    if (body !== undefined) this.#addIds(key, captures, body);
    const source = {
      ...{ request, response, captures, templates: templateNames(path), body },
      requestBody: () => readJson(request, headerLookup(request.headers)),
    };
    for (const link of linkedCaptures(this.#plan, operation, status, source)) {
      this.#add(pathKey(link.path), link.captures);
    }
  }

  /** Returns known texts for an operation's path templates, from the left; undefined if none is known. */
  of({ model: { path } }: OperationPlan): Captures | undefined {
    for (let key = pathKey(path); key.includes("{}"); key = key.slice(0, key.lastIndexOf("{}"))) {
      const known = this.#capturesByPath.get(cutAfterLastTemplate(key));
      if (known !== undefined && known.length > 0) return known[0];
    }
    return undefined;
  }

  #addUrl(target: string, from: string): void {
    const base = URL.canParse(from) ? from : "http://localhost";
    if (!URL.canParse(target, base)) return;
    const url = new URL(target, base).href;
    for (const method of METHODS_TO_MATCH) {
      const match = this.#plan.routes.match(method, url);
      if (match.kind !== "operation") continue;
      const path = this.#plan.operations[match.index]?.model.path ?? "";
      if (templateNames(path).some(isSecretName)) return;
      const captures = capturesInPath(path, match.captures);
      if (captures.length > 0) this.#add(pathKey(path), captures);
      return;
    }
  }

  /** Adds the ids in a response that lists a collection, or that returns a resource added to it. */
  #addIds(key: string, captures: Captures, body: Json): void {
    this.#children ??= childrenByPath(this.#plan);
    for (const { name, key: child } of this.#children.get(key) ?? []) {
      // In reverse, so that the first item is the latest one known.
      for (const item of listItems(body).slice(0, MAX_ITEMS).reverse()) {
        const id = findId(item, name);
        if (id !== undefined) this.#add(child, [...captures, encodePercent(id)]);
      }
    }
  }

  #add(key: string, captures: Captures): void {
    if (captures.some((text) => text === "" || text.length > MAX_LENGTH || isUnsafeSegment(text))) {
      return;
    }
    const path = cutAfterLastTemplate(key);
    if (containsSecret(path, captures)) return;
    const known = this.#capturesByPath.get(path) ?? [];
    const text = captures.join("/");
    const others = known.filter((other) => other.join("/") !== text);
    const paths = [captures, ...others];
    if (this.#preference === "smallest") {
      paths.sort((left, right) => compareSizes(left.join("/"), right.join("/")));
    }
    this.#capturesByPath.set(path, paths.slice(0, MAX_PATHS));
    // A path below a resource is evidence of the resource, too.
    const parent = path.slice(0, path.lastIndexOf("{}"));
    if (captures.length > 1 && parent.includes("{}")) this.#add(parent, captures.slice(0, -1));
  }

  /** Forgets a deleted resource and all below it; not in recordings, whose order is unknown. */
  #forget(key: string, captures: Captures): void {
    if (this.#preference === "smallest") return;
    const deletedPath = cutAfterLastTemplate(key);
    for (const [path, known] of this.#capturesByPath) {
      if (!path.startsWith(deletedPath)) continue;
      this.#capturesByPath.set(
        path,
        known.filter((other) => !captures.every((text, index) => other[index] === text)),
      );
    }
  }
}

/** A path template whose last segment is an id. */
interface Child {
  readonly name: string;
  readonly key: string;
}

function childrenByPath({ operations }: CoveragePlan): ReadonlyMap<string, readonly Child[]> {
  const children = new Map<string, Child[]>();
  for (const { model: { path } } of operations) {
    const match = /^(.*)\/\{([^{}]+)\}$/.exec(parsePathTemplate(path).text);
    if (match === null) continue;
    const [, parent = "", name = ""] = match;
    const siblings = getOrAdd(children, pathKey(parent), () => []);
    if (!siblings.some((child) => child.name === name)) siblings.push({ name, key: pathKey(path) });
  }
  return children;
}

/** Removes names, everything from `?` or `#` on, and a final slash from a path template. */
function pathKey(path: string): string {
  return parsePathTemplate(path).text.replaceAll(/\{[^{}]*\}/g, "{}").replace(/\/$/, "");
}

function cutAfterLastTemplate(key: string): string {
  return key.slice(0, key.lastIndexOf("{}") + 2);
}

function templateNames(path: string): readonly string[] {
  return parsePathTemplate(path).names;
}

/** Keeps the captures of the templates before `?` and `#`. */
function capturesInPath(path: string, captures: RouteCaptures): Captures {
  return captures.slice(0, templateNames(path).length).map((text) => text ?? "");
}

function isSecretName(name: string): boolean {
  return nameKind(name) === "secret";
}

/** Compares by length, then by characters. */
export function compareSizes(one: string, other: string): number {
  return one.length - other.length || compareText(one, other);
}

/** True if masking would change a path: an id may be a secret by itself, or because of the segment before it. */
function containsSecret(key: string, captures: Captures): boolean {
  let index = 0;
  const path = key.replaceAll("{}", () => captures[index++] ?? "");
  return hidePath(path) !== path || captures.some((text) => hidePath(`/${text}`) !== `/${text}`);
}

function readJson(message: HttpRequest | HttpResponse, headers: HeaderLookup): Json | undefined {
  const contentType = readContentType(headers.get("content-type"));
  if (contentType !== undefined && contentTypeKind(contentType) !== "json") return undefined;
  return recordedIds(message, headers);
}

/** Lists the resources in a response body: the items of an array, or the body itself and the items of arrays in it. */
function listItems(body: Json): readonly Json[] {
  if (Array.isArray(body)) return body;
  if (typeof body !== "object" || body === null) return [];
  const lists = Object.values(body).filter((value): value is Json[] =>
    Array.isArray(value) && value.some((item) => typeof item === "object" && item !== null)
  );
  return [body, ...lists.flatMap((list) => list.slice(0, MAX_ITEMS))];
}

/** Returns a resource's id: the property named like the template, else one that ends this name, else a usual one. */
function findId(item: Json, name: string): string | undefined {
  if (typeof item === "string" || typeof item === "number") return String(item);
  if (typeof item !== "object" || item === null || Array.isArray(item)) return undefined;
  const plain = plainName(name);
  const names = Object.keys(item);
  const exact = names.find((key) => plainName(key) === plain);
  const suffix = ID_NAMES.find((id) => plain.endsWith(plainName(id)) && Object.hasOwn(item, id));
  const idName = exact ?? suffix ?? ID_NAMES.find((id) => Object.hasOwn(item, id));
  if (idName === undefined || isSecretName(idName)) return undefined;
  const value = findMember(item, idName);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** True if a segment leads out of its place in a path (`..`), if only for servers that decode before they split. */
function isUnsafeSegment(text: string): boolean {
  let decoded = text;
  for (let times = 0; times < 3; times++) decoded = decodeUri(decoded);
  // deno-lint-ignore no-control-regex
  return /(^|[/\\])\.{1,2}([/\\;]|$)|[\u0000-\u001f\u007f]/.test(decoded);
}

/** Returns a name in lower case without separators, so that `book_id` and `bookId` are equal. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, "");
}

/** Returns paths of the links documented for a response, where every template has a known value. */
function linkedCaptures(
  { operations, links }: CoveragePlan,
  { index, model }: OperationPlan,
  status: number,
  source: RuntimeSource,
): readonly { readonly path: string; readonly captures: Captures }[] {
  const response = documentedResponse(model.responses, status);
  return links.flatMap((link) => {
    const target = operations[link.target]?.model;
    if (link.operation !== index || link.response !== response || target === undefined) return [];
    const captures = parsePathTemplate(target.path).names.map((name) => {
      const linked = link.parameters.find((one) => one.location === "path" && one.name === name);
      return typeof linked?.value === "string"
        ? evaluateExpression(linked.value, source)
        : scalarText(linked?.value);
    });
    const knownCaptures = captures.filter((text) => text !== undefined);
    if (captures.length === 0 || knownCaptures.length < captures.length) return [];
    return [{ path: target.path, captures: knownCaptures.map(encodePercent) }];
  });
}
