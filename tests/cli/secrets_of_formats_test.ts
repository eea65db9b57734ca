import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { REPORT_FORMATS } from "../../src/report/reporters.ts";
import { SUGGESTION_FORMATS } from "../../src/suggest/formats/suggestion_formats.ts";
import { CoverageMap } from "../../src/coverage_map/coverage_map.ts";
import { PLANTED_INTERACTIONS, PLANTED_RECORDINGS } from "../redact/planted_recordings.ts";
import { ENVIRONMENT, PLANTED_COLLECTIONS } from "../redact/planted_collections.ts";
import { ODD_SECRETS } from "../redact/odd_secrets.ts";
import { OPEN_DESCRIPTION, PLANTED, PLANTED_IN_RESPONSES } from "../redact/planted_secrets.ts";
import { secretsIn } from "../redact/secrets_in.ts";
import type { HttpRequest, HttpResponse, Interaction } from "../../src/http/interaction.ts";
import { runCovtool } from "./fake_host.ts";
import { inWorkingFolder } from "../in_folder.ts";

const ALL = [...PLANTED, ...PLANTED_IN_RESPONSES];

/** Least secrets in a recording. Logs have few places for secrets, and most in their queries are never kept. */
const LEAST = 5;
/** Most secrets. Traffic files have a place for each. */
const MOST = 51;

async function withDescription(
  run: () => Promise<void>,
  files: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await inWorkingFolder({ "openapi.json": OPEN_DESCRIPTION, ...files }, run);
}

async function run(args: readonly string[], stdin = ""): Promise<string> {
  const { code, out, err } = await runCovtool(args, { variables: { COLUMNS: "1000" }, stdin });
  assert.equal(code, 0, `${args.join(" ")}\n${err}`);
  return out + err;
}

/** Everything that a command printed and wrote to the files of its formats. */
async function written(args: readonly string[], formats: readonly string[]): Promise<string> {
  const said = await run([
    ...args,
    ...formats.flatMap((format) => ["--format", `${format}=out.${format}`]),
  ]);
  const files = formats.map((format) => {
    const text = Deno.readTextFileSync(`out.${format}`);
    assert.ok(text.length > 0, format);
    return text;
  });
  return [said, ...files].join("\n");
}

/** Formats that have all that was read. The page has the same as JSON, but is large. */
const TELLING = ["json", "text", "hits"];

for (const [index, recording] of [...PLANTED_RECORDINGS, ...PLANTED_COLLECTIONS].entries()) {
  const { format, name, content, options = [], requests } = recording;
  const isCollection = PLANTED_COLLECTIONS.includes(recording);
  const secrets = isCollection ? plantedIn(`${content}${JSON.stringify(ENVIRONMENT)}`) : ALL;
  const usual = isCollection ? Math.min(LEAST, plantedIn(`${content}`).length) : LEAST;

  Deno.test(
    `${format}: no secret gets into ${
      index === 0
        ? "traffic, reports, hits, suggestions and comparisons"
        : "traffic, reports and hits"
    }`,
    () =>
      withDescription(async () => {
        const schema = "openapi.json";
        const traffic = await run(["convert", name, "--schema", schema, ...options]);
        assert.ok(traffic.trim().split("\n").length >= requests, traffic);
        const kept = await run(["convert", name, "--no-redact", ...options]);
        const least = index === 0 ? MOST : usual;
        assert.ok(secretsIn(kept, secrets).length >= least, `${secretsIn(kept, secrets).length}`);
        const inputs = [schema, name, ...options];
        const texts: Record<string, string> = {
          convert: traffic,
          report: await written(["report", ...inputs], index === 0 ? REPORT_FORMATS : TELLING),
          record: /\.(?:jsonl|log)$/.test(name) && typeof content === "string"
            ? await run(["record-hits", schema, ...options], content)
            : "",
        };
        if (index === 0) {
          texts["text"] = await run([
            ...["report", ...inputs, "--format", "text", "--show-missing", "all"],
            ...["--show", "undocumented-properties", "--tcl"],
          ]);
          texts["suggest"] = await run([
            ...["suggest", ...inputs, "--server", "http://a", "--format", "json"],
          ]);
          texts["compare"] = await written(
            ["compare", schema, "--tests", name, "--production", name],
            ["html", "json", "text", "markdown"],
          );
        }
        for (const [command, text] of Object.entries(texts)) {
          assert.deepEqual(secretsIn(text, secrets), [], command);
        }
      }, { [name]: content, "env.json": ENVIRONMENT }),
  );
}

/** Secrets that are recognized by their prefix. */
function plantedIn(text: string) {
  return [...new Set(text.match(/planted-[\w-]+/g))].map((secret) => ({ place: secret, secret }));
}

Deno.test("suggestions from a request have none of its secrets, in any format", () => {
  let reused = 0;
  const told = new Set<string>();
  for (const { request, response } of PLANTED_INTERACTIONS) {
    const map = CoverageMap.fromDict(OPEN_DESCRIPTION, { keepRequests: true });
    map.record(request, response);
    const suggestions = map.suggestRequests({ server: undefined });
    const ofRequest = suggestions.requests.filter(({ based_on }) => based_on === "recorded");
    reused += ofRequest.length;
    // All formats are written from what is in JSON. Only the parts made from the request can differ, so the others are
    // searched once.
    const { requests, unreachable, ...others } = suggestions;
    for (const part of [...requests, ...unreachable, others]) {
      const text = JSON.stringify(part);
      if (!told.has(text)) assert.deepEqual(secretsIn(text, ALL), [], request.url);
      told.add(text);
    }
    if (ofRequest.length === 0) continue;
    for (const { name, write } of SUGGESTION_FORMATS) {
      const text = write({ ...suggestions, requests: ofRequest }, "next");
      assert.deepEqual(secretsIn(text, ALL), [], `${name} of ${request.method} ${request.url}`);
    }
  }
  assert.ok(reused > 60, String(reused));
});

Deno.test("secret ids in responses are not suggested", () => {
  const posted = { method: "POST", url: "http://localhost:8901/orders" };
  const listed = { method: "GET", url: "http://localhost:8901/password-reset" };
  const plain = { "Content-Type": "application/json" };
  for (
    const { request, response } of [
      { request: posted, response: { headers: { Location: "/password-reset/planted-reset-200" } } },
      { request: posted, response: { headers: { Location: "/sessions/planted200" } } },
      { request: { ...posted, url: "http://localhost:8901/sessions/planted200" }, response: {} },
      { request: listed, response: { headers: plain, body: '[{"id":"planted200"}]' } },
      {
        request: { ...listed, url: "http://localhost:8901/plans" },
        response: { headers: plain, body: '[{"token":"planted200"}]' },
      },
    ]
  ) {
    const answer = { status_code: 201, ...response };
    for (const keepRequests of [true, "newest"] as const) {
      const map = CoverageMap.fromDict(OPEN_DESCRIPTION, { keepRequests });
      map.record(request, answer);
      const text = JSON.stringify(map.suggestRequests({}));
      assert.ok(text.includes("/sessions/") && text.includes("/plans/"));
      assert.doesNotMatch(text, /planted/, JSON.stringify([request, response]));
    }
  }
});

Deno.test("no unusual secret gets into traffic, reports, hits and suggestions", () =>
  withDescription(async () => {
    const odd = ODD_SECRETS.map(({ interaction }) => JSON.stringify(withBase64(interaction)));
    await Deno.writeTextFile("odd.jsonl", odd.join("\n"));
    const inputs = ["openapi.json", "odd.jsonl"];
    const places = oddSecretsIn(await run(["convert", "odd.jsonl", "--no-redact"]));
    assert.ok(places.length > 400, String(places.length));
    const convert = await run(["convert", "odd.jsonl", "--schema", "openapi.json"]);
    assert.equal(JSON.parse(convert).interactions.length, ODD_SECRETS.length);
    assert.deepEqual(oddSecretsIn(convert), []);
    for (const format of REPORT_FORMATS) {
      const report = await run(["report", ...inputs, "--format", format]);
      // Reports keep the names of tests, as docs/secrets.md says.
      assert.deepEqual(oddSecretsIn(report).filter((place) => !/test$/.test(place)), [], format);
    }
    const suggest = ["suggest", ...inputs, "--server", "http://a", "--format", "json"];
    assert.deepEqual(oddSecretsIn(await run(suggest)), []);
  }));

function oddSecretsIn(text: string): string[] {
  return secretsIn(text, ODD_SECRETS);
}

/** An interaction as in a traffic file, with binary bodies in Base64. */
function withBase64({ request, response, ...rest }: Interaction): unknown {
  const plain = ({ body, ...message }: HttpRequest | HttpResponse): unknown =>
    body instanceof Uint8Array
      ? { ...message, body_base64: Buffer.from(body).toString("base64") }
      : { ...message, body };
  return { ...rest, request: plain(request), ...(response && { response: plain(response) }) };
}
