import { formatHostAndPort, type HostAndPort, parseHostAndPort } from "../http/host_and_port.ts";

export type ConnectionMode =
  /** Forward proxy: each request names its server. */
  | { readonly kind: "forward" }
  /** Tunnel (`CONNECT`): all requests go to one server. */
  | { readonly kind: "tunnel"; readonly server: HostAndPort; readonly isSecure: boolean }
  /** Reverse proxy: all requests go to one server. */
  | { readonly kind: "reverse"; readonly upstream: ReverseUpstream };

export interface ReverseUpstream extends HostAndPort {
  readonly isSecure: boolean;
  /** Path prefix: empty, or like `/v1`, without a slash at the end. */
  readonly prefix: string;
}

export interface Target extends HostAndPort {
  readonly isSecure: boolean;
  /** Path and query, byte for byte as sent, without a fragment. */
  readonly path: string;
  readonly url: string;
  /** The value of the field `Host`; undefined to keep the client's. */
  readonly hostField: string | undefined;
  /** Host and port in the request target, as sent; undefined if the request target is only a path. */
  readonly authority: string | undefined;
}

const ABSOLUTE = /^(https?):\/\/([^/?#]*)(.*)/is;

/** Resolves a request target (RFC 9112, section 3.2); undefined if a forward proxy is used like a server. */
export function resolveTarget(mode: ConnectionMode, requestTarget: string): Target | undefined {
  const absolute = ABSOLUTE.exec(requestTarget);
  const path = requestPath(absolute === null ? requestTarget : absolute[3] ?? "");
  // The authority takes precedence over the field `Host` (RFC 9112, section 3.2.2).
  const authority = absolute?.[2]?.replace(/^.*@/, "");
  if (mode.kind === "reverse") {
    const { isSecure, prefix } = mode.upstream;
    const hostField = formatHostAndPort(mode.upstream, isSecure ? 443 : 80);
    const fullPath = path === "*" ? path : prefix + path;
    return { ...createTarget(mode.upstream, isSecure, fullPath, authority), hostField };
  }
  if (mode.kind === "tunnel") return createTarget(mode.server, mode.isSecure, path, authority);
  if (absolute === null) return undefined;
  const isSecure = absolute[1]?.toLowerCase() === "https";
  const server = parseHostAndPort(absolute[2] ?? "", isSecure ? 443 : 80);
  return server === undefined ? undefined : createTarget(server, isSecure, path, authority);
}

/** Parses the base URL of a server (`https://api.example/v1`); throws a TypeError if it can't be used. */
export function parseReverseUpstream(text: string): ReverseUpstream {
  const url = URL.parse(text);
  const isSecure = url?.protocol === "https:";
  const server = url !== null && (isSecure || url.protocol === "http:")
    ? parseHostAndPort(url.host, isSecure ? 443 : 80)
    : undefined;
  const { username, password, search, hash } = url ?? {};
  if (url === null || server === undefined || username || password || search || hash) {
    const shown = text.replace(/^([^/]*\/\/)?.*@/s, "$1***@");
    throw new TypeError(
      `${shown} cannot be used as the server of a reverse proxy. Use a URL such as http://localhost:3000 or https://api.example/v1, without user and password.`,
    );
  }
  return { ...server, isSecure, prefix: url.pathname.replace(/\/+$/, "") };
}

/** Returns path and query without a fragment, which is not for servers (RFC 9110, section 7.1). */
function requestPath(text: string): string {
  if (text === "*") return text;
  const path = text.replace(/#.*/s, "");
  return path.startsWith("/") ? path : `/${path}`;
}

function createTarget(
  server: HostAndPort,
  isSecure: boolean,
  path: string,
  named?: string,
): Target {
  const { host, port } = server;
  const authority = formatHostAndPort(server, isSecure ? 443 : 80);
  const url = `${isSecure ? "https" : "http"}://${authority}${path === "*" ? "" : path}`;
  return { host, port, isSecure, path, url, hostField: named, authority: named };
}
