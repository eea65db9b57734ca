// Compares what covtool reads of recordings by real programs with the files in tests/fixtures/golden_traffic.
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { headerLookup } from "../../../src/http/headers.ts";
import type { Interaction } from "../../../src/http/interaction.ts";
import { readRecording } from "../../../src/traffic/read/read_recording.ts";
import type { ReadOptions } from "../../../src/traffic/read/read_state.ts";
import { trafficLine } from "../../../src/traffic/write/traffic_line.ts";
import { assertGolden } from "../../report/assert_golden.ts";
import { LOG_FORMATS } from "../logs/read_log.ts";
import { fixtureBytes, receivedText } from "../read_all.ts";

/** Variables that the collection `bookshop` was run with. */
const ENVIRONMENT = { word: "lem & co", pw: "secret", token: "abc", stamp: "abcdef01-2345" };
const FOLDER = new URL("../../fixtures/recordings/", import.meta.url);
const GOLDEN = "tests/fixtures/golden_traffic";

/** Interactions that are written out; the others are a digest. */
const SHOWN = 40;
/** Characters of a body that are written out. */
const LONGEST = 160;

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function abbreviated(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST / 2)}… (${text.length} characters, ${digest(text)})`;
}

/** An interaction as in a traffic file, with the decoded response. */
function decodedLine(interaction: Interaction): string {
  const line = JSON.parse(trafficLine(interaction));
  const { response } = interaction;
  if (headerLookup(response?.headers).get("content-encoding") !== undefined) {
    delete line.response.body_base64;
    line.response.body = receivedText(response);
  }
  for (const message of [line.request, line.response ?? {}]) {
    for (const name of ["body", "body_base64"]) {
      if (typeof message[name] === "string") message[name] = abbreviated(message[name]);
    }
  }
  return JSON.stringify(line);
}

async function showRecording(path: string, options: ReadOptions): Promise<string> {
  const recording = readRecording(fixtureBytes(path), path, options);
  const lines = (await Array.fromAsync(recording)).map(decodedLine);
  const rest = lines.slice(SHOWN);
  return [
    ...recording.warnings,
    ...lines.slice(0, SHOWN),
    ...rest.length === 0 ? [] : [`${rest.length} more: ${digest(rest.join("\n"))}`],
    "",
  ].join("\n");
}

const RECORDINGS = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((entry) =>
    entry.isFile() && /\.(?:har|zip|ya?ml|(?:nd)?jsonl?|log|gor|mitm)$/.test(entry.name)
  )
  .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(FOLDER.pathname.length)).sort();

const CASES: readonly (readonly [golden: string, path: string, options: ReadOptions])[] = [
  ...RECORDINGS.map((path) =>
    [path, path, { logFormat: LOG_FORMATS[path.split("/").at(-1) ?? ""] }] as const
  ),
  ...["v1.0.0", "v2.1.0"].map((version) =>
    [
      `postman/bookshop.${version}.environment`,
      `postman/bookshop.${version}.json`,
      { values: { environment: ENVIRONMENT, globals: {} } },
    ] as const
  ),
];

for (const [golden, path, options] of CASES) {
  Deno.test(`all requests, responses and bodies of ${golden} are read`, async () => {
    const file = `${GOLDEN}/${golden.replaceAll("/", ".")}.txt`;
    await assertGolden(file, await showRecording(path, options));
  });
}
