/** Networks that are not everybody's. */
export type PrivateNetwork = "loopback" | "link_local" | "private";

/** The beginnings of addresses that are not public (IANA's special-purpose registries), in bits. */
const IPV4: readonly (readonly [start: string, bits: number, network: PrivateNetwork])[] = [
  ["127.0.0.0", 8, "loopback"],
  ["0.0.0.0", 8, "loopback"],
  ["169.254.0.0", 16, "link_local"],
  ["10.0.0.0", 8, "private"],
  ["172.16.0.0", 12, "private"],
  ["192.168.0.0", 16, "private"],
  ["100.64.0.0", 10, "private"],
  ["192.0.0.0", 24, "private"],
  ["198.18.0.0", 15, "private"],
  ["224.0.0.0", 3, "private"],
];

/**
 * The network that a host belongs to by its name or address alone; undefined if it may be public.
 *
 * @param host As `URL.hostname` writes it, or an address without brackets.
 *
 * @example
 * ```ts
 * import { networkOf } from "./network_of.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(networkOf("localhost"), "loopback");
 * assert.equal(networkOf("[::ffff:10.0.0.1]"), "private");
 * assert.equal(networkOf("example.com"), undefined);
 * ```
 */
export function networkOf(host: string): PrivateNetwork | undefined {
  const name = host.replace(/^\[|\]$/g, "").replace(/%.*$/, "").replace(/\.$/, "").toLowerCase();
  if (name === "localhost" || name.endsWith(".localhost")) return "loopback";
  const four = ipv4(name);
  if (four !== undefined) return networkOfIpv4(four);
  const groups = ipv6(name);
  return groups === undefined ? undefined : networkOfIpv6(groups);
}

function networkOfIpv4(address: number): PrivateNetwork | undefined {
  for (const [start, bits, network] of IPV4) {
    const from = ipv4(start) ?? 0;
    if (Math.floor(address / 2 ** (32 - bits)) === Math.floor(from / 2 ** (32 - bits))) {
      return network;
    }
  }
  return undefined;
}

function networkOfIpv6(groups: readonly number[]): PrivateNetwork | undefined {
  const [first = 0, second = 0] = groups;
  const last = (groups[6] ?? 0) * 0x10000 + (groups[7] ?? 0);
  const isZero = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0);
  if (isZero(0, 6) && last <= 1) return "loopback";
  // IPv4 in IPv6: mapped, compatible, and as NAT64 and 6to4 write it.
  if (isZero(0, 5) && (groups[5] === 0xffff || groups[5] === 0)) return networkOfIpv4(last);
  if (first === 0x64 && second === 0xff9b) return networkOfIpv4(last);
  if (first === 0x2002) return networkOfIpv4(second * 0x10000 + (groups[2] ?? 0));
  if ((first & 0xffc0) === 0xfe80) return "link_local";
  const isPrivate = (first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfec0 ||
    (first & 0xff00) === 0xff00;
  return isPrivate ? "private" : undefined;
}

function ipv4(text: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number);
  if (parts === undefined || parts.some((part) => part > 255)) return undefined;
  return parts.reduce((address, part) => address * 256 + part, 0);
}

function ipv6(text: string): number[] | undefined {
  if (!text.includes(":")) return undefined;
  // The platform knows all ways to write one, and gives the shortest.
  const url = `http://[${text}]/`;
  if (!URL.canParse(url)) return undefined;
  const [start = "", end] = new URL(url).hostname.slice(1, -1).split("::");
  const groupsOf = (part = "") =>
    part === "" ? [] : part.split(":").map((group) => parseInt(group, 16));
  const [before, after] = [groupsOf(start), groupsOf(end)];
  const missing = end === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...new Array<number>(missing).fill(0), ...after];
}
