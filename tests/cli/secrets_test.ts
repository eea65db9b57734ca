import assert from "node:assert/strict";
import { request as send } from "node:http";
import type { HttpRequest } from "../../src/http/interaction.ts";
import { echo, startServer } from "../proxy/test_server.ts";
import { DESCRIPTION, PLANTED, type PlantedSecret } from "../redact/planted_secrets.ts";
import { secretsIn } from "../redact/secrets_in.ts";
import { type Ended, runCovtool } from "./fake_host.ts";
import { startCommand } from "./running_command.ts";
import { inWorkingFolder, writeJson } from "../in_folder.ts";

/** Parts of URLs that clients don't send: a fragment stays in the browser, and credentials become a header. */
const OF_RECORDINGS = /#|\/\/[^/]*@/;

async function withSecrets(run: (folder: string) => Promise<void>): Promise<void> {
  const interactions = PLANTED.map(({ request }) => ({ request, response: { status_code: 200 } }));
  await inWorkingFolder({ "openapi.json": DESCRIPTION, "in.json": { interactions } }, run);
}

function placesIn(text: string, planted: readonly PlantedSecret[] = PLANTED): string[] {
  return secretsIn(text, planted);
}

async function run(args: string): Promise<Ended> {
  return await runCovtool(args, { variables: { COLUMNS: "1000" } });
}

Deno.test("unmatched requests that differ only in secrets are one, masked or not", () =>
  withSecrets(async () => {
    const urls = ["/reset/8f14e45fceea167a", "/reset/45c48cce2e2d7fbd", "/v1/reset/a1/books"];
    await writeJson("in.json", {
      interactions: urls.map((url) => ({ request: { method: "GET", url } })),
    });
    await run("convert in.json -o out.json");
    for (const file of ["in.json", "out.json"]) {
      const { out } = await run(`report openapi.json ${file} --format json`);
      const { unmatched, unmatched_total } = JSON.parse(out);
      assert.equal(unmatched_total, 3);
      assert.deepEqual(
        unmatched.map(({ path, count }: { path: string; count: number }) => [path, count]),
        [["/reset/***", 2], ["/v1/reset/a1/books", 1]],
        file,
      );
    }
  }));

Deno.test("a base path with a secret is not suggested, and another one is", () =>
  withSecrets(async () => {
    const suggested = async (prefix: string): Promise<unknown> => {
      const interactions = [1, 2, 3].map(() => ({
        request: { method: "GET", url: `http://localhost${prefix}/books` },
      }));
      await writeJson("in.json", { interactions });
      const { out } = await run("report openapi.json in.json --format json");
      return JSON.parse(out).suggested_base_path;
    };
    assert.equal(await suggested("/api/v1"), "/api/v1");
    assert.equal(await suggested("/t/kJ8s7Df9sLq2Wm4Xz1Rt6Yb3Qp"), null);
  }));

Deno.test("the proxy's recording, output, page and reports contain no secret", async () => {
  await using server = await startServer(echo);
  await withSecrets(async (folder) => {
    const proxy = startCommand(folder, [
      ...["proxy", "openapi.json", "-p", "0", "-v", "--export-ca", "ca.pem"],
      ...["--reverse", `http://127.0.0.1:${server.port}`, "--save-traffic", "traffic.jsonl"],
      ...["--format", "json=report.json"],
    ]);
    const url = await proxy.said(/(http:\S+) forwards to/);
    const sent = PLANTED.filter(({ request }) => !OF_RECORDINGS.test(request.url));
    for (const { request } of sent) await sendTo(url, request);
    const page = await proxy.said(/Live report: (http:\S+)/);
    const live = await (await fetch(new URL("report", page))).text();
    await proxy.interrupt();
    const traffic = await Deno.readTextFile("traffic.jsonl");
    assert.equal(traffic.trimEnd().split("\n").length, sent.length);
    assert.deepEqual(placesIn(traffic, sent), []);
    assert.deepEqual(placesIn(live, sent), []);
    assert.deepEqual(placesIn(proxy.err(), sent), []);
    assert.deepEqual(placesIn(await Deno.readTextFile("report.json"), sent), []);
    assert.match(
      proxy.err(),
      /Traffic: traffic\.jsonl \(secrets are masked; --no-redact keeps them\)\n/,
    );
  });
});

Deno.test("--save-traffic --no-redact keeps secrets, in a file that only its owner can read", async () => {
  await using server = await startServer(echo);
  await withSecrets(async (folder) => {
    // A file that everybody could read before.
    await Deno.writeTextFile("traffic.jsonl", "", { mode: 0o644 });
    const proxy = startCommand(folder, [
      ...["proxy", "openapi.json", "-p", "0", "--export-ca", "ca.pem"],
      ...["--reverse", `http://127.0.0.1:${server.port}`],
      ...["--save-traffic", "traffic.jsonl", "--no-redact"],
    ]);
    const url = await proxy.said(/(http:\S+) forwards to/);
    await sendTo(url, { method: "GET", url: "/books?token=planted", headers: { Cookie: "a=b1" } });
    await proxy.interrupt();
    const traffic = await Deno.readTextFile("traffic.jsonl");
    assert.match(traffic, /token=planted.*a=b1/);
    assert.equal(((await Deno.stat("traffic.jsonl")).mode ?? 0) & 0o777, 0o600);
    assert.match(proxy.err(), /Traffic: traffic\.jsonl \(secrets are kept\)\n/);
  });
});

Deno.test("errors don't quote passwords and tokens", () =>
  withSecrets(async () => {
    const proxy = ["proxy", "openapi.json", "-p", "0", "--export-ca", "ca.pem"];
    for (
      const args of [
        [...proxy, "--upstream-proxy", "ftp://ann:planted-e1@proxy.example"],
        [...proxy, "--upstream-proxy", "ann:planted-e1@proxy.example:port"],
        [...proxy, "--upstream-proxy", "http://proxy.example:3128:planted-e1"],
        [...proxy, "--reverse", "ftp://ann:planted-e1@server.example"],
        [...proxy, "--reverse", "http://ann:planted-e1@server.example/?a"],
        [...proxy, "--intercept", "ann:planted-e1@server.example"],
        ["report", "http://ann:planted-e1@127.0.0.1:9/openapi.json", "in.json"],
        ["report", "http://127.0.0.1:9/openapi.json?token=planted-e1", "in.json"],
        ["report", "http://127.0.0.1:9/openapi.json", "-x", "https://ann:planted-e1@a.example/"],
        [
          ...["report", "openapi.json", "in.json"],
          ...["--base-path", "https://ann:planted-e1@api.example/v1?a"],
        ],
        ["convert", "./https://ann:planted-e1@a.example/in.har"],
        ["report", "http:/ann:planted-e1@a.example/openapi.json", "in.json"],
        ["report", "ann:planted-e1@a.example/openapi.json", "in.json"],
        ["report", "openapi.json", "in.json?token=planted-e1"],
        ["probe", "openapi.json", "--server", "http://a.example", "--rate", "pw=planted-e1"],
        ["probe", "openapi.json", "--server", "http://ann:planted-e1@a.example"],
        ["probe", "openapi.json", "--header", "Authorization Bearer planted-e1"],
        ["probe", "openapi.json", "--heder=Authorization: Bearer planted-e1"],
      ]
    ) {
      const { code, err } = await runCovtool(args, { variables: { XDG_DATA_HOME: "data" } });
      assert.equal(code, 1, args.join(" "));
      assert.match(err, /^Error: /);
      assert.doesNotMatch(err, /planted|itself failed|Internal error/, args.join(" "));
    }
  }));

Deno.test("the password of an upstream proxy may contain a %", async () => {
  await using server = await startServer(echo);
  await withSecrets(async (folder) => {
    const proxy = startCommand(folder, [
      ...["proxy", "openapi.json", "-p", "0", "--export-ca", "ca.pem"],
      ...["--upstream-proxy", `http://ann:100%@127.0.0.1:${server.port}`],
    ]);
    await proxy.said(/The proxy listens on/);
    await proxy.interrupt();
  });
});

Deno.test("a report doesn't contain credentials and tokens from the description's URL", async () => {
  const server = Deno.serve(
    { port: 0, onListen: () => {} },
    ({ url }) =>
      url.includes("common") ? new Response("", { status: 404 }) : Response.json({
        ...DESCRIPTION,
        components: { schemas: { A: { $ref: "common.json?token=planted-ref" } } },
      }),
  );
  try {
    await withSecrets(async () => {
      const schema =
        `http://ann:planted-pw@127.0.0.1:${server.addr.port}/api.json?token=planted-token`;
      const { code, out: report, err } = await run(
        `report ${schema} in.json --format json --allow-remote-refs`,
      );
      assert.equal(code, 0, err);
      assert.doesNotMatch(report + err, /planted-(?:pw|token|ref)/);
      const { out } = await run(
        "report openapi.json in.json --format json --base-path http://ann:planted-pw@localhost:8901",
      );
      assert.equal(JSON.parse(out).schema.base_path, "http://aaa:aaaaaaa-aa@localhost:8901");
      assert.ok(JSON.parse(out).traffic.matched > 0);
    });
  } finally {
    await server.shutdown();
  }
});

function sendTo(base: string, { method, url, headers, body }: HttpRequest): Promise<void> {
  const { hostname, port } = new URL(base);
  const path = url.replace(/^http:\/\/[^/?#]+/, "");
  return new Promise((resolve, reject) => {
    const request = send(
      { hostname, port, method, path, headers: headers as Record<string, string>, agent: false },
      (response) => {
        response.resume();
        response.on("end", resolve);
      },
    );
    request.on("error", reject);
    request.end(body ?? undefined);
  });
}
