import { escapePattern } from "../values/escapes.ts";

/** A host, without the brackets of an IPv6 address, and a port. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** Parses an authority (RFC 3986, section 3.2) and drops the user information; undefined if the text is invalid. */
export function parseHostAndPort(text: string, defaultPort: number): HostAndPort | undefined {
  const match = /^(?:[^@]*@)?(?:\[([0-9a-fA-F:.]+)(?:%[^\]]*)?\]|([^:[\]\s/?#@]+))(?::(\d{0,5}))?$/
    .exec(text);
  const host = match?.[1] ?? match?.[2];
  if (host === undefined) return undefined;
  const digits = match?.[3] ?? "";
  const port = digits === "" ? defaultPort : Number(digits);
  return port > 0 && port < 65536 ? { host: host.toLowerCase(), port } : undefined;
}

/** Formats a host as in a URL: IPv6 addresses in brackets, and the port unless it is the default one. */
export function formatHostAndPort({ host, port }: HostAndPort, defaultPort?: number): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return port === defaultPort ? name : `${name}:${port}`;
}

export type HostPattern = (host: string, port: number) => boolean;

/** Parses a pattern for hosts, `*.example` or `host:port`; throws a TypeError if it isn't one. */
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
  // The port is in the text if a different default doesn't change it.
  const hasPort = parseHostAndPort(name, 2)?.port === parsed.port;
  const parts = parsed.host.split("*").map(escapePattern);
  const expression = new RegExp(`^${parts.join(".*")}$`);
  return (host, port) => (!hasPort || port === parsed.port) && expression.test(host.toLowerCase());
}
