import assert from "node:assert/strict";
import { failureSentence } from "../../src/proxy/failure_sentence.ts";

Deno.test("errors of Deno and Node.js become sentences that say what to do", () => {
  const say = (code: string, message: string): string =>
    failureSentence({ host: "h", port: 1 }, Object.assign(new Error(message), { code })).sentence;
  assert.match(say("ENOTFOUND", "getaddrinfo ENOTFOUND h"), /unknown host/);
  assert.match(say("", "Connection refused (os error 111)"), /nothing is listening there/);
  assert.match(say("CERT_HAS_EXPIRED", "certificate has expired"), /has expired.*--insecure/);
  assert.match(
    say("", "invalid peer certificate: UnknownIssuer"),
    /not trusted.*NODE_EXTRA_CA_CERTS/,
  );
  assert.match(say("", "invalid peer certificate: NotValidForName"), /another host/);
  assert.match(say("EPROTO", "wrong version number"), /Does it speak HTTPS\?/);
  assert.match(say("HPE_INVALID_CHUNK_SIZE", "Parse Error"), /invalid HTTP/);
  assert.match(say("ECONNRESET", "socket hang up"), /closed the connection/);
  assert.match(say("EPROXY", "the upstream proxy p:1 closed the connection"), /upstream proxy p:1/);
});
