import { type Ended, run } from "../../scripts/run.ts";
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import type { Report } from "../../mod.ts";
import { COVTOOL_MODULE } from "../covtool_module.ts";
import { assertSameHits } from "./same_hits.ts";
import { inFolder } from "../in_folder.ts";

const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);

/** Tests in every form that `Deno.test` accepts; each sends a different number. */
const TESTS = `import { collector } from "${ROOT}src/entries/deno.ts";
const shop = collector.handler.trackClient(async (_request: Request) => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  return Response.json([]);
});
const send = (page: number) => shop(new Request("http://localhost/api/v1/books?page=" + page));

Deno.test("steps", async (test) => {
  await send(1);
  await test.step("one", () => void send(2));
  await Promise.all([3, 4].map((page) =>
    test.step({
      name: "page " + page,
      fn: async () => {
        await send(page);
      },
      sanitizeOps: false,
      sanitizeResources: false,
      sanitizeExit: false,
    })
  ));
});
Deno.test({ name: "defined", fn: async () => void await send(5) });
Deno.test(async function named() {
  await send(6);
});
Deno.test("with options", { permissions: "inherit" }, async () => void await send(7));
Deno.test({ name: "fetch, closely watched", sanitizeOps: true, sanitizeResources: true, fn: async () => {
  const server = Deno.serve({ port: 0, onListen() {} }, async (request) => {
    await request.text();
    return new Response(null, { status: 201 });
  });
  const response = await fetch("http://localhost:" + server.addr.port + "/api/v1/books", {
    method: "POST",
    body: JSON.stringify({ title: "Momo" }),
    headers: { "content-type": "application/json" },
  });
  await response.text();
  await server.shutdown();
} });
Deno.test.ignore("ignored", () => void send(8));
`;

const NAMES = [
  ...["defined", "fetch, closely watched", "named", "steps", "steps > one", "steps > page 3"],
  ...["steps > page 4", "with options"],
];

async function inProject(test: (folder: string) => Promise<void>): Promise<void> {
  await inFolder({}, async (folder) => {
    for (const name of ["a", "b", "c"]) {
      await Deno.writeTextFile(`${folder}/${name}_test.ts`, TESTS);
    }
    await test(folder);
  });
}

async function deno(cwd: string, args: readonly string[]): Promise<Ended> {
  return await run(Deno.execPath(), args, { cwd, env: { NO_COLOR: "1" } });
}

const CONFIG = ["--config", `${ROOT}deno.json`];
const TEST = ["test", "--no-check", ...CONFIG, "--preload", `${ROOT}src/entries/deno.ts`];
const RUN = [
  ...["run", "-A", ...CONFIG, COVTOOL_MODULE, "run", `${ROOT}examples/bookshop/openapi.yaml`],
  ...["--format", "hits", "--format", "json=coverage.json"],
];

for (const parallel of [[], ["--parallel"]]) {
  Deno.test(`covtool run measures deno test ${parallel}, with the names of tests and steps`, () =>
    inProject(async (folder) => {
      const files = ["a_test.ts", "b_test.ts", "c_test.ts"];
      const command = [Deno.execPath(), ...TEST, "-A", ...parallel, ...files];
      const { code, out, err } = await deno(folder, [...RUN, "--", ...command]);
      assert.equal(code, 0, out + err);
      const report: Report = JSON.parse(await Deno.readTextFile(`${folder}/coverage.json`));
      assertSameHits(folder, `${ROOT}examples/bookshop/openapi.yaml`, report);
      assert.equal(report.traffic.matched, 24);
      assert.deepEqual(
        report.tests,
        files.flatMap((file) => NAMES.map((name) => `${file} > ${name}`)),
      );
      const added = report.operations.find(({ operation_id }) => operation_id === "addBook");
      assert.deepEqual(
        added?.covered_by?.map((index) => report.tests?.[index]),
        files.map((file) => `${file} > fetch, closely watched`),
      );
    }));
}

Deno.test("without covtool run, deno test is unaffected, also without permissions", () =>
  inProject(async (folder) => {
    const before = readdirSync(folder).sort();
    for (const permission of ["-A", "--allow-net"]) {
      const { code, out, err } = await deno(folder, [...TEST, permission, "a_test.ts"]);
      assert.equal(code, 0, out + err);
      assert.doesNotMatch(out + err, /covtool|env access/);
    }
    assert.deepEqual(readdirSync(folder).sort(), before);
  }));
