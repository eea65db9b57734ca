import { parseHostAndPort } from "./host_and_port.ts";

/** True if the pattern matches a host and its port. */
export type HostPattern = (host: string, port: number) => boolean;

/**
 * Reads a pattern for hosts: a host, with `*` for any text in it, and a port if only that one is meant. `*.example`
 * is every name below `example`, and not `example` itself.
 *
 * @throws {TypeError} if the text isn't a pattern.
 *
 * @example
 * ```ts
 * import { parseHostPattern } from "./host_pattern.ts";
 * import assert from "node:assert/strict";
 *
 * assert.ok(parseHostPattern("*.example")("api.example", 443));
 * assert.ok(!parseHostPattern("localhost:8080")("localhost", 443));
 * ```
 */
export function parseHostPattern(text: string): HostPattern {
  // An IPv6 address without brackets cannot have a port.
  const isBareAddress = /^[0-9a-f]*:[0-9a-f:.]*:/i.test(text);
  const name = isBareAddress ? `[${text}]` : text;
  const parsed = parseHostAndPort(name, 1);
  if (parsed === undefined || name.includes("@")) {
    throw new TypeError(
      `${
        text.replace(/^.*@/s, "***@")
      } is not a valid host. Use a host such as api.example, *.example or localhost:8080, without http:// or a path.`,
    );
  }
  // A port that does not follow the default is in the text.
  const isPortGiven = parseHostAndPort(name, 2)?.port === parsed.port;
  const parts = parsed.host.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const expression = new RegExp(`^${parts.join(".*")}$`);
  return (host, port) =>
    (!isPortGiven || port === parsed.port) && expression.test(host.toLowerCase());
}
