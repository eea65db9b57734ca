import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Report } from "../../src/report/report.ts";
import { main } from "../../src/cli/main.ts";
import { fakeHost } from "../cli/fake_host.ts";
import { type RunningCommand, startCommand } from "../cli/running_command.ts";
import { SESSION_CLIENTS } from "./clients/session_clients.ts";
import {
  type SeenRequest,
  type SessionOrigin,
  startSessionOrigin,
} from "./clients/session_origin.ts";
import {
  SESSION_DESCRIPTION,
  type SessionAnswer,
  sessionRequests,
} from "./clients/session_requests.ts";
import { needing } from "../requirement.ts";
import { writeJson } from "../in_folder.ts";

/** Response fields that concern one connection, one moment or one version of HTTP. */
const HOP_BY_HOP =
  /^(?:date|connection|keep-alive|proxy-connection|transfer-encoding|upgrade|alt-svc)$/;

function endToEnd(answers: readonly SessionAnswer[]): unknown {
  return answers.map(({ headers, ...answer }) => ({
    ...answer,
    headers: headers.filter(([name]) => !HOP_BY_HOP.test(name)),
  }));
}

/** The request in a line of a traffic file. */
function readRecorded(line: string): unknown {
  const { request, response } = JSON.parse(line);
  const body = request.body_base64 === undefined
    ? new TextEncoder().encode(request.body ?? "")
    : Uint8Array.from(atob(request.body_base64), (unit) => unit.charCodeAt(0));
  return {
    method: request.method,
    path: request.url.replace(/^\w+:\/\/[^/]+/, ""),
    sha: createHash("sha256").update(body).digest("hex"),
    status: response?.status_code,
  };
}

/** A report without its time. */
function timeless(report: string): Report {
  return JSON.parse(report, (key, value) => key === "generated_at" ? undefined : value);
}

/** A request as its client sent it, without the field that the proxy adds to recognize its own requests. */
function withoutMark(request: SeenRequest): SeenRequest {
  const fields = request.fields.filter((field) => !/^via: 1\.1 covtool-[\w-]+$/.test(field));
  assert.equal(fields.length, request.fields.length - 1, request.fields.join("\n"));
  return { ...request, fields };
}

let origin: SessionOrigin;
let proxy: RunningCommand;
let requestsFile: string;
const folder = await Deno.makeTempDir({ prefix: "covtool-session" });
const requests = sessionRequests();
/** Requests of all clients that reached the server through the proxy. */
const passed: SeenRequest[] = [];
/** Number of requests that match an operation. Six per session go to undocumented paths. */
let described = 0;

// All clients use the same proxy in turn.
Deno.test.beforeAll(async () => {
  origin = startSessionOrigin();
  requestsFile = `${folder}/requests.json`;
  await writeJson(requestsFile, requests);
  await writeJson(`${folder}/openapi.json`, SESSION_DESCRIPTION);
  await Deno.writeTextFile(`${folder}/origin.pem`, origin.authority);
  proxy = startCommand(folder, [
    ...["proxy", "openapi.json", "-p", "0", "--insecure", "--export-ca", `${folder}/ca.pem`],
    ...["--save-traffic", "traffic.jsonl", "--format", "json=report.json"],
  ]);
  await proxy.said(/Ctrl\+C to stop/);
});

Deno.test.afterAll(async () => {
  try {
    proxy.child.kill();
  } catch {
    // The last test has already ended the proxy.
  }
  await proxy.exitCode();
  await origin[Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
});

for (const client of SESSION_CLIENTS) {
  Deno.test({
    ...needing(client.requirement, `${client.name} gets the same responses through the proxy`),
    async fn() {
      const variables = Object.fromEntries(
        [...proxy.err().matchAll(/^ {2}export (\w+)='?(.*?)'?$/gm)].map(([, name, value]) => [
          name ?? "",
          value ?? "",
        ]),
      );
      const trusted = `${folder}/origin.pem`;
      const direct = Object.fromEntries(
        Object.keys(variables).map((
          name,
        ) => [name, /_(?:CERTS?|FILE|BUNDLE|CAINFO)$/.test(name) ? trusted : ""]),
      );
      await using ending = new AsyncDisposableStack();
      ending.defer(() => client.close?.());
      const authorities = [origin.authority, await Deno.readTextFile(`${folder}/ca.pem`)];
      for (const scheme of client.schemes) {
        const run = { base: origin[scheme], requests, requestsFile, folder, authorities };
        // Discards requests of a client that failed before.
        origin.takeSeen();
        const without = await client.run({
          ...run,
          variables: direct,
          proxy: undefined,
        });
        const seenWithout = origin.takeSeen();
        const through = await client.run({
          ...run,
          variables,
          proxy: variables["HTTP_PROXY"],
        });
        const seenThrough = origin.takeSeen().map(withoutMark);
        passed.push(...seenThrough);
        // Redirected requests are followed by another one.
        described += requests.length + 2 - 6;
        assert.equal(without.length, requests.length);
        assert.deepEqual(endToEnd(through), endToEnd(without));
        assert.deepEqual(seenThrough, seenWithout);
        assert.equal(seenThrough.length, requests.length + 2 + (client.more ?? 0));
      }
    },
  });
}

Deno.test("all requests through the proxy are recorded and counted", async () => {
  await proxy.interrupt();
  const traffic = await Deno.readTextFile(`${folder}/traffic.jsonl`);
  assert.doesNotMatch(traffic, /covtool-/);
  assert.deepEqual(
    traffic.trimEnd().split("\n").map(readRecorded),
    passed.map(({ method, path, sha, status }) => ({ method, path, sha, status })),
  );
  const live = timeless(await Deno.readTextFile(`${folder}/report.json`));
  assert.equal(live.traffic.matched, described);
  const host = fakeHost();
  const args = ["report", `${folder}/openapi.json`, `${folder}/traffic.jsonl`];
  assert.equal(await main([...args, "--format", "json"], host), 0, host.err());
  const again = timeless(host.out());
  assert.deepEqual({ ...again, schema: null }, { ...live, schema: null });
});
