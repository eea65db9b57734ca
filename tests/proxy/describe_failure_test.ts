import assert from "node:assert/strict";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Authority, createAuthority } from "../../src/proxy/authority.ts";
import { dateError, describeFailure } from "../../src/proxy/describe_failure.ts";
import { RawClient } from "./raw_client.ts";
import { startProxy } from "./test_server.ts";

const YEAR = 365 * 24 * 60 * 60 * 1000;

/** The proxy's response if the server's certificate was made at this time. */
async function answerFor(made: Date, upgrade: boolean): Promise<string> {
  const { certificate, key } = new Authority(createAuthority(made)).issueLeaf("localhost", made);
  const server = createServer({ cert: certificate, key }, (_request, response) => response.end());
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await using test = await startProxy({ insecure: false, reverse: `https://localhost:${port}` });
  const offer = upgrade ? "Connection: Upgrade\r\nUpgrade: websocket\r\n" : "";
  const request = `GET / HTTP/1.1\r\nHost: x\r\n${offer}\r\n`;
  const { status, text } = await RawClient.ask(test.proxy.port, request);
  assert.equal(status, 502);
  await new Promise((resolve) => server.close(resolve));
  return text;
}

Deno.test("messages distinguish expired, not yet valid and untrusted server certificates, also on Deno", async () => {
  const now = Date.now();
  for (const upgrade of [false, true]) {
    assert.match(await answerFor(new Date(now - 3 * YEAR), upgrade), /has expired\..*renew it/);
    assert.match(await answerFor(new Date(now + YEAR), upgrade), /is not valid yet\./);
    assert.match(await answerFor(new Date(now), upgrade), /its issuer is not trusted\./);
  }
});

Deno.test("missing and valid dates are no error", () => {
  assert.equal(dateError({}, 0), undefined);
  const dates = { valid_from: "Jan  1 00:00:00 2020 GMT", valid_to: "Jan  1 00:00:00 2021 GMT" };
  assert.equal(dateError(dates, Date.parse("2020-06-01")), undefined);
  assert.match(String(dateError(dates, Date.parse("2021-06-01"))), /expired/);
  assert.match(String(dateError(dates, Date.parse("2019-06-01"))), /not yet valid/);
  // The period of validity includes both dates (RFC 5280, section 4.1.2.5).
  assert.equal(dateError(dates, Date.parse("2020-01-01")), undefined);
  assert.equal(dateError(dates, Date.parse("2021-01-01")), undefined);
});

Deno.test("errors of Deno and Node.js become messages that say what to do", () => {
  const say = (code: string, message: string): string =>
    describeFailure({ host: "h", port: 1 }, Object.assign(new Error(message), { code })).sentence;
  assert.match(say("ENOTFOUND", "getaddrinfo ENOTFOUND h"), /unknown host/);
  assert.match(say("", "Connection refused (os error 111)"), /nothing is listening there/);
  assert.match(say("CERT_HAS_EXPIRED", "certificate has expired"), /has expired.*--insecure/);
  assert.match(say("", "invalid peer certificate: UnknownIssuer"), /not trusted.*--ca ca\.pem/);
  assert.match(say("", "invalid peer certificate: NotValidForName"), /another host/);
  assert.match(say("EPROTO", "wrong version number"), /Does it speak HTTPS\?/);
  assert.match(say("HPE_INVALID_CHUNK_SIZE", "Parse Error"), /invalid HTTP/);
  assert.match(say("ECONNRESET", "socket hang up"), /closed the connection/);
  assert.match(say("EPROXY", "the upstream proxy p:1 closed the connection"), /upstream proxy p:1/);
  const refusal = 'the upstream proxy tls:1 responded "HTTP/1.1 502 Connection refused"';
  assert.equal(say("EPROXY", refusal), `h:1 cannot be reached: ${refusal}.`);
});
