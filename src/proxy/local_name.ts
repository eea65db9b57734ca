import { isIP } from "node:net";
import { parseHostAndPort } from "../http/host_and_port.ts";

/** Endings of names that nobody can own in the DNS (RFC 2606, 6761, 6762, 8375, 9476). */
const RESERVED = /\.(?:localhost|local|test|example|invalid|internal|home\.arpa|alt)\.?$/;

/**
 * True if a `Host` is an address or a name that no web site can have. A page of any other name may have had its name
 * point to this machine, to read what a server here answers (DNS rebinding).
 *
 * @param authority The host, with or without a port.
 *
 * @example
 * ```ts
 * import { isLocalName } from "./local_name.ts";
 * import assert from "node:assert/strict";
 *
 * assert.ok(isLocalName("localhost:8080"));
 * assert.ok(isLocalName("[::1]:8080"));
 * assert.ok(!isLocalName("localhost.site.com:8080"));
 * ```
 */
export function isLocalName(authority: string): boolean {
  const host = parseHostAndPort(authority, 80)?.host.toLowerCase();
  if (host === undefined) return false;
  return isIP(host) !== 0 || !host.replace(/\.$/, "").includes(".") || RESERVED.test(host);
}
