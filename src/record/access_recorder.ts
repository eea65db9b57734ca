import type { HttpRequest, HttpResponse } from "../http/interaction.ts";
import { bodyText } from "../http/body_text.ts";
import { headerLookup } from "../http/headers.ts";
import { decodePercent, encodePercent } from "../http/percent.ts";
import type { RequestText } from "../http/request_text.ts";
import type { Visibility } from "../http/visibility.ts";
import type { ObjectHits } from "../map/access_hits.ts";
import type { CoveragePlan, OperationPlan } from "../map/coverage_plan.ts";
import type { Hits } from "../map/hits.ts";
import { parsePathTemplate } from "../map/path_template.ts";
import type { RouteCaptures } from "../map/routes.ts";
import { ANONYMOUS, type Identity, SenderReader, UNKNOWN } from "../redact/identities.ts";
import { isPreflight } from "./credential_recorder.ts";
import { recordedBody } from "./sent_request.ts";
import { tryParseIds } from "../values/parse_json.ts";

/** The base for URLs without a server. */
const BASE = "http://localhost";
/** The maximum number of created objects taken from one response. */
const MAX_CREATED = 100;
/** Larger bodies, in bytes, aren't searched for ids of created objects. */
const MAX_BODY = 1_000_000;
/** Methods that create objects, in both cases that clients use. */
const CREATING_METHODS: ReadonlySet<string> = new Set(["POST", "PUT", "post", "put"]);
const NO_OBJECTS: readonly string[] = [];
/** Matches text that percent-encoding doesn't change. */
const PLAIN = /^[\w.~-]*$/;
/** Matches a JSON object whose first member is a number or plain text, as the id in most responses is. */
const FIRST_MEMBER = /^\s*\{\s*"(\w+)"\s*:\s*(?:"([^"\\]+)"|(\d{1,15}))\s*[,}]/;
/** Methods that may be documented for the path of a created object. */
const OBJECT_METHODS = ["GET", "PUT", "PATCH", "DELETE"];

export interface SenderRequest {
  readonly request: HttpRequest;
  readonly status: number;
  /** The path below the base path with filled templates, percent-encoded; undefined if unknown. */
  readonly path: string | undefined;
}

/** Stores requests of identities and objects that they created; in memory only, as it contains credentials. */
export interface SenderLog {
  addRequest(operation: number, sent: SenderRequest): void;
  addObject(path: string, owner: string): void;
}

interface AccessInteraction {
  readonly index: number;
  readonly status: number;
  readonly request: HttpRequest;
  readonly text: RequestText;
  readonly response: HttpResponse | undefined;
  readonly visibility: Visibility | undefined;
  readonly tag: string | readonly string[] | undefined;
  /** Empty if unknown. */
  readonly test: string;
  readonly at: number | null;
  readonly count: number;
}

interface ObjectPath {
  readonly operation: OperationPlan;
  readonly segments: readonly PathSegment[];
  readonly hasTemplates: boolean;
  /** The path up to its only template, which is at the end; undefined for other paths. */
  readonly prefix: string | undefined;
  /** Possible names of the id in response bodies; undefined if no operation has the path of such an object. */
  readonly idNames: readonly string[] | undefined;
}

type PathSegment = ReturnType<typeof parsePathTemplate>["segments"][number];

/** Counts responses by operation and identity, and by creator of the requested objects (semantics, section 15). */
export class AccessRecorder {
  readonly #plan: CoveragePlan;
  readonly #hits: Hits;
  readonly #reader: SenderReader;
  readonly #objectPaths: (ObjectPath | undefined)[] = [];
  #senders: SenderLog | undefined;
  #childTemplates: ReadonlyMap<string, string> | undefined;

  /** @throws {TypeError} if an identity is invalid. */
  constructor(plan: CoveragePlan, hits: Hits, identities: readonly Identity[]) {
    this.#plan = plan;
    this.#hits = hits;
    const places = plan.model.operations.flatMap(({ security }) => security?.flat() ?? []);
    this.#reader = new SenderReader(identities, places);
  }

  /** Stores all further requests, so that they can be repeated as other identities. */
  keepSenders(senders: SenderLog): void {
    this.#senders = senders;
  }

  record(interaction: AccessInteraction): void {
    const { index, status, request, text, visibility, tag, test, at, count } = interaction;
    if (isPreflight(request, text)) return;
    const { access, credentials } = this.#hits;
    const identity = this.#reader.read(request.url, text, tag, visibility);
    if (identity === undefined) access.hiddenSenders += count;
    else if (identity === UNKNOWN) access.unknownSenders += count;
    if (identity === undefined || identity === UNKNOWN) return;
    const firstAt = at ?? Infinity;
    const path = this.#objectPath(index);
    if (this.#senders !== undefined) {
      const target = pathsUpTo(path.segments, text.captures)?.at(-1);
      this.#senders.addRequest(index, { request, status, path: target });
    }
    const isPathShown = visibility === undefined || visibility.path_parameters;
    const objects = path.hasTemplates && isPathShown
      ? objectPaths(path, text.captures)
      : NO_OBJECTS;
    if (objects.length === 0) {
      access.add({ operation: index, identity, status, owner: "", count, firstAt });
    } else {
      access.addTouch(
        credentials.currentRecording.objects,
        { objects, test, operation: index, identity, status, count, firstAt },
      );
    }
    const isCreated = status >= 200 && status <= 299 && identity !== ANONYMOUS;
    if (!isCreated || !isPathShown || !CREATING_METHODS.has(request.method)) return;
    this.#addOwner(credentials.currentRecording.objects, identity, interaction, objects);
  }

  #addOwner(
    recording: ObjectHits,
    identity: string,
    interaction: AccessInteraction,
    objects: readonly string[],
  ): void {
    const addCreated = (created: readonly string[]): void => {
      recording.addOwner({ objects: created, test: interaction.test, identity });
      this.#senders?.addObject(created.at(-1) ?? "", identity);
    };
    const { request: { method }, status, index, response } = interaction;
    if (method.toUpperCase() === "PUT" && status === 201 && objects.length > 0) {
      return addCreated(objects);
    }
    if (method.toUpperCase() !== "POST" || response === undefined) return;
    const headers = headerLookup(response.headers);
    const location = headers.get("location");
    const locationObjects = location === undefined
      ? undefined
      : this.#locationObjects(location, interaction.request);
    if (locationObjects !== undefined) addCreated(locationObjects);
    const { idNames, operation, segments } = this.#objectPath(index);
    const body = idNames && recordedBody(response, headers);
    if (idNames === undefined || body?.kind !== "data" || body.data.length > MAX_BODY) return;
    const parent = pathsUpTo(segments, interaction.text.captures);
    if (parent === undefined || operation.model.path.includes("?")) return;
    for (const id of createdIds(body.data, idNames)) {
      addCreated([...objects, `${parent.at(-1)}/${encodePercent(id)}`]);
    }
  }

  #locationObjects(location: string, { url }: HttpRequest): readonly string[] | undefined {
    let target: string;
    try {
      const resolved = new URL(location, new URL(url, BASE));
      target = /^[a-z][a-z\d+.-]*:/i.test(url) ? resolved.href : resolved.pathname;
    } catch {
      return undefined;
    }
    for (const method of OBJECT_METHODS) {
      const match = this.#plan.routes.match(method, target);
      if (match.kind === "unmatched") continue;
      const path = this.#objectPath(match.index);
      return path.hasTemplates ? objectPaths(path, match.captures) : undefined;
    }
    return undefined;
  }

  #objectPath(index: number): ObjectPath {
    return this.#objectPaths[index] ??= this.#readObjectPath(index);
  }

  #readObjectPath(index: number): ObjectPath {
    const operation = this.#plan.operations[index] as OperationPlan; // the indexes of routes are those of operations
    const { path } = operation.model;
    const { segments, names } = parsePathTemplate(path);
    this.#childTemplates ??= new Map(
      this.#plan.model.operations.flatMap(({ path }) => {
        const [, parent = "", name = ""] = /^(.*)\/\{([^{}/]+)\}\/?$/.exec(path) ?? [];
        return name === "" ? [] : [[withoutNames(parent), name] as const];
      }),
    );
    const name = this.#childTemplates.get(withoutNames(path.replace(/\/$/, "")));
    const hasTemplates = names.length > 0 && segments.some(({ kind }) => kind !== "literal");
    const idNames = name === undefined ? undefined : [...new Set([name, "id", "_id", "uuid"])];
    const endsWithTemplate =
      segments.findIndex(({ kind }) => kind !== "literal") === segments.length - 1 &&
      segments.at(-1)?.kind === "template";
    const prefix = endsWithTemplate ? pathsUpTo(segments, [""])?.at(-1) : undefined;
    return { operation, segments, hasTemplates, prefix, idNames };
  }
}

function withoutNames(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, "{}");
}

/** Returns the paths of all objects that a request names, outermost first. */
function objectPaths({ segments, prefix }: ObjectPath, captures: RouteCaptures): readonly string[] {
  const [first] = captures;
  if (prefix !== undefined && first !== undefined) return [prefix + normalizePercent(first)];
  const paths = pathsUpTo(segments, captures) ?? NO_OBJECTS;
  return paths.filter((_, index) => segments[index]?.kind !== "literal");
}

/** Returns the path up to each segment, in normalized percent-encoding; undefined if some part is unknown. */
function pathsUpTo(
  segments: readonly PathSegment[],
  captures: RouteCaptures,
): readonly string[] | undefined {
  const paths: string[] = [];
  let [path, captureIndex] = ["", 0];
  for (const segment of segments) {
    path += "/";
    if (segment.kind === "literal") path += normalizePercent(segment.text);
    else {
      const texts = segment.kind === "mixed" ? segment.texts : ["", ""];
      for (const [index, text] of texts.entries()) {
        const capture = index === 0 ? "" : captures[captureIndex++];
        if (capture === undefined) return undefined;
        path += normalizePercent(capture) + normalizePercent(text);
      }
    }
    paths.push(path);
  }
  return paths;
}

function normalizePercent(text: string): string {
  return PLAIN.test(text) ? text : encodePercent(decodePercent(text));
}

/** Returns the ids of created objects in a response body: at the top level, below `data`, or in a list. */
function createdIds(data: Uint8Array | string, names: readonly string[]): readonly string[] {
  const json = bodyText(data);
  if (!names.some((name) => json.includes(`"${name}"`))) return [];
  const [, first = "", text, number = ""] = FIRST_MEMBER.exec(json) ?? [];
  if (first === names[0]) return [text ?? number];
  const value = tryParseIds(json);
  if (value === undefined) return [];
  return [value].flat().slice(0, MAX_CREATED).flatMap((item: unknown) => {
    const data: unknown = Object(item)["data"];
    for (const holder of [item, data]) {
      if (typeof holder !== "object" || holder === null) continue;
      for (const name of names) {
        const id = Object.hasOwn(holder, name)
          ? (holder as Readonly<Record<string, unknown>>)[name]
          : undefined;
        if (typeof id === "string" && id !== "" || typeof id === "number") return [String(id)];
      }
    }
    return [];
  });
}
