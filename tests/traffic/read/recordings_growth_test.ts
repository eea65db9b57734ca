// Tests that the work for recordings and config files, which come from anywhere, grows linearly.
import assert from "node:assert/strict";
import { checkConfig } from "../../../src/run/config/read_config.ts";
import { readRecording } from "../../../src/traffic/read/read_recording.ts";
import { countedAsyncWork, workGrowth } from "../../counted_work.ts";

const FIXTURES = new URL("../../fixtures/recordings/", import.meta.url);
const list = <T>(size: number, make: (index: number) => T): T[] =>
  Array.from({ length: size }, (_, index) => make(index));
const record = <T>(size: number, make: (index: number) => T): Record<string, T> =>
  Object.fromEntries(list(size, (index) => [`n${index}`, make(index)]));

const harEntry = (request: object = {}, response: object = {}): object => ({
  startedDateTime: "2026-01-31T12:00:00Z",
  time: 1,
  request: { method: "GET", url: "http://localhost/a", headers: [], queryString: [], ...request },
  response: { status: 200, headers: [], content: { mimeType: "text/plain" }, ...response },
});
const har = (entries: readonly object[]): object => ({ log: { version: "1.2", entries } });
const item = (index: number): object => ({
  name: `n${index}`,
  request: { method: "GET", url: `http://localhost/${index}` },
});
const postman = (items: readonly object[], more: object = {}): object => ({
  info: {
    name: "n",
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
  },
  item: items,
  ...more,
});

/** Recordings by the part that grows, each with an initial size. */
const DIMENSIONS: Readonly<
  Record<string, readonly [least: number, make: (size: number) => object | string]>
> = {
  "entries of a HAR": [50, (size) => har(list(size, () => harEntry()))],
  "headers of a HAR's entry": [100, (size) => {
    const headers = list(size, (i) => ({ name: `n${i}`, value: "1" }));
    return har([harEntry({ headers }, { headers })]);
  }],
  "fields of a HAR's form": [100, (size) => {
    const params = list(size, (i) => ({ name: `n${i}`, value: "1" }));
    const postData = { mimeType: "application/x-www-form-urlencoded", params };
    return har([harEntry({ method: "POST", postData })]);
  }],
  "length of a HAR's body": [5_000, (size) =>
    har([
      harEntry({ method: "POST", postData: { mimeType: "text/plain", text: "a".repeat(size) } }),
    ])],
  "items of a Postman collection": [50, (size) => postman(list(size, item))],
  "folders in folders of a Postman collection": [25, (size) =>
    postman([
      list(size, (i) => i).reduce<object>(
        (inner, i) => ({ name: `n${i}`, item: [inner] }),
        item(0),
      ),
    ])],
  "variables of a Postman collection": [50, (size) =>
    postman([{
      name: "n",
      request: {
        method: "GET",
        url: `http://localhost/${list(size, (i) => `{{n${i}}}`).join("/")}`,
      },
    }], { variable: list(size, (i) => ({ key: `n${i}`, value: "1" })) })],
  "interactions of a traffic file": [50, (size) => ({
    interactions: list(size, (i) => ({ request: { method: "GET", url: `/a/${i}` } })),
  })],
  "lines of traffic": [
    50,
    (size) =>
      list(size, (i) => JSON.stringify({ request: { method: "GET", url: `/a/${i}` } })).join("\n"),
  ],
  "fields of a line of a JSON log": [100, (size) =>
    JSON.stringify({
      ...{ time_local: "22/Nov/2026:10:00:00 +0000", request_method: "GET", uri: "/a" },
      ...{ status: 200, ...record(size, () => "1") },
    })],
  "columns of an IIS log": [100, (size) => {
    const names = list(size, (i) => `x-n${i}`).join(" ");
    const values = list(size, () => "1").join(" ");
    return `#Fields: cs-method cs-uri-stem sc-status ${names}\nGET /a 200 ${values}\n`;
  }],
  "directives of an IIS log": [
    100,
    (size) => `${"#Fields: cs-method cs-uri-stem sc-status\n".repeat(size)}GET /a 200\n`,
  ],
  "pairs of a logged query": [250, (size) => {
    const query = list(size, (i) => `n${i}=1`).join("&");
    return `192.0.2.1 - - [22/Nov/2026:10:00:00 +0000] "GET /a?${query} HTTP/1.1" 200 0\n`;
  }],
};

const vcr = (interactions: readonly string[]): string =>
  `http_interactions:\n${interactions.join("")}recorded_with: VCR 6.3.1\n`;
const vcrInteraction = (headers = "", body = "''"): string =>
  `- request:
    method: post
    uri: http://localhost/a
    body:
      encoding: UTF-8
      string: ${body}
    headers:
      Accept:
      - "*/*"
${headers}  response:
    status:
      code: 200
      message: OK
    headers: {}
    body:
      encoding: UTF-8
      string: ''
  recorded_at: Sat, 31 Jan 2026 12:00:00 GMT
`;
const vcrpy = (interactions: readonly string[]): string =>
  `interactions:\n${interactions.join("")}version: 1\n`;
const vcrpyInteraction = (headers = "", body = "null"): string =>
  `- request:
    body: ${body}
    headers:
      Accept:
      - '*/*'
${headers}    method: POST
    uri: http://localhost/a
  response:
    body:
      string: ''
    headers: {}
    status:
      code: 200
      message: OK
`;
const yamlHeaders = (size: number): string =>
  list(size, (i) => `      X-N${i}:\n      - "1"\n`).join("");
const yamlBlock = (size: number): string =>
  `|-\n${"        a line of text\n".repeat(size)}`.trimEnd();

/** YAML cassettes by the part that grows. */
const CASSETTES: typeof DIMENSIONS = {
  "interactions of a cassette of VCR": [50, (size) => vcr(list(size, () => vcrInteraction()))],
  "headers in a cassette of VCR": [50, (size) => vcr([vcrInteraction(yamlHeaders(size))])],
  "lines of a body in a cassette of VCR": [
    100,
    (size) => vcr([vcrInteraction("", yamlBlock(size))]),
  ],
  "interactions of a cassette of vcrpy": [
    50,
    (size) => vcrpy(list(size, () => vcrpyInteraction())),
  ],
  "documents of a cassette of vcrpy": [
    50,
    (size) => list(size, () => vcrpy([vcrpyInteraction()])).join("---\n"),
  ],
  "headers in a cassette of vcrpy": [50, (size) => vcrpy([vcrpyInteraction(yamlHeaders(size))])],
  "lines of a body in a cassette of vcrpy": [
    100,
    (size) => vcrpy([vcrpyInteraction("", yamlBlock(size))]),
  ],
  "aliases in a cassette of vcrpy": [
    50,
    (size) =>
      vcrpy([
        vcrpyInteraction("      X-A: &a ['1']\n"),
        ...list(size, () => vcrpyInteraction("      X-A: *a\n")),
      ]),
  ],
};

/** Text logs whose lines are repeated many times. */
const LOGS = [
  ...["apache_combined.log", "apache_vhost_combined.log", "documented_aws_alb.log"],
  ...["documented_cloudfront.log", "documented_envoy.log", "documented_iis.log", "haproxy.log"],
  ...["goreplay.gor", "caddy.jsonl", "documented_kong.jsonl", "otel_node.jsonl"],
];

async function growth(
  least: number,
  make: (size: number) => object | string,
): Promise<readonly number[]> {
  const work: number[] = [];
  for (const size of [least, 2 * least, 4 * least]) {
    const made = make(size);
    const text = typeof made === "string" ? made : JSON.stringify(made);
    let read = 0;
    work.push(
      await countedAsyncWork(async () => {
        for await (const _ of readRecording(text, "a recording")) read++;
      }),
    );
    assert.ok(read > 0, "it is read");
  }
  const [small = 0, middle = 0, large = 0] = work;
  return [middle / small, large / middle];
}

for (const [what, [least, make]] of Object.entries({ ...DIMENSIONS, ...CASSETTES })) {
  Deno.test(`work grows linearly with ${what}`, async () => {
    const factors = await growth(least, make);
    for (const factor of factors) assert.ok(factor < 2.4, `${factors}`);
  });
}

for (const log of LOGS) {
  Deno.test(`work grows linearly with the lines of ${log}`, async () => {
    const text = Deno.readTextFileSync(new URL(`access-logs/${log}`, FIXTURES));
    const whole = text.endsWith("\n") ? text : `${text}\n`;
    const factors = await growth(20, (size) => whole.repeat(size));
    for (const factor of factors) assert.ok(factor < 2.4, `${factors}`);
  });
}

const CONFIGS: Readonly<Record<string, (size: number) => object>> = {
  "exclusions": (size) => ({
    schema: "openapi.yaml",
    exclude: list(size, (i) => ({ pattern: `GET /p${i}`, reason: "why" })),
  }),
  "recordings": (size) => ({ schema: "openapi.yaml", traffic: list(size, (i) => `t${i}.json`) }),
  "APIs": (size) => ({ apis: list(size, (i) => ({ name: `n${i}`, schema: `n${i}.yaml` })) }),
};

for (const [what, make] of Object.entries(CONFIGS)) {
  Deno.test(`work grows linearly with the ${what} of a config file`, () => {
    const folder = Deno.makeTempDirSync({ prefix: "covtool-growth-" });
    try {
      const path = `${folder}/covtool.json`;
      const factors = workGrowth((size) => {
        const text = JSON.stringify(make(size), undefined, 2);
        return () => {
          Deno.writeTextFileSync(path, text);
          assert.deepEqual(checkConfig(path).problems, []);
        };
      }, 50);
      for (const factor of factors) assert.ok(factor < 2.4, `${factors}`);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  });
}
