import { formatHostAndPort, type HostAndPort, parseHostAndPort } from "../http/host_and_port.ts";

/** The way in which the requests of a connection find their server. */
export type ConnectionMode =
  /** A forward proxy: each request names its server. */
  | { readonly kind: "forward" }
  /** A tunnel (`CONNECT`): every request goes to one server. */
  | { readonly kind: "tunnel"; readonly server: HostAndPort; readonly isSecure: boolean }
  /** A reverse proxy: every request goes to one server. */
  | { readonly kind: "reverse"; readonly upstream: ReverseUpstream };

/** Server behind a reverse proxy. */
export interface ReverseUpstream extends HostAndPort {
  readonly isSecure: boolean;
  /** Path prefix: empty, or `/v1` without a slash at its end. */
  readonly prefix: string;
}

/** Destination of one request. */
export interface Target extends HostAndPort {
  readonly isSecure: boolean;
  /** The path with its query, byte for byte as it was sent, but without a fragment. */
  readonly path: string;
  readonly url: string;
  /** The value for the Host field; undefined to keep the client's. */
  readonly hostField: string | undefined;
  /** The host and port in the request target, as they were sent; undefined if it is only a path. */
  readonly authority: string | undefined;
}

const ABSOLUTE = /^(https?):\/\/([^/?#]*)(.*)/is;

/** Where a request goes (RFC 9112, section 3.2); undefined if the client takes the proxy for a server. */
export function resolveTarget(mode: ConnectionMode, requestTarget: string): Target | undefined {
  const absolute = ABSOLUTE.exec(requestTarget);
  const path = requestPath(absolute === null ? requestTarget : absolute[3] ?? "");
  // It takes precedence over the Host field (RFC 9112, section 3.2.2).
  const authority = absolute?.[2]?.replace(/^.*@/, "");
  if (mode.kind === "reverse") {
    const { host, port, isSecure, prefix } = mode.upstream;
    const hostField = formatHostAndPort({ host, port }, isSecure ? 443 : 80);
    const target = make({ host, port }, isSecure, path === "*" ? path : prefix + path, authority);
    return { ...target, hostField };
  }
  if (mode.kind === "tunnel") return make(mode.server, mode.isSecure, path, authority);
  if (absolute === null) return undefined;
  const isSecure = absolute[1]?.toLowerCase() === "https";
  const server = parseHostAndPort(absolute[2] ?? "", isSecure ? 443 : 80);
  return server === undefined ? undefined : make(server, isSecure, path, authority);
}

/** Parses a server's base URL (`https://api.example/v1`); throws a TypeError for anything else. */
export function parseReverseUpstream(text: string): ReverseUpstream {
  const url = URL.parse(text);
  const isSecure = url?.protocol === "https:";
  const server = url !== null && (isSecure || url.protocol === "http:")
    ? parseHostAndPort(url.host, isSecure ? 443 : 80)
    : undefined;
  if (url === null || server === undefined || url.search !== "" || url.hash !== "") {
    const shown = text.replace(/^([^/]*\/\/)?.*@/s, "$1***@");
    throw new TypeError(
      `${shown} cannot be used as the server of a reverse proxy. Use a URL such as http://localhost:3000 or https://api.example/v1.`,
    );
  }
  return { ...server, isSecure, prefix: url.pathname.replace(/\/+$/, "") };
}

/** The path and the query, without a fragment, which is not for servers (RFC 9110, section 7.1). */
function requestPath(text: string): string {
  if (text === "*") return text;
  const path = text.replace(/#.*/s, "");
  return path.startsWith("/") ? path : `/${path}`;
}

function make(server: HostAndPort, isSecure: boolean, path: string, named?: string): Target {
  const { host, port } = server;
  const authority = formatHostAndPort(server, isSecure ? 443 : 80);
  const url = `${isSecure ? "https" : "http"}://${authority}${path === "*" ? "" : path}`;
  return { host, port, isSecure, path, url, hostField: named, authority: named };
}
