import { apiOf, jsonContent } from "../../api_of.ts";
/** One request of the session that every client sends. Clients follow redirects. */
export interface SessionRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body in base64. */
  readonly body?: string;
}

/** What a client got for it, as far as the client shows it. */
export interface SessionAnswer {
  readonly status: number;
  /** Names in lower case, in order, with all that repeat. */
  readonly headers: readonly (readonly [string, string])[];
  readonly length: number;
  /** SHA-256 of the body, as the client hands it out, in hexadecimal. */
  readonly sha: string;
  /** The version of HTTP, where the client tells. */
  readonly version?: string;
}

/** Bytes of the large bodies. */
export const LARGE = 1_000_000;

/** Bytes that repeat late and are no text. */
export function largeBody(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(LARGE);
  let state = 1;
  for (let index = 0; index < bytes.length; index++) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    bytes[index] = state >> 16;
  }
  return bytes;
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
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  let text = "";
  for (let offset = 0; offset < bytes.length; offset += 8192) {
    text += String.fromCharCode(...bytes.subarray(offset, offset + 8192));
  }
  return btoa(text);
}

const JSON_TYPE = { "Content-Type": "application/json" };

/** The session: methods, kinds of bodies, encodings, redirects, errors, and much at once. */
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

/** What the session's server can do. */
export const SESSION_DESCRIPTION = apiOf({
  "/books": {
    get: {
      parameters: [
        { name: "limit", in: "query", schema: { type: "integer", maximum: 100 } },
        { name: "genre", in: "query", schema: { type: "array", items: { minLength: 4 } } },
        { name: "X-Tag", in: "header", schema: { type: "array", items: { enum: ["one"] } } },
        { name: "a", in: "cookie", schema: { type: "integer" } },
      ],
      responses: { 200: { description: "Books" } },
    },
    post: {
      requestBody: jsonContent({
        type: "object",
        required: ["title"],
        properties: { title: { type: "string", minLength: 6 }, year: { type: "integer" } },
      }),
      responses: { 201: { description: "Made" }, 422: { description: "No" } },
    },
    head: { responses: { 200: { description: "Books" } } },
  },
  "/books/{id}": {
    put: {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      requestBody: { content: { "application/json": { schema: { type: "object" } } } },
      responses: { 200: { description: "Put" } },
    },
    delete: {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      responses: { 204: { description: "Gone" } },
    },
  },
  "/form": {
    post: {
      requestBody: {
        content: {
          "application/x-www-form-urlencoded": {
            schema: {
              type: "object",
              properties: {
                size: { type: "integer", maximum: 10 },
                name: { type: "array", items: { type: "string", minLength: 2 } },
              },
            },
          },
        },
      },
      responses: { 200: { description: "Fine" } },
    },
  },
  "/upload": {
    post: {
      requestBody: {
        content: {
          "multipart/form-data": {
            schema: {
              type: "object",
              properties: { note: { maxLength: 3 }, file: { type: "string" } },
            },
          },
        },
      },
      responses: { 200: { description: "Fine" } },
    },
  },
  "/moved": { get: { responses: { 302: { description: "There" } } } },
  "/large": {
    get: { responses: { 200: { description: "Much" } } },
    put: {
      requestBody: { content: { "application/octet-stream": {} } },
      responses: { 200: { description: "Much" } },
    },
  },
});
