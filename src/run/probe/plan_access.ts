import type { MeasuredApi } from "../../coverage_map/measured_api.ts";
import { decodeFormText, encodePercent } from "../../http/percent.ts";
import { headerLookup } from "../../http/headers.ts";
import type { AccessCell } from "../../map/results.ts";
import type { SenderLog, SenderRequest } from "../../record/access_recorder.ts";
import { ANONYMOUS, type Identity } from "../../redact/identities.ts";
import type { SentHttpRequest } from "./probe_client.ts";
import { isSafeMethod } from "./prober.ts";

type Operation = MeasuredApi["plan"]["operations"][number];

/** Recorded data that `covtool probe --identities` bases requests on; kept in memory only, as it has credentials. */
export class SenderRequests implements SenderLog {
  readonly #requests = new Map<number, SenderRequest>();
  readonly #objects = new Map<string, string>();
  readonly #removed = new Set<string>();

  /** Keeps the newest request of each operation; requests that succeeded take precedence over refused ones. */
  addRequest(operation: number, sent: SenderRequest): void {
    const isAllowed = sent.status >= 200 && sent.status < 300;
    const isRefused = sent.status === 401 || sent.status === 403;
    const known = this.#requests.get(operation);
    const isBetter = isAllowed || isRefused && (known === undefined || known.status >= 300);
    if (isBetter && sent.request.body_truncated !== true) this.#requests.set(operation, sent);
    if (isAllowed && /^delete$/i.test(sent.request.method)) this.#removed.add(sent.path ?? "");
  }

  /** Keeps the path of an object, `/loans/7`, and its creator; if created again, the last creator is the owner. */
  addObject(path: string, owner: string): void {
    this.#objects.delete(path);
    this.#objects.set(path, owner);
    for (const one of pathsTo(path)) this.#removed.delete(one);
  }

  /** Returns the request kept for an operation; without its path if the object there was removed. */
  of(operation: number): SenderRequest | undefined {
    const kept = this.#requests.get(operation);
    return kept && { ...kept, path: this.#isGone(kept.path) ? undefined : kept.path };
  }

  /** Lists the paths of objects with their owners, the newest first. */
  objects(): readonly (readonly [path: string, owner: string])[] {
    return [...this.#objects].filter(([path]) => !this.#isGone(path)).reverse();
  }

  #isGone(path = ""): boolean {
    return pathsTo(path).some((one) => this.#removed.has(one));
  }
}

/** Returns a path and all its parents: `/loans`, `/loans/7`. */
function pathsTo(path: string): readonly string[] {
  return Array.from(path.matchAll(/(?<=.)(?=\/|$)/g), ({ index }) => path.slice(0, index));
}

export interface AccessRequest {
  readonly identity: string;
  readonly method: string;
  /** The path of the operation, as in the description. */
  readonly path: string;
  /** The expected reaction of the API. */
  readonly asks: "allow" | "refuse";
  /** The creator of the requested object; undefined if there is no object, or its creator is unknown. */
  readonly owner: string | undefined;
  /** The request, with the credential of the identity. */
  readonly request: SentHttpRequest;
}

export interface AccessPlan {
  readonly requests: readonly AccessRequest[];
  /** The number of expectations for which no request is sent, by the reason, a sentence. */
  readonly open: ReadonlyMap<string, number>;
}

export interface AccessPlanOptions {
  readonly server: string;
  readonly identities: readonly Identity[];
  readonly isUnsafe: boolean;
}

/** Plans requests for the expectations that no response has settled, also about objects of others. */
export function planAccess(
  api: MeasuredApi,
  senders: SenderRequests,
  options: AccessPlanOptions,
): AccessPlan {
  const { access } = api;
  const requests: AccessRequest[] = [];
  const open = new Map<string, number>();
  for (const operation of api.plan.operations) {
    const cells = access?.cells(operation.index) ?? [];
    const shared = new Set(cells.filter(mayAccessAll).map(({ identity }) => identity));
    for (const cell of cells) {
      const foreign = cell.foreign_allowed + cell.foreign_refused;
      const isOwnOnly = cell.expected_foreign !== undefined;
      const wanted = [
        ...(cell.tried === false
          ? [{ asks: cell.expected === "refused" ? "refuse" : "allow", isForeign: false } as const]
          : []),
        ...(isOwnOnly && foreign === 0 ? [{ asks: "refuse", isForeign: true } as const] : []),
      ];
      for (const { asks, isForeign } of wanted) {
        const whose = !isOwnOnly ? "any" : isForeign ? "foreign" : "own";
        const made = makeRequest(operation, cell.identity, whose, senders, { ...options, shared });
        if (typeof made === "string") open.set(made, (open.get(made) ?? 0) + 1);
        else {
          const { method, path } = operation.model;
          requests.push({ identity: cell.identity, method, path, asks, ...made });
        }
      }
    }
  }
  // DELETE requests come last; among them, those to be refused come before those that remove something.
  const rank = ({ method, asks }: AccessRequest): number =>
    method !== "DELETE" ? 0 : asks === "refuse" ? 1 : 2;
  return { requests: requests.toSorted((a, b) => rank(a) - rank(b)), open };
}

/** True if an identity may access all objects; its own objects don't count as foreign to others. */
function mayAccessAll({ expected, expected_foreign }: AccessCell): boolean {
  return expected === "allowed" && expected_foreign === undefined;
}

/** Makes a request; returns a reason if that is impossible. */
function makeRequest(
  operation: Operation,
  name: string,
  ownership: "any" | "own" | "foreign",
  senders: SenderRequests,
  { server, identities, isUnsafe, shared }: AccessPlanOptions & {
    readonly shared: ReadonlySet<string>;
  },
): Pick<AccessRequest, "request" | "owner"> | string {
  const { method, path, parameters } = operation.model;
  if (!isUnsafe && !isSafeMethod(method)) {
    return `${method} changes data: --unsafe sends it`;
  }
  const identity = identities.find((one) => one.name === name);
  if (name !== ANONYMOUS && identity?.value === undefined) {
    return `the credential of ${name} is not known: set it with valueFromEnv or valueFromFile`;
  }
  const kept = senders.of(operation.index);
  const object = objectFor(operation, name, ownership, senders, shared);
  if (ownership !== "any" && object === undefined) {
    return ownership === "own"
      ? `no object that ${name} created is known: record its creation`
      : `no object that somebody else created is known to ask for as ${name}: record its creation`;
  }
  const target = object?.path ?? kept?.path ?? (path.includes("{") ? undefined : path);
  const needsMore = parameters.some(({ required, location }) => required && location !== "path");
  if (target === undefined || kept === undefined && needsMore) {
    return `no valid request is known for ${method} ${path}: record one`;
  }
  const body = kept?.request.body;
  const request: SentHttpRequest = {
    method,
    url: server.replace(/\/$/, "") + target + sentQuery(operation, kept, identities),
    headers: sentHeaders(operation, kept, identities),
    ...(body !== undefined && body !== null && { body }),
  };
  const withCredential = identity === undefined
    ? request
    : asIdentity(request, identity, operation);
  return { request: withCredential, owner: object?.owner };
}

function objectFor(
  { model: { path } }: Operation,
  name: string,
  ownership: "any" | "own" | "foreign",
  senders: SenderRequests,
  shared: ReadonlySet<string>,
): { readonly path: string; readonly owner: string } | undefined {
  if (!path.includes("{")) return undefined;
  const template = path.replace(/\/$/, "").split("/").map((segment) =>
    segment.includes("{") ? segment : encodePercent(segment)
  );
  const last = template.findLastIndex((segment) => segment.includes("{"));
  for (const [object, owner] of senders.objects()) {
    if (ownership === "own" && owner !== name) continue;
    if (ownership === "foreign" && (owner === name || shared.has(owner))) continue;
    const segments = object.split("/");
    const isMatch = segments.length === last + 1 &&
      segments.every((text, index) => template[index]?.includes("{") || template[index] === text);
    if (isMatch) return { path: [...segments, ...template.slice(last + 1)].join("/"), owner };
  }
  return undefined;
}

/** Returns the recorded query without the sender's credentials. */
function sentQuery(
  { model: { credentials = [] } }: Operation,
  kept: SenderRequest | undefined,
  identities: readonly Identity[],
): string {
  const secret = new Set([
    "access_token",
    ...identities.map(({ query }) => query),
    ...credentials.filter(({ place }) => place.in === "query").map(({ name }) => name),
  ]);
  const query = /\?([^#]*)/.exec(kept?.request.url ?? "")?.[1] ?? "";
  const pairs = query.split("&").filter((pair) => {
    const name = decodeFormText(pair.split("=", 1)[0] ?? "");
    return name !== "" && !secret.has(name);
  });
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/** Returns the recorded header fields that the description declares, without credentials, and those about the body. */
function sentHeaders(
  { model: { parameters, credentials = [] } }: Operation,
  kept: SenderRequest | undefined,
  identities: readonly Identity[],
): Readonly<Record<string, string>> {
  const sent = headerLookup(kept?.request.headers);
  const fields = [
    ...credentials.map(({ name }) => name),
    ...identities.map(({ header = "" }) => header),
  ];
  const secret = new Set(fields.map((name) => name.toLowerCase()));
  const names = parameters.filter(({ location }) => location === "header").map(({ name }) => name)
    .filter((name) => !secret.has(name.toLowerCase()) && !/^(?:authorization|cookie)$/i.test(name));
  return Object.fromEntries(
    ["Content-Type", "Content-Encoding", ...names].flatMap((name) => {
      const value = sent.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function asIdentity(
  request: SentHttpRequest,
  { header = "Authorization", cookie, query, value = "", jwt }: Identity,
  { model: { credentials = [] } }: Operation,
): SentHttpRequest {
  if (query !== undefined) {
    const pair = `${encodeURIComponent(query)}=${encodeURIComponent(value)}`;
    return { ...request, url: `${request.url}${request.url.includes("?") ? "&" : "?"}${pair}` };
  }
  if (cookie !== undefined) {
    return { ...request, headers: { ...request.headers, Cookie: `${cookie}=${value}` } };
  }
  const isBare = /^authorization$/i.test(header) && !/\s/.test(value);
  const scheme = credentials.find(({ place }) => place.in === "authorization")?.name;
  const isBasic = jwt === undefined && scheme?.toLowerCase() === "basic";
  const credential = isBare ? `${isBasic ? "Basic" : "Bearer"} ${value}` : value;
  return { ...request, headers: { ...request.headers, [header]: credential } };
}
