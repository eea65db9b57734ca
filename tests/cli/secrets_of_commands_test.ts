import assert from "node:assert/strict";
import { main } from "../../src/cli/main.ts";
import { REPORT_FORMATS } from "../../src/report/reporters.ts";
import { SUGGESTION_FORMATS } from "../../src/suggest/formats/suggestion_formats.ts";
import { LIBRARY } from "../run/probe/library_server.ts";
import { fakeHost } from "./fake_host.ts";
import { inFolder } from "../in_folder.ts";

const KEY = "planted-environment-3";
const TRAFFIC = {
  interactions: [{
    request: {
      method: "GET",
      url: "http://localhost/books?limit=5",
      headers: { "X-Shop": "planted-recorded-4" },
    },
    response: { status_code: 200, headers: { "Content-Type": "application/json" }, body: "[]" },
  }],
};

/** Everything that commands print and write. */
class Trace {
  readonly #folder: string;
  text = "";

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Runs a command that writes its files to `OUT`, and keeps all output. */
  async run(args: readonly string[], { code = 0, stdin = "" } = {}): Promise<void> {
    const host = fakeHost({ variables: { COLUMNS: "1000", COVTOOL_AUTH_SHOP_KEY: KEY }, stdin });
    const ended = await main(args.map((arg) => arg.replace("OUT", `${this.#folder}/out`)), host);
    assert.equal(ended, code, `${args.join(" ")}\n${host.err()}`);
    let text = host.out() + host.err();
    for (const { name } of Deno.readDirSync(this.#folder)) {
      if (!name.startsWith("out")) continue;
      text += Deno.readTextFileSync(`${this.#folder}/${name}`);
      Deno.removeSync(`${this.#folder}/${name}`);
    }
    assert.notEqual(text, "", args.join(" "));
    assert.doesNotMatch(text, /planted/, args.join(" "));
    this.text += text;
  }
}

/** Options that write every format to a file of its own. */
function formats(names: readonly string[]): string[] {
  return names.flatMap((name) => ["--format", `${name}=OUT.${name}`]);
}

Deno.test("no command prints credentials from its description's URL, --header or the environment", async () => {
  const sent: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/openapi.json") return Response.json(LIBRARY);
    for (const name of ["x-shop", "x-odd"]) sent.push(request.headers.get(name) ?? "");
    return Response.json({ seen: [...request.headers.values()] });
  });
  try {
    await inFolder({ "traffic.json": TRAFFIC }, async (folder) => {
      const at = `127.0.0.1:${server.addr.port}`;
      const schema = `http://ann:planted-url-1@${at}/openapi.json?token=planted-url-2`;
      const api = `http://${at}`;
      const traffic = `${folder}/traffic.json`;
      const hits = `${folder}/kept.hits`;
      const trace = new Trace(folder);
      await main(["report", schema, traffic, "--format", `hits=${hits}`], fakeHost());
      await trace.run(["report", schema, traffic, ...formats(REPORT_FORMATS)]);
      await trace.run(["merge", schema, hits, ...formats(REPORT_FORMATS)]);
      for (const { name } of SUGGESTION_FORMATS) {
        await trace.run(["suggest", schema, traffic, "--server", api, "--format", name]);
      }
      const both = ["--tests", traffic, "--production", traffic];
      await trace.run([
        "compare",
        schema,
        ...both,
        ...formats(["html", "json", "text", "markdown"]),
      ]);
      await trace.run(["check", schema]);
      await trace.run(["record-hits", schema], { stdin: JSON.stringify(TRAFFIC.interactions[0]) });
      await trace.run(["convert", traffic, "--schema", schema, "-o", "OUT.jsonl"]);
      const header = ["--header", "X-Odd: planted-header-5"];
      const probe = ["probe", schema, "--server", api, ...header, "--unsafe", "--max", "40"];
      await trace.run([...probe, "--save-traffic", "OUT.jsonl", ...formats(REPORT_FORMATS)]);
      // The secrets were sent, and come back in recorded responses.
      assert.ok(sent.includes(KEY) && sent.includes("planted-header-5"), sent.join());
      await trace.run([...probe.slice(0, 2), "--server", "http://127.0.0.1:1", ...header], {
        code: 1,
      });
      assert.match(trace.text, /Cannot reach http:\/\/127\.0\.0\.1:1/);
    });
  } finally {
    await server.shutdown();
  }
});
