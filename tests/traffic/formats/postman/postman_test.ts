import assert from "node:assert/strict";
import { knownSecrets } from "../../../../src/http/interaction.ts";
import { NO_REQUEST_HEADERS } from "../../../../src/http/visibility.ts";
import type { Interaction } from "../../../../src/http/interaction.ts";
import { POSTMAN } from "../../../../src/traffic/formats/postman/postman.ts";
import type { FormatOptions } from "../../../../src/traffic/formats/recording.ts";
import { readAs, sentText, type WholeRecording } from "../../read_all.ts";

function read(collection: object, options?: FormatOptions): WholeRecording {
  const whole = { info: { name: "c" }, item: [], ...collection };
  return readAs(POSTMAN, whole, "c.json", options);
}

function sent(request: unknown, collection: object = {}): Interaction {
  const [interaction] = read({ item: [{ request }], ...collection }).interactions;
  assert.ok(interaction);
  return interaction;
}

const URL_A = "http://localhost/a";

/** Reads a version 1.0 collection with one request. */
function readOld(request: object, more: object = {}): WholeRecording {
  const collection = { id: "c", name: "old", order: ["r"], requests: [{ id: "r", ...request }] };
  return readAs(POSTMAN, { ...collection, ...more }, "c.json");
}

Deno.test("POSTMAN keeps the order of the file", () => {
  const collection = {
    item: [
      { name: "folder", item: [{ request: `${URL_A}/1` }, { item: [{ request: `${URL_A}/2` }] }] },
      { request: `${URL_A}/3`, response: [{ code: 200 }, { code: 404, originalRequest: URL_A }] },
    ],
  };
  assert.deepEqual(
    read(collection).interactions.map(({ request, response }) => [
      request.url,
      response?.status_code,
    ]),
    [[`${URL_A}/1`, undefined], [`${URL_A}/2`, undefined], [`${URL_A}/3`, 200], [URL_A, 404]],
  );
});

Deno.test("POSTMAN takes an example without a status as a request that was never sent", () => {
  const response = [{ originalRequest: URL_A, name: "default", status: "OK" }];
  const { interactions } = read({ item: [{ request: URL_A, response }] });
  assert.deepEqual(interactions, [{
    request: { method: "GET", url: URL_A, headers: {} },
    visibility: NO_REQUEST_HEADERS,
  }]);
});

Deno.test("POSTMAN lets inner variables override outer ones, and the environment override all", () => {
  const request = "http://{{host}}/{{a}}/{{b}}/{{c}}/{{d}}";
  const collection = {
    variable: [
      { key: "host", value: "localhost" },
      { key: "a", value: 1 },
      { key: "b", value: "{{a}}" },
      { key: "c", value: "outer" },
      { key: "d", value: "off", disabled: true },
    ],
    item: [{
      variable: [{ key: "a", value: "2" }],
      item: [{ request, variable: [{ id: "c", value: true }] }, { request }],
    }],
  };
  const urls = (options?: FormatOptions) =>
    read(collection, options).interactions.map(({ request }) => request.url);
  assert.deepEqual(urls(), ["http://localhost/2/2/true/{{d}}", "http://localhost/2/2/outer/{{d}}"]);
  assert.deepEqual(urls({ values: { environment: { a: "x", d: "y" } } }), [
    "http://localhost/x/x/true/y",
    "http://localhost/x/x/outer/y",
  ]);
});

Deno.test("POSTMAN inherits authorization from folders, and noauth ends it", () => {
  const auth = {
    type: "apikey",
    apikey: [{ key: "key", value: "X-Key" }, { key: "value", value: "k" }],
  };
  const collection = {
    auth,
    item: [
      { request: URL_A },
      { auth: { type: "noauth" }, item: [{ request: URL_A }] },
      { request: { url: URL_A, auth: { type: "bearer", bearer: { token: "t" } } } },
      { request: { url: URL_A, auth: null } },
      {
        request: { url: URL_A, auth: { type: "noauth" } },
        response: [{ code: 200, originalRequest: { url: URL_A } }],
      },
    ],
  };
  assert.deepEqual(read(collection).interactions.map(({ request }) => request.headers), [
    { "X-Key": "k" },
    {},
    { Authorization: "Bearer t" },
    { "X-Key": "k" },
    {},
  ]);
});

Deno.test("POSTMAN reports an authorization that it doesn't support", () => {
  const { warnings } = read({ auth: { type: "digest", digest: [] }, item: [{ request: URL_A }] });
  assert.deepEqual(warnings, [
    "c.json: the authorization `digest` is not known and left out (at item[0].request).",
  ]);
});

Deno.test("POSTMAN replaces a query parameter with the API key of the same name", () => {
  const apikey = { key: "api key", value: "a&b", in: "query" };
  const auth = { type: "apikey", apikey };
  assert.equal(
    sent({ url: `${URL_A}?api%20key=old&x=1`, auth }).request.url,
    `${URL_A}?x=1&api%20key=a%26b`,
  );
  assert.equal(sent({ url: URL_A, auth }).request.url, `${URL_A}?api%20key=a%26b`);
});

Deno.test("POSTMAN leaves out bodies of GET and HEAD requests like Postman does", () => {
  const body = { mode: "raw", raw: "x" };
  const behavior = { protocolProfileBehavior: { disableBodyPruning: true } };
  const request = { url: URL_A, body };
  assert.equal(sent(request).request.body, undefined);
  assert.equal(sent({ ...request, method: "head" }).request.body, undefined);
  assert.equal(sentText(sent({ ...request, method: "delete" })), "x");
  assert.equal(sentText(sent(request, behavior)), "x");
  const item = [{ request, protocolProfileBehavior: { disableBodyPruning: false } }];
  assert.equal(sent(request, { ...behavior, item }).request.body, undefined);
});

Deno.test("POSTMAN reads headers that are text, disabled or repeated", () => {
  const header = "A: 1\n// B: 2\nA: 3\r\nC:\n\nno header";
  assert.deepEqual(sent({ url: URL_A, header }).request.headers, { A: ["1", "3"], C: "" });
  const list = [{ key: "A", value: "{{v}}" }, { key: "B", value: "2", disabled: true }, {
    value: 1,
  }];
  const variable = [{ key: "v", value: "é" }];
  assert.deepEqual(sent({ url: URL_A, header: list }, { variable }).request.headers, { A: "é" });
});

Deno.test("POSTMAN keeps the body of a version 1.0 GET request if pruning is disabled", () => {
  const request = { method: "GET", url: URL_A, dataMode: "raw", rawModeData: "text" };
  const readBody = (disableBodyPruning: boolean) =>
    readOld(request, { protocolProfileBehavior: { disableBodyPruning } }).interactions[0]?.request
      .body;
  assert.deepEqual(readBody(true), new TextEncoder().encode("text"));
  assert.equal(readBody(false), undefined);
});

Deno.test("POSTMAN reads version 1.0 collections", () => {
  const collection = {
    id: "c",
    name: "old",
    order: ["r2", "r1"],
    folders: [
      { id: "f", order: ["r2"], folders_order: ["g"], auth: { type: "noauth" } },
      { id: "g", order: ["r3"] },
    ],
    requests: [
      {
        id: "r1",
        method: "POST",
        url: "http://localhost/:id",
        headers: "X-A: 1\n// X-B: 2\n",
        pathVariables: { id: 7 },
        dataMode: "raw",
        data: "text",
        currentHelper: "basicAuth",
        helperAttributes: { id: "basic", username: "u", password: "p" },
      },
      {
        id: "r2",
        url: URL_A,
        dataMode: "params",
        data: [{ key: "f", type: "file", value: "n.png" }],
      },
      {
        id: "r3",
        method: "POST",
        url: URL_A,
        dataMode: "binary",
        rawModeData: "n.bin",
        responses: [{ responseCode: { code: 204 }, time: 5, requestObject: "{broken" }],
      },
      { id: "r4" },
    ],
  };
  const { interactions, warnings } = readAs(POSTMAN, collection, "c.json");
  assert.deepEqual(interactions, [
    {
      request: {
        method: "POST",
        url: "http://localhost/7",
        headers: { "X-A": "1", "Authorization": "Basic dTpw", "Content-Type": "text/plain" },
        body: new TextEncoder().encode("text"),
      },
    },
    { request: { method: "GET", url: URL_A, headers: {} }, visibility: NO_REQUEST_HEADERS },
    {
      request: { method: "POST", url: URL_A, headers: {}, body_truncated: true },
      response: { status_code: 204, elapsed: 0.005 },
      visibility: NO_REQUEST_HEADERS,
    },
  ]);
  assert.deepEqual(warnings, [
    "c.json: a body with a file counts as not recorded, since only the name of the file is known (at " +
    "requests[2].responses[0]).",
    "c.json: a request without a URL is left out (at requests[3]).",
  ]);
});

Deno.test("POSTMAN counts entries that it can't use", () => {
  const item = [{ request: URL_A }, { name: "x" }, null, { request: { url: "" } }];
  const { interactions, warnings } = read({ item });
  assert.equal(interactions.length, 1);
  assert.deepEqual(warnings, [
    "c.json: a request without a URL is left out (3 times, first at item[1]).",
  ]);
});

Deno.test("folders that nest too deeply are left out with a warning", () => {
  let folder: object = { request: URL_A };
  for (let level = 0; level < 10_000; level++) folder = { item: [folder] };
  const { interactions, warnings } = read({ item: [folder, { request: URL_A }] });
  assert.equal(interactions.length, 1);
  assert.match(warnings[0] ?? "", /a request without a URL is left out \(at item\[0\]\.item/);
});

Deno.test("POSTMAN combines a version 1.0 response with the request that it was saved with", () => {
  const saved = { method: "POST", url: "http://localhost/saved" };
  const readRequests = (response: object) =>
    readOld({ method: "GET", url: URL_A, responses: [response] })
      .interactions.map(({ request }) => `${request.method} ${request.url}`);
  const responseCode = { code: 200 };
  assert.deepEqual(readRequests({ responseCode, request: saved }), ["POST http://localhost/saved"]);
  assert.deepEqual(readRequests({ responseCode, requestObject: JSON.stringify(saved) }), [
    "POST http://localhost/saved",
  ]);
  assert.deepEqual(readRequests({ responseCode }), [`GET ${URL_A}`]);
});

Deno.test("secret variables may be numbers", () => {
  const variable = [{ key: "pin", value: 12345678, type: "secret" }, { key: "token", value: 4711 }];
  const { request } = sent(`${URL_A}?x={{pin}}`, { variable });
  assert.equal(request.url, `${URL_A}?x=12345678`);
  assert.deepEqual(knownSecrets(request), ["12345678", "4711"]);
});
