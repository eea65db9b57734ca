import { Ajv2020 } from "ajv/dist/2020.js";
import assert from "node:assert/strict";
import schema from "../../src/report/gaps.schema.json" with { type: "json" };
import { inWorkingFolder } from "../in_folder.ts";
import { fails, succeeds } from "../command_end.ts";
import { runCovtool } from "./fake_host.ts";
import { jsonContent, shopApi } from "../shop_api.ts";

const DESCRIPTION = shopApi({
  "/books": {
    get: {
      operationId: "listBooks",
      parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 9 } }],
      responses: { 200: { description: "Books" }, 404: { description: "None" } },
    },
    post: {
      requestBody: jsonContent({
        type: "object",
        required: ["title"],
        properties: { title: { type: "string", minLength: 1 } },
      }),
      responses: { 201: { description: "Created" }, 400: { description: "Refused" } },
    },
  },
}, { openapi: "3.0.3", servers: [{ url: "https://shop.example" }] });

const interaction = (method: string, path: string, status_code: number, body?: unknown) => ({
  request: {
    method,
    url: `https://shop.example${path}`,
    ...(body !== undefined && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  },
  response: { status_code },
});

const FIRST = [interaction("GET", "/books?limit=3&token=s3cr3tvalue", 200)];
const LATER = [
  { ...interaction("GET", "/books?limit=10", 400), test: "refuses large pages" },
  interaction("POST", "/books", 201, { title: "Momo" }),
];

async function withShop(test: () => Promise<void>): Promise<void> {
  const files = {
    "openapi.json": JSON.stringify(DESCRIPTION, null, 2),
    "first.json": { interactions: FIRST },
    "later.json": { interactions: LATER },
    "most.json": { interactions: [interaction("GET", "/books?limit=9", 200)] },
  };
  await inWorkingFolder(files, test);
}

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly method: string;
  readonly sentence: string;
  readonly at?: { readonly file: string; readonly line: number };
  readonly path: string;
  readonly state?: string;
  readonly schema_path?: string;
  readonly request?: { readonly method: string; readonly url: string; readonly body?: string };
  readonly request_length?: number;
  readonly same_request_as?: string;
  readonly expects?: readonly string[];
  readonly used?: number;
}

const isValid: (value: unknown) => boolean = new Ajv2020({ strict: false }).compile(schema);

function list(out: string): { readonly total: number; readonly gaps: readonly Listed[] } {
  const json = JSON.parse(out);
  assert.ok(isValid(json), out);
  return json;
}

async function listed(line: string): Promise<ReturnType<typeof list>> {
  return list((await runCovtool(`${line} --format json`)).out);
}

const failing = (gaps: readonly Listed[]): Listed =>
  gaps.find(({ schema_path, state }) => schema_path?.endsWith("/maximum") && state === "invalid")!;

Deno.test("gaps lists the most useful gaps first, with places and closing requests", () =>
  withShop(async () => {
    const { code, out, err } = await runCovtool("gaps openapi.json first.json --format json");
    assert.deepEqual([code, err], [0, ""]);
    const { total, gaps } = list(out);
    assert.equal(total, gaps.length);
    const [first] = gaps;
    assert.equal(first?.sentence, "POST /books: was never called");
    assert.match(first?.at?.file ?? "", /openapi\.json$/);
    const lines = JSON.stringify(DESCRIPTION, null, 2).split("\n");
    assert.equal(first?.at?.line, lines.findIndex((line) => line.includes('"post"')) + 1);
    const maximum = failing(gaps);
    assert.equal(
      maximum.sentence,
      "GET /books: maximum of query limit never failed: send more than 9",
    );
    assert.equal(maximum.request?.url, "https://shop.example/books?limit=10");
    assert.ok(!out.includes("s3cr3tvalue"));
    const text = await runCovtool("gaps openapi.json first.json --limit 1");
    assert.match(text.out, new RegExp(`^The first 1 of ${total} gaps`));
    assert.ok(text.out.includes(`${first?.id}  POST /books: was never called`));
  }));

Deno.test("gaps lists operations first, then parameters with more in them, then the rest", async () => {
  const limit = { type: "integer", minimum: 1, maximum: 9 };
  const parameters = ["a", "b"].map((name) => ({ name, in: "query", schema: limit }));
  const files = {
    "openapi.json": shopApi({
      "/small": { get: { responses: {} } },
      "/first": { get: { responses: { 200: {} } } },
      "/called": { get: { parameters: parameters.slice(0, 1), responses: {} } },
      "/large": { get: { parameters, responses: {} } },
    }),
    "sent.json": {
      interactions: ["/first", "/called?a=5"].map((url) => interaction("GET", url, 404)),
    },
  };
  await inWorkingFolder(files, async () => {
    const { gaps } = await listed("gaps openapi.json sent.json");
    assert.deepEqual(
      gaps.slice(0, 6).map(({ kind, path }) => `${kind.slice(0, 3)} ${path}`),
      ["ope /large", "ope /small", "par /large", "par /large", "res /first", "key /called"],
    );
  });
});

Deno.test("gaps lists gaps without requests, however long the reason is", async () => {
  const long = shopApi({ [`/${"a".repeat(7000)}`]: { get: { responses: { 200: {} } } } });
  await inWorkingFolder({ "openapi.json": long }, async () => {
    const { out } = await runCovtool("gaps openapi.json --kinds responses --format json");
    const { gaps } = list(out);
    assert.deepEqual(gaps.map(({ kind }) => kind), ["response_uncovered"]);
    assert.ok(gaps.every(({ request, request_length }) => !request && !request_length), out);
  });
});

Deno.test("gaps shortens requests and examples so that ten gaps fit into a prompt", async () => {
  const text = { type: "string", maxLength: 6000, example: "e".repeat(7000) };
  const properties = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, text]));
  const body = { requestBody: jsonContent({ type: "object", properties }), responses: {} };
  await inWorkingFolder({
    "openapi.json": shopApi({ "/long": { post: body }, "/short": { get: { responses: {} } } }),
    "sent.json": { interactions: [interaction("POST", "/long", 200, {})] },
  }, async () => {
    const { out } = await runCovtool(
      "gaps openapi.json sent.json --kinds operations,keywords,examples --format json",
    );
    const { gaps } = list(out);
    assert.equal(gaps.length, 10);
    assert.ok(out.length < 6500, `${out.length} characters, of which a token has three or four`);
    assert.ok(gaps.every(({ kind, request }) => kind !== "operation_uncovered" || request));
    const [long] = gaps.filter(({ request_length }) => request_length !== undefined);
    assert.ok((long?.request_length ?? 0) > 2000 && long?.request === undefined, out);
    const { out: curl } = await runCovtool(
      `suggest openapi.json sent.json --gap ${long?.id} --format curl`,
    );
    assert.ok(curl.length > 2000, curl);
  });
});

Deno.test("ids are the same in gaps, reports, suggestions and --gap", () =>
  withShop(async () => {
    const report = JSON.parse(
      (await runCovtool("report openapi.json first.json --format json=-")).out,
    );
    const { gaps } = await listed("gaps openapi.json first.json --limit 99");
    assert.deepEqual(
      new Set(report.gaps.map(({ id }: Listed) => id)),
      new Set(gaps.filter(({ kind }) => kind !== "value_uncovered").map(({ id }) => id)),
    );
    const value = gaps.find(({ kind }) => kind === "value_uncovered")?.id ?? "";
    const named = JSON.parse(
      (await runCovtool(`report openapi.json first.json --gap ${value} --format json=-`)).out,
    );
    assert.deepEqual(
      new Set(named.gaps.map(({ id }: Listed) => id)),
      new Set([...report.gaps.map(({ id }: Listed) => id), value]),
    );
    const { id } = failing(gaps);
    const one = await listed(`gaps openapi.json first.json --gap ${id}`);
    assert.deepEqual(one.gaps.map((gap) => gap.id), [id]);
    const suggested = await runCovtool(`suggest openapi.json first.json --gap ${id} --format curl`);
    assert.equal(suggested.out.match(/^curl/gm)?.length, 1, suggested.out);
    assert.match(suggested.out, /limit=10/);
    assert.match(suggested.err, /1 request closes 1 gap\./);
  }));

Deno.test("verify names the request and test that closed a gap, and exits with 1 for an open one", () =>
  withShop(async () => {
    const { gaps } = await listed("gaps openapi.json first.json --limit 99");
    const { id } = failing(gaps);
    const open = await fails(
      runCovtool(`verify openapi.json first.json --gap ${id} --format json`),
      /covtool: exit 1: 1 gap open/,
    );
    const [nearest] = list(open.out).gaps as unknown as { state: string; nearest: unknown }[];
    assert.equal(nearest?.state, "open");
    assert.deepEqual(nearest?.nearest, {
      request: {
        method: "GET",
        url: "https://shop.example/books?limit=3&token=a1aa1aaaaaa",
        status_code: 200,
      },
      difference: "Every value that maximum applies to passes.",
    });
    const closed = await runCovtool(
      `verify openapi.json first.json later.json --gap ${id} --format json`,
    );
    assert.deepEqual([closed.code, closed.err], [0, ""]);
    const [verified] = list(closed.out).gaps as unknown as Record<string, unknown>[];
    assert.equal(verified?.["state"], "closed");
    assert.deepEqual(verified?.["closed_by"], {
      test: "refuses large pages",
      request: { method: "GET", url: "https://shop.example/books?limit=10", status_code: 400 },
    });
    const text = await runCovtool(`verify openapi.json later.json --gap ${id}`);
    assert.match(text.out, /Closed by GET https:\/\/shop\.example\/books\?limit=10 → 400/);
    assert.match(text.out, /Test: refuses large pages/);
  }));

Deno.test("verify names no request for a gap that hits have closed", () =>
  withShop(async () => {
    const { gaps } = await listed("gaps openapi.json first.json --limit 99");
    const { id } = failing(gaps);
    await runCovtool("report openapi.json later.json --format hits -o later.hits");
    const { out } = await succeeds(
      runCovtool(`verify openapi.json later.hits first.json --gap ${id} --format json`),
    );
    const [verified] = list(out).gaps as unknown as Record<string, unknown>[];
    assert.deepEqual([verified?.["state"], verified?.["closed_by"]], ["closed", undefined]);
  }));

Deno.test("verify agrees with the report on every gap, from recordings and hits", () =>
  withShop(async () => {
    const all = await listed("gaps openapi.json first.json --limit 99");
    const left = await listed("gaps openapi.json first.json later.json --limit 99");
    const open = new Set(left.gaps.map(({ id }) => id));
    await runCovtool("report openapi.json first.json later.json --format hits -o all.hits");
    const ids = all.gaps.map(({ id }) => `--gap ${id}`).join(" ");
    for (const traffic of ["first.json later.json", "all.hits"]) {
      const { out } = await runCovtool(`verify openapi.json ${traffic} ${ids} --format json`);
      for (const { id, state } of list(out).gaps) {
        assert.equal(state, open.has(id) ? "open" : "closed", id);
      }
    }
  }));

Deno.test("verify doesn't close a gap that the traffic can't show, and says so", () =>
  withShop(async () => {
    const line = '192.0.2.1 - - [21/Nov/2026:10:00:00 +0000] "POST /books HTTP/1.1" 201 9\n';
    await Deno.writeTextFile("access.log", line);
    const { gaps: all } = await listed("gaps openapi.json --limit 99");
    const gaps = all.filter(({ method }) => method === "POST");
    const id = gaps.find(({ kind }) => kind === "parameter_uncovered")?.id;
    const { out } = await fails(runCovtool(`verify openapi.json access.log --gap ${id}`));
    assert.match(out, /open\n.*was never sent\n {2}None of the traffic could have shown body /);
    assert.match(out, /Nearest: POST \/books → 201\n/);
    const sent = { request: { method: "POST", url: "/books" } };
    await Deno.writeTextFile("unanswered.json", JSON.stringify({ interactions: [sent] }));
    const response = gaps.find(({ kind }) => kind === "response_uncovered")?.id;
    const other = await fails(runCovtool(`verify openapi.json unanswered.json --gap ${response}`));
    assert.match(other.out, /\n {2}None of the traffic could have shown responses\.\n/);
  }));

Deno.test("a gap names the test that comes closest to its request", () =>
  withShop(async () => {
    const { out } = await runCovtool("gaps openapi.json later.json --format json");
    const { gaps } = JSON.parse(out);
    const request = gaps.find(({ method, request }: Listed) => method === "GET" && request);
    assert.deepEqual(request.closest_test, { name: "refuses large pages" });
    const text = await runCovtool("gaps openapi.json later.json");
    assert.match(text.out, /Extend `refuses large pages`\./);
  }));

Deno.test("gaps that production uses most come first", () =>
  withShop(async () => {
    const { out } = await runCovtool(
      "gaps openapi.json first.json --production later.json --kinds keywords --format json",
    );
    const [first] = list(out).gaps;
    assert.equal(first?.used, 1);
    assert.equal(first?.schema_path, failing(list(out).gaps).schema_path);
  }));

Deno.test("gaps reads standard input once, and mcp leaves it to its client", () =>
  withShop(async () => {
    const twice = await fails(runCovtool("gaps openapi.json - --production -"));
    assert.match(twice.err, /Standard input can only be read once\. Remove the extra -\./);
    const served = await fails(runCovtool("mcp openapi.json -"));
    assert.match(served.err, /Standard input has the messages of the protocol\./);
  }));

Deno.test("gaps and verify report unknown ids, and verify checks the others", () =>
  withShop(async () => {
    const { gaps } = await listed("gaps openapi.json first.json");
    await fails(
      runCovtool("gaps openapi.json first.json --gap nothing"),
      /"nothing" is not the id of a gap, such as g-/,
    );
    const mixed = await fails(runCovtool(
      `verify openapi.json later.json --gap g-00000000 --gap ${gaps[0]?.id}`,
    ));
    assert.match(
      mixed.out,
      /g-00000000 {2}unknown\n {2}No operation of the description has the gap/,
    );
    assert.match(mixed.out, new RegExp(`${gaps[0]?.id} {2}closed`));
    assert.match(mixed.err, /exit 1: 1 gap unknown/);
    assert.match(
      (await runCovtool("verify openapi.json later.json")).err,
      /Say which gap to verify/,
    );
    const nobody = await runCovtool("gaps openapi.json --operation nobody");
    assert.match(nobody.err, /Unknown operation "nobody"/);
  }));

Deno.test("Markdown and files have the same list, and an input is never overwritten", () =>
  withShop(async () => {
    const { out } = await runCovtool("gaps openapi.json first.json --format markdown");
    assert.match(out, /^- \*\*`g-\w{8}`\*\* POST \/books: was never called/m);
    assert.match(out, /^ {2}```http\n {2}POST https:/m);
    const used = await runCovtool(
      "gaps openapi.json first.json --production later.json --format markdown --limit 1",
    );
    assert.match(
      used.out,
      /\n {2}Production: 1 time\.\n {2}```http\n {2}POST [^`]+```\n {2}Expect /,
    );
    const file = await runCovtool("gaps openapi.json first.json --format markdown -o gaps.md");
    assert.match(file.err, /Gaps: .*gaps\.md/);
    assert.equal(await Deno.readTextFile("gaps.md"), out);
    await fails(runCovtool("gaps openapi.json first.json -o first.json"), /first\.json/);
  }));

Deno.test("report lists ids of gaps, and only the given gaps with --gap", () =>
  withShop(async () => {
    const gaps = await listed("gaps openapi.json first.json --limit 99");
    const isValue = ({ kind }: Listed): boolean => kind === "value_uncovered";
    const missing = async (options: string): Promise<string[]> =>
      (await runCovtool(`report openapi.json first.json --format text --no-suggestions ${options}`))
        .out.match(/g-[0-9a-z]{8}/g) ?? [];
    const ids = gaps.gaps.filter((gap) => !isValue(gap)).map(({ id }) => id);
    assert.deepEqual((await missing("--show-missing all")).toSorted(), ids.toSorted());
    const { id } = failing(gaps.gaps);
    assert.deepEqual(await missing(`--gap ${id.toUpperCase()}`), [id]);
    const value = gaps.gaps.find(isValue)?.id ?? "";
    assert.deepEqual(await missing(`--gap ${value}`), [value]);
    assert.deepEqual(await missing(`--show-missing responses --gap ${id}`), []);
    const unknown = await runCovtool("report openapi.json first.json --gap g-00000000");
    assert.match(unknown.err, /^Error: No operation of the description has the gap g-00000000: /);
  }));

Deno.test("gaps of value classes are listed, closed and verified if values are counted", () =>
  withShop(async () => {
    const options = "openapi.json first.json --kinds values";
    const { total, gaps } = await listed(`gaps ${options}`);
    assert.deepEqual(gaps.map(({ kind, sentence }) => [kind, sentence]), [
      ["value_uncovered", "GET /books: query limit was never sent as the maximum 9"],
    ]);
    assert.equal(total, 1);
    const [{ id = "", request, at } = {}] = gaps;
    assert.equal(request?.url, "https://shop.example/books?limit=9");
    assert.ok(at);
    const before = (await runCovtool("suggest openapi.json first.json --no-values --format curl"))
      .out;
    const all = (await runCovtool("suggest openapi.json first.json --format curl")).out;
    const requests = (text: string) => text.split("\n").filter((line) => line.startsWith("curl"));
    assert.deepEqual(requests(all).slice(0, requests(before).length), requests(before));
    const values = (await runCovtool(`suggest ${options} --format curl`)).out;
    assert.deepEqual(requests(values).map((line) => line.replace(/^curl .*(?=https|{)|'/g, "")), [
      '{"title":"é"}',
      "https://shop.example/books?limit=9",
      '{"title":"text"}',
    ]);
    // An id of a value class and one of a dimension, without values in this run or in the hits.
    const { id: other = "" } = (await listed("gaps openapi.json first.json"))
      .gaps.find(({ kind }) => kind === "keyword_uncovered") ?? {};
    await runCovtool("report openapi.json first.json --no-values --format hits -o plain.hits");
    for (const inputs of ["openapi.json first.json --no-values", "openapi.json plain.hits"]) {
      for (const command of ["gaps", "suggest"]) {
        for (const asked of ["--kinds values", `--gap ${id}`]) {
          await fails(
            runCovtool(`${command} ${inputs} ${asked}`),
            /^Error: Classes of values aren't counted/,
          );
        }
        assert.equal((await runCovtool(`${command} ${inputs} --gap ${other}`)).code, 0);
      }
      const verified = await runCovtool(`verify ${inputs} --gap ${id} --gap ${other}`);
      assert.match(verified.out, new RegExp(`${id}  unknown\\n  Classes of values aren't counted`));
      assert.match(verified.out, new RegExp(`${other}  open`));
    }
    const open = await fails(
      runCovtool(`verify openapi.json first.json --gap ${id} --format json`),
    );
    assert.ok(open.out.includes('"query limit was sent with other values."'), open.out);
    const closed = await succeeds(runCovtool(
      `verify openapi.json most.json --gap ${id} --format json`,
    ));
    assert.ok(closed.out.includes("query limit was sent as the maximum 9"), closed.out);
  }));
