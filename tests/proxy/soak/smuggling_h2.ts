import type { Http2Fields } from "./h2_client.ts";
import type { Attempt, AttemptParts } from "./smuggling.ts";

/** An HTTP/2 request that becomes two requests, or another one, if it is carelessly written as HTTP/1.1. */
export interface Http2Attempt {
  readonly name: string;
  readonly outer: Attempt["outer"];
  parts(parts: AttemptParts): { readonly fields: Http2Fields; readonly body: Uint8Array };
}

type Field = readonly [string, string];

function attempt(
  name: string,
  outer: Attempt["outer"],
  change: (fields: Field[], parts: AttemptParts) => Field[],
  body: (inner: string) => string = () => "",
): Http2Attempt {
  return {
    name,
    outer,
    parts: (parts) => {
      const fields: Field[] = [
        [":method", "POST"],
        [":scheme", "https"],
        [":authority", parts.host],
        [":path", parts.target],
        ["x-soak-id", parts.mark],
      ];
      return { fields: change(fields, parts), body: new TextEncoder().encode(body(parts.inner)) };
    },
  };
}

function add(name: string, value: string, outer: Attempt["outer"]): Http2Attempt {
  const label = `${JSON.stringify(name)}: ${JSON.stringify(value.slice(0, 40))}`;
  return attempt(label, outer, (fields) => [...fields, [name, value]], (inner) => inner);
}

function set(
  name: string,
  value: (parts: AttemptParts, before: string) => string,
  outer: Attempt["outer"],
): Http2Attempt {
  return attempt(
    `${name} = ${JSON.stringify(value({ target: "/", host: "h", mark: "", inner: "…" }, "/"))}`,
    outer,
    (fields, parts) =>
      fields.map(([one, before]) => one === name ? [one, value(parts, before)] : [one, before]),
    (inner) => inner,
  );
}

/** All attempts over HTTP/2. */
export const HTTP2_ATTEMPTS: readonly Http2Attempt[] = [
  add("content-length", "3", "never"),
  add("content-length", "5000", "never"),
  add("content-length", "0", "never"),
  add("content-length", "abc", "never"),
  add("content-length", "-1", "never"),
  add("content-length", "+3", "never"),
  // Such a request is malformed, and most end their stream. If the runtime removes the field before the proxy can see
  // it, the remaining request is valid, with the hidden one as its body.
  add("transfer-encoding", "chunked", "may"),
  add("Transfer-Encoding", "chunked", "may"),
  add("connection", "close", "may"),
  add("connection", "content-length", "may"),
  add("upgrade", "websocket", "may"),
  add("proxy-connection", "keep-alive", "may"),
  add("keep-alive", "timeout=1", "may"),
  add("te", "gzip", "may"),
  add("te", "trailers", "must"),
  add("expect", "100-continue", "may"),
  add("host", "evil.example", "may"),
  add("X-Upper", "1", "may"),
  add("x-a", "b\r\nTransfer-Encoding: chunked", "may"),
  add("x-a", "b\nTransfer-Encoding: chunked", "may"),
  add("x-a", "b\rc", "may"),
  add("x-a", "b\0c", "may"),
  add("x-a", " b ", "may"),
  add("x-a: b\r\ntransfer-encoding", "chunked", "may"),
  add("x a", "b", "may"),
  add("x:a", "b", "may"),
  add("", "b", "may"),
  add(":path", "/ok/other", "never"),
  add(":method", "GET", "never"),
  add(":unknown", "x", "never"),
  add(":status", "200", "never"),
  set(":method", () => "GET /evil HTTP/1.1\r\nX: y\r\n\r\nGET", "never"),
  set(":method", () => "", "never"),
  set(":method", () => "PO ST", "never"),
  set(":method", () => "CONNECT", "never"),
  set(":path", ({ target }) => `${target} HTTP/1.1\r\nX: y`, "never"),
  set(":path", ({ target, inner }) => `${target} HTTP/1.1\r\nHost: h\r\n\r\n${inner}`, "never"),
  set(":path", ({ target }) => `${target} x`, "never"),
  set(":path", ({ target }) => `${target}\tx`, "never"),
  set(":path", () => "", "never"),
  set(":path", ({ target }) => `http://evil.example${target}`, "may"),
  set(":path", ({ target }) => `${target}#fragment`, "must"),
  set(":authority", () => "evil.example", "may"),
  set(":authority", ({ host }) => `${host}\r\nX: y`, "never"),
  set(":authority", ({ host }) => `user@${host}`, "may"),
  set(":authority", ({ host }) => `${host}, evil.example`, "may"),
  set(":scheme", () => "http", "may"),
  set(":scheme", () => "https://evil.example/x HTTP/1.1\r\n", "never"),
  attempt("no path", "never", (fields) => fields.filter(([name]) => name !== ":path")),
  attempt("no method", "never", (fields) => fields.filter(([name]) => name !== ":method")),
  attempt("pseudo fields last", "never", (fields) => [...fields].reverse()),
  attempt(
    "two lengths",
    "never",
    (fields, { inner }) => [
      ...fields,
      ["content-length", "3"],
      ["content-length", String(inner.length)],
    ],
    (inner) => inner,
  ),
  attempt(
    "the right length",
    "must",
    (fields, { inner }) => [...fields, ["content-length", String(inner.length)]],
    (inner) => inner,
  ),
  attempt("no length", "must", (fields) => fields, (inner) => inner),
];
