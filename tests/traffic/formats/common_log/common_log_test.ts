import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { LINE_VISIBILITY } from "../../../../src/traffic/logs/log_interaction.ts";
import { readLog } from "../../logs/read_log.ts";

const LINE =
  '203.0.113.77 - ada [21/Nov/2026:10:00:00 +0100] "GET /books?limit=5 HTTP/1.1" 200 12 "https://referrer.example/" "shopper/1.0"';

Deno.test("a line of the Combined Log Format is a request with status and time", async () => {
  const { interactions, warnings } = await readLog(`${LINE}\n`);
  assert.deepEqual(interactions, [{
    request: { method: "GET", url: "/books?limit=5" },
    response: { status_code: 200 },
    timestamp: Date.UTC(2026, 10, 21, 9) / 1000,
    visibility: LINE_VISIBILITY,
  }]);
  assert.deepEqual(warnings, []);
});

Deno.test("a log of several virtual hosts has the host in each request", async () => {
  const { lines } = await readLog(`shop.example:443 ${LINE}\n`);
  assert.deepEqual(lines, ["GET https://shop.example/books?limit=5 200"]);
});

Deno.test("the line prefix of syslog or of a container runtime is skipped", async () => {
  for (const prefix of ["Nov 21 10:00:00 web1 nginx: ", "2026-11-21T10:00:00.1Z stdout F "]) {
    assert.deepEqual((await readLog(`${prefix}${LINE}\n`)).lines, ["GET /books?limit=5 200"]);
  }
});

Deno.test("lines of another format are counted, with the number of the first", async () => {
  const text = `starting up\n${LINE}\n{"level":"info"}\n\n<html>\n${LINE}\n`;
  const { lines, warnings } = await readLog(text);
  assert.equal(lines.length, 2);
  assert.deepEqual(warnings, [
    "access.log: a line of another format is left out (3 times, first at line 1).",
  ]);
});

Deno.test("a last line that is cut at any byte is left out with a warning", async () => {
  const whole = `${LINE}\n${LINE}`;
  const end = whole.lastIndexOf('" 200') + 5;
  for (let length = LINE.length + 2; length < end; length++) {
    const { lines, warnings } = await readLog(whole.slice(0, length));
    assert.deepEqual(lines, ["GET /books?limit=5 200"], String(length));
    assert.deepEqual(warnings, [
      "access.log: the last line is cut off and is left out (at line 2).",
    ]);
  }
  // Nothing that is read comes after the status.
  assert.equal((await readLog(whole.slice(0, end + 3))).lines.length, 2);
});

Deno.test("connections without a request, TLS and noise are counted, and don't fail", async () => {
  const requests = ["-", "\\x16\\x03\\x01\\x00", "", " ", "quit", "GET", "\\n"];
  const noise = requests.map((request) => LINE.replace(/"GET[^"]*"/, `"${request}"`));
  const { lines, warnings } = await readLog([...noise, LINE, ""].join("\n"));
  assert.deepEqual(lines, ["GET /books?limit=5 200"]);
  assert.deepEqual(warnings, [
    "access.log: a line whose request is empty or isn't HTTP is left out (7 times, first at line 1).",
  ]);
});

Deno.test("a line that is longer than any request is left out and not kept in memory", async () => {
  const giant = LINE.replace("limit=5", `q=${"x".repeat(3_000_000)}`);
  const { lines, warnings } = await readLog([LINE, giant, LINE, ""].join("\n"));
  assert.equal(lines.length, 2);
  assert.deepEqual(warnings, ["access.log: a line of more than 1 MiB is left out (at line 2)."]);
});

Deno.test("a line with an earlier or invalid time is still counted", async () => {
  const earlier = LINE.replace("10:00:00 +0100", "09:59:00 +0100");
  const wrong = LINE.replace("21/Nov", "21/Nil").replace("10:00:00", "77:00:00");
  const { interactions } = await readLog([LINE, earlier, wrong, ""].join("\n"));
  const [first = 0, second = 0, third] = interactions.map(({ timestamp }) => timestamp);
  assert.equal(first - second, 60);
  assert.equal(third, undefined);
});

Deno.test("a request without a response has no status", async () => {
  for (const status of ["499", "444", "-"]) {
    const { lines } = await readLog(`${LINE.replace('" 200', `" ${status}`)}\n`);
    assert.deepEqual(lines, ["GET /books?limit=5 -"]);
  }
});

Deno.test("full URLs, CONNECT and OPTIONS * are kept", async () => {
  const targets = ["GET http://shop.example/books", "CONNECT shop.example:443", "OPTIONS *"];
  const text = targets.map((target) => LINE.replace("GET /books?limit=5", target)).join("\n");
  assert.deepEqual((await readLog(`${text}\n`)).lines, targets.map((target) => `${target} 200`));
});

Deno.test("a user name that looks like a request isn't read as one", async () => {
  const user = '[21/Nov/2026:10:00:00 +0100] \\"DELETE /books HTTP/1.1\\" 200';
  const { lines } = await readLog(`${LINE.replace("ada", user)}\n`);
  assert.deepEqual(lines, ["GET /books?limit=5 200"]);
});

Deno.test("a compressed log with Windows line breaks is read", async () => {
  const text = `${LINE}\r\n`.repeat(3);
  assert.equal((await readLog(new Uint8Array(gzipSync(text)))).lines.length, 3);
});

Deno.test("a YAML cassette with a log line in a body is still a cassette", async () => {
  const text =
    `http_interactions:\n- request:\n    method: get\n    uri: http://localhost/logs\n  response:\n    status:\n      code: 200\n    body:\n      string: |\n        ${LINE}\nrecorded_with: VCR 6\n`;
  assert.deepEqual((await readLog(text)).lines, ["GET http://localhost/logs 200"]);
});
