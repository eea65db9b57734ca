import { formatHostAndPort, type HostAndPort, parseHostAndPort } from "./host_and_port.ts";

/** Route of the requests of a connection, as far as it is known before them. */
export type Lane =
  /** Each request names its server, as clients do that were told of a proxy. */
  | { readonly kind: "any" }
  /** Inside a tunnel, all go to one server. */
  | { readonly kind: "tunnel"; readonly server: HostAndPort; readonly isSecure: boolean }
  /** A reverse proxy: every request goes to one server. */
  | { readonly kind: "reverse"; readonly upstream: ReverseUpstream };

/** Server behind a reverse proxy. */
export interface ReverseUpstream extends HostAndPort {
  readonly isSecure: boolean;
  /** What goes before each path: empty, or `/v1` without a slash at its end. */
  readonly prefix: string;
}

/** Destination of one request. */
export interface Target extends HostAndPort {
  readonly isSecure: boolean;
  /** The path with its query, byte for byte as it was sent. */
  readonly path: string;
  /** The full URL, as recordings have it. */
  readonly url: string;
  /** What the Host field has to be; undefined where the client's stays. */
  readonly hostField: string | undefined;
  /** The host and port in the request target, as they were sent; undefined where it is a path alone. */
  readonly authority: string | undefined;
}

const ABSOLUTE = /^(https?):\/\/([^/?#]*)([^#]*)/i;

/**
 * Reads where a request goes from its request target (RFC 9112, section 3.2).
 *
 * @returns Undefined where the target names no server, as when a client takes the proxy for one.
 *
 * @example
 * ```ts
 * import { targetOf } from "./target.ts";
 * import assert from "node:assert/strict";
 *
 * const target = targetOf({ kind: "any" }, "http://localhost:3000/books?limit=%31");
 * assert.equal(target?.port, 3000);
 * assert.equal(target?.path, "/books?limit=%31");
 * ```
 */
export function targetOf(lane: Lane, requestTarget: string): Target | undefined {
  const absolute = ABSOLUTE.exec(requestTarget);
  const path = pathOf(absolute === null ? requestTarget : absolute[3] ?? "");
  // It comes before what Host says (RFC 9112, section 3.2.2).
  const authority = absolute?.[2]?.replace(/^.*@/, "");
  if (lane.kind === "reverse") {
    const { host, port, isSecure, prefix } = lane.upstream;
    const hostField = formatHostAndPort({ host, port }, isSecure ? 443 : 80);
    const target = make({ host, port }, isSecure, path === "*" ? path : prefix + path, authority);
    return { ...target, hostField };
  }
  if (lane.kind === "tunnel") return make(lane.server, lane.isSecure, path, authority);
  if (absolute === null) return undefined;
  const isSecure = absolute[1]?.toLowerCase() === "https";
  const server = parseHostAndPort(absolute[2] ?? "", isSecure ? 443 : 80);
  return server === undefined ? undefined : make(server, isSecure, path, authority);
}

/** The base URL of a server: `http://localhost:3000` or `https://api.example/v1`. */
export function parseReverseUpstream(text: string): ReverseUpstream {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    // Said below.
  }
  const isSecure = url?.protocol === "https:";
  const server = url !== undefined && (isSecure || url.protocol === "http:")
    ? parseHostAndPort(url.host, isSecure ? 443 : 80)
    : undefined;
  if (url === undefined || server === undefined || url.search !== "" || url.hash !== "") {
    throw new TypeError(
      `${
        shownUrl(text)
      } cannot be used as the server of a reverse proxy. Use a URL such as http://localhost:3000 or https://api.example/v1.`,
    );
  }
  return { ...server, isSecure, prefix: url.pathname.replace(/\/+$/, "") };
}

/** What should have been a URL, without the credentials in it. */
function shownUrl(text: string): string {
  return text.replace(/^([^/]*\/\/)?.*@/s, "$1***@");
}

function pathOf(text: string): string {
  if (text === "*") return text;
  return text.startsWith("/") ? text : `/${text}`;
}

function make(
  server: HostAndPort,
  isSecure: boolean,
  path: string,
  named: string | undefined,
): Target {
  const { host, port } = server;
  const authority = formatHostAndPort(server, isSecure ? 443 : 80);
  const url = `${isSecure ? "https" : "http"}://${authority}${path === "*" ? "" : path}`;
  return { host, port, isSecure, path, url, hostField: named, authority: named };
}
