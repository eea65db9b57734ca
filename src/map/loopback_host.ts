/** This machine: its loopback addresses and names, and the address of all interfaces. */
const LOOPBACK =
  /^((?:[\w-]+\.)*localhost\.?|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])(?::\d+)?$/i;

/**
 * A host without its port where it is this machine: test suites open a port for each run or each request, and what they
 * sent belongs together. Every other host stays as it is.
 *
 * @param host As `URL.host` has it.
 *
 * @example
 * ```ts
 * import { withoutLoopbackPort } from "./loopback_host.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(withoutLoopbackPort("127.0.0.1:49152"), "127.0.0.1");
 * assert.equal(withoutLoopbackPort("shop.example:8443"), "shop.example:8443");
 * ```
 */
export function withoutLoopbackPort(host: string): string {
  return LOOPBACK.exec(host)?.[1] ?? host;
}

/** True if a host, as `URL.host` has it, is this machine. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
