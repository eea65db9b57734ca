// Tests that a repeated header field means the same from every source (RFC 9110, section 5.3).
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { CoverageMap } from "../../mod.ts";
import { connectMiddleware } from "../../src/entries/server.ts";
import { TRAFFIC_FILE } from "../../src/traffic/formats/traffic_file/traffic.ts";
import { readContentType } from "../../src/http/media_type.ts";
import { shopApi } from "../shop_api.ts";
import { readAs } from "../traffic/read_all.ts";

const DESCRIPTION = shopApi({
  "/books": {
    post: {
      parameters: [{
        name: "X-Tag",
        in: "header",
        schema: { type: "array", minItems: 2, items: { enum: ["a", "b"] } },
      }],
      requestBody: {
        content: {
          "application/json": { schema: { type: "object", required: ["title"] } },
          "text/plain": { schema: { type: "string" } },
        },
      },
      responses: { 200: { description: "Book" } },
    },
  },
});

const URL_TEXT = "http://localhost/books";
const BODY = '{"title":"Momo"}';
const PAIRS: [string, string][] = [
  ["Host", "localhost"],
  ["X-Tag", "a"],
  ["Content-Type", "text/plain"],
  ["x-tag", "b"],
  ["content-type", "application/json"],
];
const LISTS = {
  "Host": ["localhost"],
  "X-Tag": ["a", "b"],
  "Content-Type": ["text/plain", "application/json"],
};

const load = (): CoverageMap => CoverageMap.fromDict(structuredClone(DESCRIPTION));

function recordAsOne(headers: HeadersInit | Record<string, readonly string[]>): CoverageMap {
  const map = load();
  map.record({ method: "POST", url: URL_TEXT, headers: headers as Headers, body: BODY }, {
    status_code: 200,
  });
  return map;
}

/** Node.js drops a second Content-Type from `headers`, but keeps it in `rawHeaders`. */
async function recordByServer(): Promise<CoverageMap> {
  const map = load();
  const middleware = connectMiddleware(map);
  const server = createServer((request, response) => {
    middleware(request, response, () => {
      request.resume().on("end", () => response.end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const fields = [...PAIRS, ["Content-Length", `${BODY.length}`], ["Connection", "close"]];
  socket.write(
    `POST /books HTTP/1.1\r\n${
      fields.map(([name, value]) => `${name}: ${value}\r\n`).join("")
    }\r\n${BODY}`,
  );
  await new Promise((resolve) => socket.resume().on("close", resolve));
  await new Promise((resolve) => server.close(resolve));
  return map;
}

const SOURCES: Readonly<Record<string, () => CoverageMap | Promise<CoverageMap>>> = {
  "record() with pairs": () => recordAsOne(PAIRS),
  "record() with lists": () => recordAsOne(LISTS),
  "record() with Headers": () => recordAsOne(new Headers(PAIRS)),
  "a server of Node.js": recordByServer,
  "a traffic file": () => {
    const map = load();
    const { interactions } = readAs(TRAFFIC_FILE, {
      interactions: [{
        request: { method: "POST", url: URL_TEXT, headers: LISTS, body: BODY },
        response: { status_code: 200 },
      }],
    }, "traffic.json");
    for (const { request, response } of interactions) map.record(request, response);
    return map;
  },
  "a HAR file": async () => {
    const map = load();
    await map.archive.recordFromDict({
      log: {
        version: "1.2",
        creator: { name: "test", version: "1" },
        entries: [{
          request: {
            method: "POST",
            url: URL_TEXT,
            httpVersion: "HTTP/1.1",
            headers: PAIRS.map(([name, value]) => ({ name, value })),
            queryString: [],
            cookies: [],
            postData: { mimeType: "application/json", text: BODY },
          },
          response: { status: 200, headers: [], content: {} },
        }],
      },
    });
    return map;
  },
  "a cassette of VCR.py": async () => {
    const map = load();
    await map.cassette.recordFromDict({
      version: 1,
      interactions: [{
        request: { method: "POST", uri: URL_TEXT, headers: LISTS, body: BODY },
        response: { status: { code: 200, message: "OK" }, headers: {}, body: { string: "" } },
      }],
    });
    return map;
  },
  "a recording of nock": async () => {
    const map = load();
    await map.cassette.recordFromDict([{
      scope: "http://localhost:80",
      method: "POST",
      path: "/books",
      body: JSON.parse(BODY),
      reqheaders: LISTS,
      status: 200,
      response: "",
      rawHeaders: [],
    }]);
    return map;
  },
};

for (const [name, record] of Object.entries(SOURCES)) {
  Deno.test(`repeated fields are joined, and the last Content-Type counts: ${name}`, async () => {
    const { operations: [operation] } = (await record()).report();
    assert.ok(operation);
    const [tag, json, text] = operation.parameters;
    assert.equal(tag?.hits, 1);
    const minItems = tag?.keywords.find(({ keyword }) => keyword === "minItems");
    assert.deepEqual([minItems?.valid, minItems?.invalid], [1, 0]);
    assert.deepEqual([json?.hits, text?.hits], [1, 0]);
    assert.equal(json?.keywords.find(({ keyword }) => keyword === "required")?.valid, 1);
  });
}

Deno.test("a comma in a Content-Type doesn't make it a list", () => {
  for (
    const type of ["multipart/form-data; boundary=a,b", 'a/b; c="x, d/e"', "text/plain,", "", ","]
  ) {
    assert.equal(readContentType(type), type);
  }
  assert.equal(readContentType("text/plain, text/plain"), "text/plain");
  assert.equal(readContentType(undefined), undefined);
  const many = "a,".repeat(Buffer.poolSize);
  assert.equal(readContentType(many), many);
});
