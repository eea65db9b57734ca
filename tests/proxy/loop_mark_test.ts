import assert from "node:assert/strict";
import { hostname } from "node:os";
import { isSamePlace } from "../../src/proxy/loop_mark.ts";

const PORT = 8080;

function isSame(server: string, listening: string): boolean {
  return isSamePlace({ host: server, port: PORT }, { host: listening, port: PORT });
}

Deno.test("every name of the loopback interface leads to a proxy that listens there", () => {
  for (const name of ["localhost", "x.localhost", "127.0.0.1", "127.9.9.9", "::1", "0.0.0.0"]) {
    assert.equal(isSame(name, "127.0.0.1"), true, name);
    assert.equal(isSame(name, "0.0.0.0"), true, name);
  }
});

Deno.test("the machine's own name leads to a proxy that listens on every address", () => {
  assert.equal(isSame(hostname(), "0.0.0.0"), true);
  assert.equal(isSame(hostname().toUpperCase(), "::"), true);
  assert.equal(isSame("api.example.com", "0.0.0.0"), false);
});

Deno.test("another port or machine leads elsewhere", () => {
  assert.equal(isSame("192.0.2.7", "127.0.0.1"), false);
  assert.equal(isSame("127.0.0.1", "192.0.2.7"), false);
  assert.equal(
    isSamePlace({ host: "localhost", port: 1 }, { host: "127.0.0.1", port: PORT }),
    false,
  );
});
