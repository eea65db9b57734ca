import assert from "node:assert/strict";
import type { Interaction } from "../../../../src/http/interaction.ts";
import { NEWMAN } from "../../../../src/traffic/formats/newman/newman.ts";
import { POSTMAN } from "../../../../src/traffic/formats/postman/postman.ts";
import { receivedText, recordingJson, sentText, withoutContent } from "../../recordings.ts";
import { readAs, type WholeRecording } from "../../read_all.ts";

const NAME = "bookshop.newman-run.json";

function readFile(): WholeRecording {
  const value = recordingJson(`postman/${NAME}`);
  assert.equal(NEWMAN.recognize(value), true);
  return readAs(NEWMAN, value, NAME);
}

function headersOf({ request }: Interaction): Record<string, string> {
  return request.headers as Record<string, string>;
}

Deno.test("NEWMAN reads every execution as it was sent", () => {
  const { interactions, warnings } = readFile();
  assert.equal(interactions.length, 24);
  assert.deepEqual(warnings, [
    `${NAME}: a body with a file counts as not recorded, since only the name of the file is known ` +
    "(2 times, first at run.executions[7]).",
  ]);
  assert.deepEqual(withoutContent(interactions[0]), {
    request: {
      method: "GET",
      url:
        "http://127.0.0.1:8901/api/v1/books?genre=poetry&genre=novel&sort=-price&q=lem%20&%20co&page",
      headers: {
        "X-Request-Id": "abcdef01-2345",
        "Cookie": "session=longenough",
        "Authorization": "Basic YW5uOnNlY3JldA==",
        "User-Agent": "PostmanRuntime/7.39.1",
        "Accept": "*/*",
        "Cache-Control": "no-cache",
        "Postman-Token": "c72a8adb-bcd5-410d-bbf7-799b7de11b24",
        "Host": "127.0.0.1:8901",
        "Accept-Encoding": "gzip, deflate, br",
        "Connection": "keep-alive",
      },
    },
    response: { status_code: 422, elapsed: 0.021 },
  });
});

Deno.test("NEWMAN makes bodies of the length that was sent", () => {
  for (const interaction of readFile().interactions) {
    const length = Number(headersOf(interaction)["Content-Length"] ?? 0);
    const { body, body_truncated } = interaction.request;
    if (body_truncated !== true) assert.equal(body?.length ?? 0, length, interaction.request.url);
  }
});

Deno.test("NEWMAN names the media types that Newman leaves out", () => {
  const { interactions } = readFile();
  const [cover, login] = [interactions[8], interactions[12]];
  assert.ok(cover && login);
  assert.equal(headersOf(cover)["Content-Type"], "multipart/form-data");
  assert.equal(cover.request.body_truncated, true);
  assert.equal(headersOf(login)["Content-Type"], "application/x-www-form-urlencoded");
  assert.equal(
    sentText(login),
    "username=%C5%81ucja%20%26%20co&password=secret&scope=read&scope=write",
  );
});

Deno.test("NEWMAN has no response where the connection was refused", () => {
  const { interactions } = readFile();
  assert.deepEqual(interactions.filter(({ response }) => response === undefined), [
    interactions[22],
  ]);
  assert.equal(interactions[22]?.request.url, "http://127.0.0.1:9/x");
});

Deno.test("POSTMAN makes the requests of a collection that Newman really sent", () => {
  const variables = { word: "lem & co", pw: "secret", token: "abc", stamp: "abcdef01-2345" };
  const collection = recordingJson("postman/bookshop.v2.1.0.json");
  const made = readAs(POSTMAN, collection, "bookshop.v2.1.0.json", {
    values: { environment: variables },
  }).interactions;
  // What a client adds by itself.
  const added =
    /^(?:accept|accept-encoding|cache-control|connection|content-length|cookie|host|postman-token|user-agent)$/i;
  // Where dynamic variables had other values.
  const dynamic = { title: /"title": "[^"]*"/, isbn: /"isbn": "978\d{10}"/ };
  const comparable = ({ visibility: _, ...interaction }: Interaction) => ({
    ...interaction,
    request: {
      ...interaction.request,
      headers: Object.fromEntries(
        Object.entries(headersOf(interaction)).filter(([name]) => !added.test(name)).map((
          [name, value],
        ) => [name, name === "Idempotency-Key" ? value.length : value]),
      ),
      body: sentText(interaction)?.replace(dynamic.title, "title").replace(dynamic.isbn, "isbn"),
    },
    response: interaction.response && {
      ...interaction.response,
      body: receivedText(interaction.response),
    },
  });
  assert.deepEqual(made.map(comparable), readFile().interactions.map(comparable));
});

Deno.test("NEWMAN keeps the body of a GET request that was sent with one", () => {
  const request = { method: "GET", url: "http://localhost/a", body: { mode: "raw", raw: "{{x}}" } };
  const header = [{ key: "Content-Length", value: "5" }];
  const run = { executions: [{ request: { ...request, header } }, { request }] };
  const { interactions } = readAs(NEWMAN, { run }, "r.json");
  assert.equal(sentText(interactions[0]), "{{x}}");
  assert.equal(interactions[1]?.request.body, undefined);
});

Deno.test("NEWMAN counts executions without a request", () => {
  const run = { executions: [{ request: { url: "http://localhost/a" } }, { item: {} }, null] };
  const { interactions, warnings } = readAs(NEWMAN, { run }, "r.json");
  assert.deepEqual(interactions, [
    { request: { method: "GET", url: "http://localhost/a", headers: {} } },
  ]);
  assert.deepEqual(warnings, [
    "r.json: an execution without a request (a skipped one) is left out (2 times, first at " +
    "run.executions[1]).",
  ]);
  assert.equal(NEWMAN.recognize({ run: {} }), false);
});
