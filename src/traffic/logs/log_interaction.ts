import type { Interaction } from "../../http/interaction.ts";
import { FULL_VISIBILITY, isPrivateHeader, type Visibility } from "../../http/visibility.ts";
import { Redactor } from "../../redact/redactor.ts";
import { isFields, type Writable } from "../decode/fields.ts";

export interface LogEntry {
  readonly method: string;
  /** Path and query, or the full URL. */
  readonly target: string;
  /** The origin for a target that is a path, such as `https://shop.example`; undefined if the log doesn't have it. */
  readonly origin?: string | undefined;
  readonly status?: number | undefined;
  readonly timestamp?: number | undefined;
  readonly elapsed?: number | undefined;
  /** Header fields of the request, without those that identify the sender. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly responseHeaders?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly body?: Uint8Array | string | undefined;
  readonly responseBody?: Uint8Array | string | undefined;
  readonly visibility?: Visibility | undefined;
  /** True if the response itself was captured, whatever its status (default: false). */
  readonly isCaptured?: boolean;
}

export const PUBLIC_VISIBILITY: Visibility = {
  ...FULL_VISIBILITY,
  request_headers: "public",
  response_headers: "public",
};

export const LINE_VISIBILITY: Visibility = {
  path_parameters: true,
  query: true,
  request_headers: "none",
  request_body: false,
  response_headers: "none",
  response_body: false,
  status: true,
  time: true,
};

/** Methods whose requests usually have a body, which the log doesn't contain. */
const WITH_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

const redactor = new Redactor();

/** Masks secrets, which are never kept: unlike tests, a log contains requests of real users. */
export function logInteraction(entry: LogEntry): Interaction {
  const { method, target, origin, status, timestamp, elapsed } = entry;
  const request: Writable<Interaction["request"]> = {
    method,
    url: withoutSecrets(origin !== undefined && target.startsWith("/") ? origin + target : target),
  };
  if (entry.headers !== undefined) request.headers = entry.headers;
  const { body, visibility } = entry;
  if (body !== undefined) request.body = body;
  else if (WITH_BODY.has(method) && visibility?.request_body !== true) {
    request.body_truncated = true;
  }
  const interaction: Writable<Interaction> = { request };
  if (visibility !== undefined) interaction.visibility = visibility;
  if (isStatus(status) && (entry.isCaptured === true || !UNSENT.has(status))) {
    const response: Writable<NonNullable<Interaction["response"]>> = { status_code: status };
    if (entry.responseHeaders !== undefined) response.headers = entry.responseHeaders;
    if (entry.responseBody !== undefined) response.body = entry.responseBody;
    if (elapsed !== undefined && elapsed >= 0 && elapsed < Infinity) response.elapsed = elapsed;
    interaction.response = response;
  }
  if (timestamp !== undefined) interaction.timestamp = timestamp;
  return interaction;
}

function withoutSecrets(url: string): string {
  return url.includes("?") || url.includes("@") || url.includes("#") ? redactor.url(url) : url;
}

/** Statuses in logs of nginx and others which mean that no response was sent. */
const UNSENT: ReadonlySet<number> = new Set([444, 499]);

/** False for 0, which Envoy logs if no response was sent. */
function isStatus(status: number | undefined): status is number {
  return status !== undefined && status >= 100 && status <= 999;
}

export type PublicHeaders = Record<string, string | readonly string[]>;

/** Returns the fields without those that identify the sender. Secrets in other fields are masked. */
export function publicHeaders(value: unknown): PublicHeaders | undefined {
  if (!isFields(value)) return undefined;
  // Clients choose the names: an assignment to `__proto__` would change the object's prototype in Node.js.
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const kept = publicHeader(name, field);
      return kept === undefined ? [] : [[name, kept] as const];
    }),
  );
}

/** Returns the visibility of header fields if these are all that the source shows. */
export function visibleHeaders(names: readonly string[]): readonly string[] | "none" {
  const visible = names.filter((name) => !isPrivateHeader(name));
  return visible.length === 0 ? "none" : visible;
}

export function publicHeader(name: string, value: unknown): string | readonly string[] | undefined {
  if (isPrivateHeader(name)) return undefined;
  const values = (Array.isArray(value) ? value : [value]).flatMap((item: unknown) =>
    typeof item === "string" || typeof item === "number"
      ? [redactor.header(name, String(item))]
      : []
  );
  const [first] = values;
  return values.length > 1 ? values : first;
}
