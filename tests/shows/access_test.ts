// Tests examples/access-fastify, whose API has three faults in its access control, with four kinds of recordings.
import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { library } from "../../examples/access-fastify/library.js";
import type { Interaction } from "../../mod.ts";
import { createProxy } from "../../src/proxy/create_proxy.ts";
import type { Proxy } from "../../src/proxy/proxy_options.ts";
import { readConfig } from "../../src/run/config/read_config.ts";
import type { Report } from "../../src/report/report.ts";
import { succeeds } from "../command_end.ts";
import { runCovtool } from "../cli/fake_host.ts";
import { inFolder } from "../in_folder.ts";

const EXAMPLE = new URL("../../examples/access-fastify/", import.meta.url).pathname;
const CONFIG = `${EXAMPLE}covtool.yaml`;

/** Runs the API, and sends the example's requests to the URL that `through` returns. */
async function sendAll(through: (url: string) => Promise<string> | string): Promise<Interaction[]> {
  const app = Fastify();
  app.register(library);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const server = await through(`http://127.0.0.1:${port}`);
  const interactions: Interaction[] = [];
  const call = async (name: string | undefined, request: string, book?: string): Promise<void> => {
    const [method = "", path = ""] = request.split(" ");
    const headers = {
      accept: "*/*",
      ...(name !== undefined && { "x-api-key": `key-of-${name}` }),
      ...(book !== undefined && { "content-type": "application/json" }),
    };
    const body = book === undefined ? {} : { body: JSON.stringify({ book }) };
    const answer = await fetch(server + path, { method, headers, ...body });
    interactions.push({
      request: { method, url: `http://localhost:8080${path}`, headers, ...body },
      response: {
        status_code: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: await answer.text(),
      },
    });
  };
  const everybody = [undefined, "ann", "ben", "lea", "root"];
  try {
    for (const name of everybody) await call(name, "POST /loans", "Momo");
    for (const name of everybody) await call(name, "GET /loans/1");
    for (const name of [undefined, "ben", "ann"]) await call(name, "DELETE /loans/1");
    for (const name of [undefined, "ann", "lea", "root"]) await call(name, "GET /reports/loans");
    for (const name of everybody) await call(name, "DELETE /readers/zoe");
  } finally {
    await app.close();
  }
  return interactions;
}

function pairs(headers: unknown): readonly { readonly name: string; readonly value: string }[] {
  return Object.entries(headers as Record<string, string>).map(([name, value]) => ({
    name,
    value,
  }));
}

/** Writes a recording in a format. Returns the name and text of the file. */
const WAYS: Readonly<Record<string, (all: readonly Interaction[]) => readonly [string, string]>> = {
  HAR: (all) => [
    "traffic.har",
    JSON.stringify({
      log: {
        version: "1.2",
        creator: { name: "test", version: "1" },
        entries: all.map(({ request, response }) => ({
          startedDateTime: "2026-01-31T12:00:00Z",
          request: {
            ...{ method: request.method, url: request.url, httpVersion: "HTTP/1.1" },
            headers: pairs(request.headers),
            queryString: [],
            ...(request.body !== undefined && {
              postData: { mimeType: "application/json", text: request.body },
            }),
          },
          response: {
            ...{ status: response?.status_code, statusText: "", httpVersion: "HTTP/1.1" },
            headers: pairs(response?.headers),
            content: { mimeType: "application/json", text: response?.body },
          },
        })),
      },
    }),
  ],
  cassette: (all) => [
    "traffic.yaml",
    JSON.stringify({
      version: 1,
      interactions: all.map(({ request, response }) => ({
        request: {
          ...{ method: request.method, uri: request.url, body: request.body ?? null },
          headers: Object.fromEntries(
            pairs(request.headers).map(({ name, value }) => [name, [value]]),
          ),
        },
        response: {
          status: { code: response?.status_code, message: "" },
          headers: Object.fromEntries(
            pairs(response?.headers).map(({ name, value }) => [name, [value]]),
          ),
          body: { string: response?.body },
        },
      })),
    }),
  ],
  recorder: (all) => [
    "traffic.ndjson",
    [{ covtool: 1, recorder: "test 1", shows: { time: false } }, ...all]
      .map((line) => JSON.stringify(line) + "\n").join(""),
  ],
};

/** The report's access findings, with the identities. */
async function found(recording: string): Promise<readonly string[]> {
  const { out } = await succeeds(runCovtool([
    ...["report", `${EXAMPLE}openapi.yaml`, recording, "--config", CONFIG, "--format", "json"],
  ]));
  const { findings = [], access } = JSON.parse(out) as Report;
  assert.equal(access?.hidden, undefined);
  return findings.map((finding) =>
    "identity" in finding
      ? `${finding.identity} ${finding.method} ${finding.path} ${
        finding.foreign_object ?? "anything"
      } ${finding.owner ?? ""}`.trim()
      : finding.kind
  );
}

const FAULTS = [
  "ben GET /loans/{id} read ann",
  "ann GET /reports/loans anything",
  "librarian DELETE /readers/{name} anything",
];

for (const [name, write] of Object.entries(WAYS)) {
  Deno.test(`a ${name} shows the three faults of the example, and nothing else`, async () => {
    const [file, text] = write(await sendAll((url) => url));
    await inFolder({ [file]: text }, async (folder) => {
      assert.deepEqual(await found(`${folder}/${file}`), FAULTS);
    });
  });
}

Deno.test("the proxy's recording shows the three faults of the example, with masked credentials", () =>
  inFolder({}, async (folder) => {
    const { identities } = readConfig(CONFIG);
    const saveTraffic = `${folder}/traffic.jsonl`;
    let proxy: Proxy | undefined;
    try {
      await sendAll(async (reverse) => {
        const files = { saveTraffic, dataFolder: folder };
        proxy = await createProxy({ record: () => {} }, { port: 0, reverse, identities, ...files });
        return proxy.url;
      });
    } finally {
      await proxy?.close();
    }
    assert.ok(!(await Deno.readTextFile(saveTraffic)).includes("key-of-"));
    assert.deepEqual(await found(saveTraffic), FAULTS);
  }));
