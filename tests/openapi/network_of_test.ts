import assert from "node:assert/strict";
import { networkOf } from "../../src/openapi/network_of.ts";

Deno.test("networkOf() knows addresses that are not public, however they are written", () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["localhost", "loopback"],
    ["LOCALHOST.", "loopback"],
    ["api.localhost", "loopback"],
    ["127.0.0.1", "loopback"],
    ["127.255.3.4", "loopback"],
    ["0.0.0.0", "loopback"],
    ["[::1]", "loopback"],
    ["[::]", "loopback"],
    ["[::ffff:127.0.0.1]", "loopback"],
    ["::ffff:7f00:1", "loopback"],
    ["64:ff9b::7f00:1", "loopback"],
    ["2002:7f00:1::", "loopback"],
    ["10.1.2.3", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.168.1.1", "private"],
    ["100.64.0.1", "private"],
    ["224.0.0.1", "private"],
    ["255.255.255.255", "private"],
    ["[fd00::1]", "private"],
    ["[ff02::1]", "private"],
    ["169.254.169.254", "link_local"],
    ["[fe80::1]", "link_local"],
    ["fe80::1%eth0", "link_local"],
    ["172.32.0.1", undefined],
    ["172.15.255.255", undefined],
    ["100.128.0.1", undefined],
    ["8.8.8.8", undefined],
    ["223.255.255.255", undefined],
    ["[2606:4700::1]", undefined],
    ["example.com", undefined],
    ["10.example.com", undefined],
    ["notlocalhost", undefined],
  ];
  for (const [host, expected] of cases) assert.equal(networkOf(host), expected, host);
});

Deno.test("networkOf() sees through the ways in which URLs write an address", () => {
  for (const host of ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "①②⑦.0.0.1"]) {
    assert.equal(networkOf(new URL(`http://${host}/`).hostname), "loopback", host);
  }
});
