/** A host, without the brackets of an IPv6 address, and a port. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/**
 * Reads an authority (RFC 3986, section 3.2): `api.example`, `127.0.0.1:8080`, `[::1]:443`. User information is left
 * out.
 *
 * @param defaultPort What applies where the text names none.
 * @returns Undefined if the text isn't a host with a port.
 *
 * @example
 * ```ts
 * import { parseHostAndPort } from "./host_and_port.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(parseHostAndPort("[::1]:8443", 443), { host: "::1", port: 8443 });
 * assert.deepEqual(parseHostAndPort("api.example", 443), { host: "api.example", port: 443 });
 * assert.equal(parseHostAndPort("api.example:http", 443), undefined);
 * ```
 */
export function parseHostAndPort(text: string, defaultPort: number): HostAndPort | undefined {
  const match = /^(?:[^@]*@)?(?:\[([0-9a-fA-F:.]+)(?:%[^\]]*)?\]|([^:[\]\s/?#@]+))(?::(\d{0,5}))?$/
    .exec(text);
  const host = match?.[1] ?? match?.[2];
  if (host === undefined) return undefined;
  const digits = match?.[3] ?? "";
  const port = digits === "" ? defaultPort : Number(digits);
  return port > 0 && port < 65536 ? { host: host.toLowerCase(), port } : undefined;
}

/** A host as it is in a URL: IPv6 addresses in brackets, and the port unless it is the default one. */
export function formatHostAndPort({ host, port }: HostAndPort, defaultPort?: number): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return port === defaultPort ? name : `${name}:${port}`;
}
