import { hostname, networkInterfaces } from "node:os";
import { isGranted } from "../files/missing_permission.ts";
import { formatHostAndPort, type HostAndPort, parseHostAndPort } from "../http/host_and_port.ts";
import { fieldValue, type RawHeaders } from "./header_fields.ts";
import { isIP } from "node:net";

/** Top-level names that can't be registered in the DNS (RFC 2606, 6761, 6762, 8375, 9476). */
const RESERVED = /\.(?:localhost|local|test|example|invalid|internal|home\.arpa|alt)\.?$/;

/** True if a `Host` is an address or a name that no web site can have. This guards against DNS rebinding. */
export function isLocalName(authority: string): boolean {
  const host = parseHostAndPort(authority, 80)?.host.toLowerCase();
  if (host === undefined) return false;
  return isIP(host) !== 0 || !host.replace(/\.$/, "").includes(".") || RESERVED.test(host);
}

/** The proxy's name in `Via` (RFC 9110, section 7.6.3). It is unique, so that a chain of proxies is no loop. */
export class LoopMark {
  /** The value of `Via`. Requests are always forwarded over HTTP/1.1. */
  readonly via: string = `1.1 covtool-${crypto.randomUUID().slice(0, 13)}`;
  readonly #name = this.via.slice(4);

  /** True if this proxy itself sent a request with these header fields or this head. */
  isIn(request: RawHeaders | string): boolean {
    if (typeof request === "string") return request.includes(this.#name);
    // Almost no request has the field.
    if (fieldValue(request, "via") === undefined) return false;
    return request.some((text) => text.includes(this.#name));
  }
}

export const LOOP_SENTENCE =
  "A request that the proxy forwarded came back to it. Check that --reverse and --upstream-proxy name other servers, and that those don't send requests back here.";

const EVERY_ADDRESS: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

function isLoopback(host: string): boolean {
  return host === "::1" || host === "localhost" || host.endsWith(".localhost") ||
    /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** True for names and addresses of this machine, as far as Deno permits reading them. */
function isThisMachine(host: string): boolean {
  if (isLoopback(host) || EVERY_ADDRESS.has(host)) return true;
  if (isGranted({ name: "sys", kind: "hostname" }) && host === hostname().toLowerCase()) {
    return true;
  }
  if (!isGranted({ name: "sys", kind: "networkInterfaces" })) return false;
  return Object.values(networkInterfaces()).flat().some((found) => found?.address === host);
}

/** True if a server is certainly the proxy itself, by its address. {@linkcode LoopMark} recognizes other cases. */
export function isProxyItself(server: HostAndPort, listening: HostAndPort): boolean {
  if (server.port !== listening.port) return false;
  const serverHost = server.host.toLowerCase();
  const host = listening.host.toLowerCase();
  if (serverHost === host) return true;
  if (EVERY_ADDRESS.has(host)) return isThisMachine(serverHost);
  return isLoopback(host) && (isLoopback(serverHost) || EVERY_ADDRESS.has(serverHost));
}

export function refuseLoop(
  listening: HostAndPort,
  named: Readonly<Record<"reverse" | "upstreamProxy", HostAndPort | undefined>>,
): void {
  for (const [option, server] of Object.entries(named)) {
    if (server === undefined || !isProxyItself(server, listening)) continue;
    const flag = option === "reverse" ? "--reverse" : "--upstream-proxy";
    throw new LoopError(
      `${flag} names ${
        formatHostAndPort(server)
      }, which is the proxy itself. Name another server, or choose another port for the proxy with -p.`,
    );
  }
}

export class LoopError extends TypeError {
  override readonly name = "LoopError";
}
