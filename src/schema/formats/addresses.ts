const IPV4 = /^(?:(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])(?:\.(?!$)|$)){4}$/;
const GROUP = /^[\da-fA-F]{1,4}$/;
const LONGEST_IPV6 = 45;

/** `ipv4`: the `dotted-quad` of RFC 2673, section 3.2. */
export function isIpv4(text: string): boolean {
  return IPV4.test(text);
}

/** The number of 16-bit groups on one side of `::`; -1 where it is not made of groups. */
function countGroups(side: string, last: boolean): number {
  if (side === "") return 0;
  const parts = side.split(":");
  const tail = parts.at(-1) ?? "";
  const quad = last && tail.includes(".");
  if (quad && !isIpv4(tail)) return -1;
  const groups = quad ? parts.slice(0, -1) : parts;
  return groups.every((group) => GROUP.test(group)) ? groups.length + (quad ? 2 : 0) : -1;
}

/** `ipv6`: an address of RFC 4291, section 2.2. */
export function isIpv6(text: string): boolean {
  if (text.length > LONGEST_IPV6) return false;
  const sides = text.split("::");
  const [before = "", after] = sides;
  if (after === undefined) return countGroups(before, true) === 8;
  const first = countGroups(before, false);
  const second = countGroups(after, true);
  return sides.length === 2 && first >= 0 && second >= 0 && first + second <= 7;
}
