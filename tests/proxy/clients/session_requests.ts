import { Buffer } from "node:buffer";
import { jsonContent, shopApi } from "../../shop_api.ts";
import { randomBytes } from "../../http/random_bytes.ts";

/** One request of the session that every client sends. Clients follow redirects. */
export interface SessionRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body in base64. */
  readonly body?: string;
}

/** A client's response, as far as the client shows it. */
export interface SessionAnswer {
  readonly status: number;
  /** Names in lowercase, sorted, with all repeated ones. */
  readonly headers: readonly (readonly [string, string])[];
  readonly length: number;
  /** SHA-256 of the body as the client returns it, in hexadecimal. */
  readonly sha: string;
  /** The version of HTTP if the client shows it. */
  readonly version?: string;
}

/** Binary data that repeats only after many bytes. */
export function largeBody(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(randomBytes(1_000_000, 256));
}

const MULTIPART = [
  "--frontier",
  'Content-Disposition: form-data; name="note"',
  "",
  "short",
  "--frontier",
  'Content-Disposition: form-data; name="file"; filename="list.csv"',
  "Content-Type: text/csv",
  "",
  "a,b,c\u00e9",
  "--frontier--",
  "",
].join("\r\n");

function base64(data: string | Uint8Array): string {
  return Buffer.from(data as string).toString("base64");
}

const JSON_TYPE = { "Content-Type": "application/json" };

/** The session: methods, kinds of bodies, encodings, redirects, errors, and parallel requests. */
export function sessionRequests(): SessionRequest[] {
  return [
    { method: "GET", path: "/books?limit=7&genre=caf%C3%A9&genre=a+b" },
    {
      method: "GET",
      path: "/books?limit=700",
      headers: { "X-Tag": "one, two", Cookie: "a=1; b=2" },
    },
    { method: "HEAD", path: "/books" },
    {
      method: "POST",
      path: "/books",
      headers: JSON_TYPE,
      body: base64('{"title":"Momo \u{1f4ff}","year":1973}'),
    },
    { method: "POST", path: "/books", headers: JSON_TYPE, body: base64('{"year":"then"}') },
    {
      method: "POST",
      path: "/form",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: base64("size=12&name=a%20b+c&name=%C3%A9"),
    },
    {
      method: "POST",
      path: "/upload",
      headers: { "Content-Type": "multipart/form-data; boundary=frontier" },
      body: base64(MULTIPART),
    },
    { method: "PUT", path: "/books/1", headers: JSON_TYPE, body: base64("{not json") },
    { method: "DELETE", path: "/books/1" },
    { method: "PATCH", path: "/nothing/here", headers: JSON_TYPE, body: base64("[]") },
    { method: "GET", path: "/gzip" },
    { method: "GET", path: "/chunks" },
    { method: "GET", path: "/empty" },
    { method: "GET", path: "/moved" },
    { method: "POST", path: "/kept", headers: JSON_TYPE, body: base64('{"title":"again"}') },
    { method: "GET", path: "/broken" },
    { method: "GET", path: "/large" },
    {
      method: "PUT",
      path: "/large",
      headers: { "Content-Type": "application/octet-stream" },
      body: base64(largeBody()),
    },
  ];
}

function answering(status: number): { readonly responses: object } {
  return { responses: { [status]: { description: "An answer" } } };
}

function taking(type: string, properties: object): { readonly requestBody: object } {
  return { requestBody: { content: { [type]: { schema: { type: "object", properties } } } } };
}

/** Describes the session's server. */
export const SESSION_DESCRIPTION = shopApi({
  "/books": {
    get: {
      parameters: [
        { name: "limit", in: "query", schema: { type: "integer", maximum: 100 } },
        { name: "genre", in: "query", schema: { type: "array", items: { minLength: 4 } } },
        { name: "X-Tag", in: "header", schema: { type: "array", items: { enum: ["one"] } } },
        { name: "a", in: "cookie", schema: { type: "integer" } },
      ],
      ...answering(200),
    },
    post: {
      requestBody: jsonContent({
        required: ["title"],
        properties: { title: { type: "string", minLength: 6 }, year: { type: "integer" } },
      }),
      ...answering(201),
    },
    head: answering(200),
  },
  "/books/{id}": {
    parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
    put: { requestBody: jsonContent({ type: "object" }), ...answering(200) },
    delete: answering(204),
  },
  "/form": {
    post: {
      ...taking("application/x-www-form-urlencoded", {
        size: { type: "integer", maximum: 10 },
        name: { type: "array", items: { type: "string", minLength: 2 } },
      }),
      ...answering(200),
    },
  },
  "/upload": {
    post: {
      ...taking("multipart/form-data", { note: { maxLength: 3 }, file: { type: "string" } }),
      ...answering(200),
    },
  },
  "/moved": { get: answering(302) },
  "/large": {
    get: answering(200),
    put: { ...taking("application/octet-stream", {}), ...answering(200) },
  },
});
