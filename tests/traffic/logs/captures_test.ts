import assert from "node:assert/strict";
import { fixtureBytes, readAll } from "../read_all.ts";
import { readLog } from "./read_log.ts";

const ID = "83ba6f367f0000017896dff8";
const MONKEYS = "\n🐵🙈🙉\n";

/** A payload in goreplay's format. */
function payload(kind: number, id: string, text: string): string {
  return `${kind} ${id} 1795369507757536964 42333\n${text.replaceAll("\n", "\r\n")}${MONKEYS}`;
}

Deno.test("goreplay's requests without responses count, without a status", async () => {
  const text = payload(1, ID, "GET /a HTTP/1.1\nHost: shop.example\n\n") +
    payload(1, `${ID}00`, "GET /b HTTP/1.1\nHost: shop.example\n\n") +
    payload(3, ID, "HTTP/1.1 500 Replayed\n\n") +
    payload(2, ID, "HTTP/1.1 200 OK\nContent-Length: 2\n\n[]");
  const { lines, interactions } = await readLog(text);
  assert.deepEqual(lines, ["GET http://shop.example/a 200", "GET http://shop.example/b -"]);
  assert.equal(interactions[0]?.visibility?.status, true);
  assert.equal(interactions[0]?.visibility?.request_headers, "public");
  assert.equal(interactions[1]?.visibility?.request_headers, "public");
  assert.equal(interactions[1]?.visibility?.status, false);
});

Deno.test("statuses that mean no response in logs are responses in captures", async () => {
  const capture = payload(1, ID, "GET /a HTTP/1.1\nHost: a\n\n") +
    payload(2, ID, "HTTP/1.1 499 Token Required\nContent-Length: 2\n\n{}");
  assert.deepEqual((await readLog(capture)).lines, ["GET http://a/a 499"]);
  const flows = fixtureBytes("access-logs/flows.mitm");
  const text = Array.from(flows, (byte) => String.fromCharCode(byte)).join("");
  const changed = text.replaceAll("status_code;3:200#", "status_code;3:499#");
  const { lines } = await readLog(Uint8Array.from(changed, (unit) => unit.charCodeAt(0)));
  assert.ok(lines.some((line) => line.endsWith(" 499")), lines.join("\n"));
});

Deno.test("a request whose identifier comes again counts without a response", async () => {
  const text = payload(1, ID, "GET /a HTTP/1.1\nHost: shop.example\n\n") +
    payload(1, ID, "GET /b HTTP/1.1\nHost: shop.example\n\n") +
    payload(2, ID, "HTTP/1.1 200 OK\n\n");
  const { lines } = await readLog(text);
  assert.deepEqual(lines, ["GET http://shop.example/a -", "GET http://shop.example/b 200"]);
});

Deno.test("chunks of bodies are joined, and truncated bodies are missing, not short", async () => {
  const post = "POST /a HTTP/1.1\nHost: a\n";
  const chunked = payload(1, ID, `${post}Transfer-Encoding: chunked\n\n3\n[1,\n2\n2]\n0\n\n`);
  const cut = payload(1, `${ID}00`, `${post}Content-Length: 9\n\n[1,`);
  const { interactions } = await readLog(chunked + cut);
  assert.deepEqual(interactions[0]?.request.body, new TextEncoder().encode("[1,2]"));
  assert.equal(interactions[1]?.request.body, undefined);
  assert.equal(interactions[1]?.request.body_truncated, true);
});

Deno.test("bodies that wait for responses in later pieces of a capture stay as they are", async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `${ID}${index + 10}`);
  const bodies = ids.map((id) => id.repeat(100));
  const requests = ids.map((id, index) =>
    payload(1, id, `POST /a HTTP/1.1\nHost: a\nContent-Length: 2600\n\n${bodies[index]}`)
  );
  const responses = ids.map((id) => payload(2, id, "HTTP/1.1 204 No Content\n\n"));
  const bytes = new TextEncoder().encode([...requests, ...responses].join(""));
  const pieces = Array.from(
    { length: Math.ceil(bytes.length / 30_000) },
    (_, index) => bytes.slice(index * 30_000, (index + 1) * 30_000),
  );
  const { interactions } = await readAll(ReadableStream.from(pieces));
  const read = interactions.map(({ request }) =>
    new TextDecoder().decode(request.body as Uint8Array)
  );
  assert.deepEqual(read, bodies);
});

for (const name of ["flows.mitm", "goreplay.gor"]) {
  Deno.test(`${name} that is cut anywhere gives its complete requests and a warning`, async () => {
    const bytes = fixtureBytes(`access-logs/${name}`);
    const whole = (await readLog(bytes)).lines;
    for (let length = bytes.length - 1; length > 3000; length -= 97) {
      const { lines, warnings } = await readLog(bytes.subarray(0, length));
      assert.ok(lines.length > 0 && lines.length <= whole.length, String(length));
      if (name === "flows.mitm") assert.deepEqual(lines, whole.slice(0, lines.length));
      const isBetween = bytes[length - 1] === 0x7d || bytes[length - 1] === 0x0a;
      assert.ok(isBetween || warnings.length > 0, String(length));
    }
  });

  Deno.test(`${name} that is damaged anywhere after its beginning doesn't fail`, async () => {
    const bytes = fixtureBytes(`access-logs/${name}`);
    for (let index = 300; index < bytes.length; index += 211) {
      const damaged = bytes.slice();
      damaged[index] = (damaged[index] ?? 0) ^ 0x15;
      await readLog(damaged);
    }
  });
}

/** A value as mitmproxy serializes it. */
function tnetstring(value: unknown): string {
  const [content, type] = typeof value === "string"
    ? [value, ";"]
    : typeof value === "number"
    ? [String(value), "#"]
    : value === null
    ? ["", "~"]
    : Array.isArray(value)
    ? [value.map(tnetstring).join(""), "]"]
    : [Object.entries(value as object).flat().map(tnetstring).join(""), "}"];
  return `${content.length}:${content}${type}`;
}

Deno.test("a body that mitmproxy streamed without keeping it is missing, not empty", async () => {
  const flow = (sent: string | null, received: string | null) =>
    tnetstring({
      type: "http",
      request: {
        ...{ method: "POST", scheme: "http", host: "shop.example", port: 80, path: "/a" },
        ...{ headers: [], content: sent },
      },
      response: { status_code: 200, headers: [], content: received },
    });
  const { interactions } = await readLog(flow(null, "b") + flow("a", null));
  assert.deepEqual(
    interactions.map(({ request, response }) => [
      request.body_truncated === true,
      response?.status_code,
      response?.body_truncated === true,
    ]),
    [[true, 200, false], [false, 200, true]],
  );
});
