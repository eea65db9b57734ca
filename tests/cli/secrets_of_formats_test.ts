import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { main } from "../../src/cli/main.ts";
import { REPORT_FORMATS } from "../../src/report/reporters.ts";
import { SUGGESTION_FORMATS } from "../../src/suggest/formats/suggestion_formats.ts";
import { CoverageMap } from "../../src/coverage_map/coverage_map.ts";
import {
  PLANTED_INTERACTIONS,
  PLANTED_RECORDINGS,
  type PlantedRecording,
} from "../redact/planted_recordings.ts";
import { ODD_SECRETS } from "../redact/odd_secrets.ts";
import { OPEN_DESCRIPTION, PLANTED, PLANTED_IN_RESPONSES } from "../redact/planted_secrets.ts";
import { secretsIn } from "../redact/secrets_in.ts";
import type { HttpRequest, HttpResponse, Interaction } from "../../src/http/interaction.ts";
import { fakeHost } from "./fake_host.ts";
import { inFolder } from "../in_folder.ts";

const ALL = [...PLANTED, ...PLANTED_IN_RESPONSES];

/** Logs have few places for secrets, and most in their queries are never kept. */
const LEAST = 5;

async function withDescription(run: (folder: string) => Promise<void>): Promise<void> {
  await inFolder({ "openapi.json": OPEN_DESCRIPTION }, run);
}

async function write(folder: string, { name, content }: PlantedRecording): Promise<string> {
  const path = `${folder}/${name}`;
  await Deno.writeFile(
    path,
    typeof content === "string" ? new TextEncoder().encode(content) : content,
  );
  return path;
}

async function run(args: readonly string[], stdin = ""): Promise<{ out: string; err: string }> {
  const host = fakeHost({ variables: { COLUMNS: "1000" }, stdin });
  const code = await main(args, host);
  assert.equal(code, 0, `${args.join(" ")}\n${host.err()}`);
  return { out: host.out(), err: host.err() };
}

/** Everything that a command said and wrote to the files of its formats. */
async function written(
  args: readonly string[],
  formats: readonly string[],
  folder: string,
): Promise<string> {
  const { out, err } = await run([
    ...args,
    ...formats.flatMap((format) => ["--format", `${format}=${folder}/out.${format}`]),
  ]);
  const files = formats.map((format) => {
    const text = Deno.readTextFileSync(`${folder}/out.${format}`);
    assert.ok(text.length > 0, format);
    Deno.removeSync(`${folder}/out.${format}`);
    return text;
  });
  return [out, err, ...files].join("\n");
}

for (const recording of PLANTED_RECORDINGS) {
  const { format, name, content, options = [], requests } = recording;
  const all = [...REPORT_FORMATS];

  Deno.test(`${format}: no secret gets into traffic, reports, hits, suggestions and comparisons`, () =>
    withDescription(async (folder) => {
      const schema = `${folder}/openapi.json`;
      const path = await write(folder, recording);
      const traffic = await run(["convert", path, "--schema", schema, ...options]);
      assert.ok(traffic.out.trim().split("\n").length >= requests, traffic.err);
      const kept = await run(["convert", path, "--no-redact", ...options]);
      assert.ok(secretsIn(kept.out, ALL).length >= LEAST, `${secretsIn(kept.out, ALL).length}`);
      const inputs = [path, ...options];
      const texts = {
        convert: traffic.out + traffic.err,
        report: await written(["report", schema, ...inputs], all, folder),
        text: (await run([
          ...["report", schema, ...inputs, "--format", "text", "--show-missing", "all"],
          ...["--show", "undocumented-properties", "--tcl"],
        ])).out,
        suggest: JSON.stringify(
          await run(["suggest", schema, ...inputs, "--server", "http://a", "--format", "json"]),
        ),
        compare: await written(
          ["compare", schema, "--tests", path, "--production", path, ...options],
          ["html", "json", "text", "markdown"],
          folder,
        ),
        record: /\.(?:jsonl|log)$/.test(name) && typeof content === "string"
          ? JSON.stringify(await run(["record-hits", schema, ...options], content))
          : "",
      };
      for (const [command, text] of Object.entries(texts)) {
        assert.deepEqual(secretsIn(text, ALL), [], command);
      }
    }));
}

Deno.test("suggestions made of a request have none of its secrets, in any format", () => {
  let reused = 0;
  for (const { request, response } of PLANTED_INTERACTIONS) {
    const map = CoverageMap.fromDict(OPEN_DESCRIPTION, { keepRequests: true });
    map.record(request, response);
    const suggestions = map.suggestRequests({ server: undefined });
    reused += suggestions.requests.filter(({ based_on }) => based_on === "recorded").length;
    for (const { name, write } of SUGGESTION_FORMATS) {
      const text = write(suggestions, "next");
      assert.deepEqual(secretsIn(text, ALL), [], `${name} of ${request.method} ${request.url}`);
    }
  }
  assert.ok(reused > 60, String(reused));
});

Deno.test("ids that answers show are not suggested where they are secrets", () => {
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

Deno.test("no odd secret gets into traffic, reports, hits and suggestions", () =>
  withDescription(async (folder) => {
    const schema = `${folder}/openapi.json`;
    const path = `${folder}/odd.jsonl`;
    const written = ODD_SECRETS.map(({ interaction }) => withBase64(interaction));
    await Deno.writeTextFile(path, written.map((one) => `${JSON.stringify(one)}\n`).join(""));
    const kept = await run(["convert", path, "--no-redact"]);
    const places = oddSecretsIn(kept.out);
    assert.ok(places.length > 400, String(places.length));
    const convert = await run(["convert", path, "--schema", schema]);
    assert.equal(JSON.parse(convert.out).interactions.length, ODD_SECRETS.length);
    assert.deepEqual(oddSecretsIn(convert.out + convert.err), []);
    for (const format of REPORT_FORMATS) {
      const { out, err } = await run(["report", schema, path, "--format", format]);
      // The names of tests stay in reports, as docs/secrets.md says.
      assert.deepEqual(oddSecretsIn(out + err).filter((place) => !/test$/.test(place)), [], format);
    }
    const suggest = await run([
      "suggest",
      schema,
      path,
      "--server",
      "http://a",
      "--format",
      "json",
    ]);
    assert.deepEqual(oddSecretsIn(suggest.out + suggest.err), []);
  }));

function oddSecretsIn(text: string): string[] {
  return secretsIn(text, ODD_SECRETS);
}

/** An interaction as a traffic file has it: with bodies in Base64 where they are bytes. */
function withBase64({ request, response, ...rest }: Interaction): unknown {
  const plain = ({ body, ...message }: HttpRequest | HttpResponse): unknown =>
    body instanceof Uint8Array
      ? { ...message, body_base64: Buffer.from(body).toString("base64") }
      : { ...message, body };
  return { ...rest, request: plain(request), ...(response && { response: plain(response) }) };
}
