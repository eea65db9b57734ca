import assert from "node:assert/strict";
import { main } from "../../../src/cli/main.ts";
import { fakeHost } from "../../cli/fake_host.ts";
import { SHOP_DESCRIPTION, SHOP_TRAFFIC } from "../../cli/shop_files.ts";
import { encode, type FuzzTarget, parseInput } from "../fuzz_target.ts";

/** Commands that end by themselves and start nothing. */
const COMMANDS = [
  ...["report", "merge", "convert", "check", "compare", "suggest", "record-hits", "probe"],
];
const OPTIONS = [
  ...["--format", "--output", "-o", "--fail-under", "--fail-under-keywords", "--fail-on"],
  "--include",
  ...["--exclude", "--baseline", "--show-missing", "--sort", "--top", "--group-by", "--title"],
  "--jobs",
  ...["--base-path", "--log-format", "--env", "--carry", "--no-config", "--config", "--limit"],
  "--kinds",
  ...["--operation", "--server", "--tests", "--production", "--min-tcl", "--color", "--help"],
  "--nope",
  ...["--header", "--rate", "--max", "--time", "--unsafe", "--allow-refs-outside"],
  "--skip-covered",
];
const VALUES = [
  ...["openapi.yaml", "traffic.json", "missing.json", ".", "-", "", " ", "80", "-1", "1e999"],
  "NaN",
  ...["json", "json=-", "text", "html=nope/a/b.html", "all", "operations,keywords", "GET /books"],
  "/v1",
  ...["http://localhost:1", "::", "$request", "%h %l", "tag:x", "response:5XX", "*", "[", "😀"],
  "\u0000",
  ...["Name: value", "5/s", "--", "--format=json=-", "decrease=nope", "x=".repeat(500)],
];

let folder: string | undefined;

function shopFolder(): string {
  if (folder === undefined) {
    folder = Deno.makeTempDirSync({ prefix: "covtool-fuzz" });
    Deno.writeTextFileSync(`${folder}/openapi.yaml`, SHOP_DESCRIPTION);
    Deno.writeTextFileSync(`${folder}/traffic.json`, SHOP_TRAFFIC);
  }
  return folder;
}

/** Command lines: each ends with an exit code, and errors are messages. */
export const commandLines: FuzzTarget = {
  name: "command-lines",
  make(random) {
    const args = [random.oneIn(20) ? "nope" : random.pick(COMMANDS)];
    if (!random.oneIn(4)) args.push("openapi.yaml", "traffic.json");
    for (let count = random.below(5); count > 0; count--) {
      if (!random.oneIn(4)) args.push(random.pick(OPTIONS));
      if (!random.oneIn(4)) args.push(random.pick(VALUES));
    }
    return encode(JSON.stringify(args));
  },
  async check(input) {
    const args = parseInput(input);
    if (!Array.isArray(args) || !args.every((arg) => typeof arg === "string")) return;
    if (args.some((arg) => /^https?:/.test(arg)) && args[0] !== "probe") return; // must not be fetched
    const before = Deno.cwd();
    Deno.chdir(shopFolder());
    const host = fakeHost({ variables: { NO_COLOR: "1" } });
    try {
      const code = await main(args, host);
      assert.ok(code === 0 || code === 1 || code === 2, `exit code ${code}`);
      if (code !== 0) assert.notEqual(host.err(), "");
      assert.doesNotMatch(host.err(), /\n\s+at |TypeError|ReferenceError|\[object|undefined/);
    } finally {
      Deno.chdir(before);
    }
  },
};
