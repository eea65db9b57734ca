import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { main } from "../../src/cli/main.ts";
import { copyPaths } from "../../src/report/source/source_path.ts";
import { inFolder, writeJson } from "../in_folder.ts";
import { fakeHost, runCovtool } from "./fake_host.ts";
import { apiOf } from "../api_of.ts";

const PETS = apiOf({
  "/pets": {
    get: {
      parameters: [
        { name: "limit", in: "query", schema: { $ref: "parts/limit.json" } },
        { name: "sort", in: "query", schema: { type: "string", enum: ["name"] } },
      ],
      responses: { 200: { description: "Pets" }, 400: { description: "Refused" } },
    },
  },
});
const TRAFFIC = [{
  request: { method: "GET", url: "/pets?limit=5" },
  response: { status_code: 200 },
}];

async function inPets(
  test: (folder: string, run: (...args: string[]) => Promise<string>) => Promise<void>,
): Promise<void> {
  const files = {
    "parts/limit.json": '{"type":"integer","maximum":9}',
    "pets.json": PETS,
    "traffic.json": TRAFFIC,
  };
  await inFolder(files, (folder) =>
    test(folder, async (...args) => {
      const given = ["report", `${folder}/pets.json`, `${folder}/traffic.json`, ...args];
      const { code, out, err } = await runCovtool(given, { variables: { COLUMNS: "500" } });
      assert.equal(code, 0, err);
      return err + out;
    }));
}

const lines = (text: string): string[] => text.split("\n");

Deno.test("lcov of JSON on one line counts the lines of a formatted copy next to it, and warns", () =>
  inPets(async (folder, run) => {
    const err = await run("--format", `lcov=${folder}/out/pets.info`);
    const info = lines(await Deno.readTextFile(`${folder}/out/pets.info`));
    const copies = ["pets", "limit"].map((name) => `${folder}/out/${name}.formatted.json`);
    assert.deepEqual(
      info.filter((line) => line.startsWith("SF:")),
      copies.map((path) => `SF:${path}`),
    );
    const [pets = "", limit = ""] = await Promise.all(
      copies.map((path) => Deno.readTextFile(path)),
    );
    assert.deepEqual(JSON.parse(pets), PETS);
    // Each covered line of the copy is that of something that was seen.
    const own = info.slice(0, info.indexOf("end_of_record"));
    const isHit = (text: string) => {
      const number = lines(pets).findIndex((line) => line.includes(text)) + 1;
      return own.find((line) => line.startsWith(`DA:${number},`));
    };
    assert.match(isHit('"get"') ?? "", /,1$/);
    assert.match(isHit('"200"') ?? "", /,1$/);
    assert.match(isHit('"400"') ?? "", /,0$/);
    assert.match(isHit('"enum"') ?? "", /,0$/);
    assert.equal(lines(limit).length, 5);
    assert.match(
      err,
      /pets\.json has 1 line for \d+ items to cover\. The report shows the lines of a formatted copy, .*out\/pets\.formatted\.json\./,
    );
  }));

Deno.test("Cobertura and SARIF of JSON on one line name the formatted copy too", () =>
  inPets(async (folder, run) => {
    await run(
      ...["--format", `cobertura=${folder}/out/c.xml`],
      ...["--format", `sarif=${folder}/out/s.sarif`],
    );
    assert.match(
      await Deno.readTextFile(`${folder}/out/c.xml`),
      /filename="[^"]*out\/pets\.formatted\.json"/,
    );
    const { runs: [{ results }] } = JSON.parse(await Deno.readTextFile(`${folder}/out/s.sarif`));
    const places = results.map((
      { locations: [{ physicalLocation }] }: {
        readonly locations: readonly [{
          readonly physicalLocation: {
            readonly artifactLocation: { readonly uri: string };
            readonly region: { readonly startLine: number };
          };
        }];
      },
    ) => [physicalLocation.artifactLocation.uri, physicalLocation.region.startLine] as const);
    assert.ok(places.length > 3);
    for (const [uri, line] of places) {
      assert.match(uri, /\/out\/(?:pets|limit)\.formatted\.json$/);
      assert.ok(line > 1);
    }
  }));

Deno.test("on standard output the lines stay the description's, and a warning says what would help", () =>
  inPets(async (folder, run) => {
    const text = await run("--format", "lcov");
    assert.match(text, /^SF:.*\/pets\.json$/m);
    assert.match(
      text,
      /pets\.json has 1 line for \d+ items to cover, so line coverage means little\. Write to a file \(--format lcov=coverage\.info\)/,
    );
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), [
      "parts",
      "pets.json",
      "traffic.json",
    ]);
  }));

Deno.test("a description with enough lines has no copy and no warning", () =>
  inPets(async (folder, run) => {
    await Deno.writeTextFile(`${folder}/pets.json`, JSON.stringify(PETS, null, 2));
    await Deno.writeTextFile(
      `${folder}/parts/limit.json`,
      '{\n"type": "integer",\n"maximum": 9\n}\n',
    );
    const err = await run("--format", `lcov=${folder}/pets.info`);
    assert.doesNotMatch(err, /items to cover/);
    assert.match(await Deno.readTextFile(`${folder}/pets.info`), /^SF:.*\/pets\.json$/m);
  }));

Deno.test("a formatted copy is not written over an input", () =>
  inPets(async (folder) => {
    const traffic = `${folder}/pets.formatted.json`;
    await Deno.rename(`${folder}/traffic.json`, traffic);
    const host = fakeHost();
    const args = ["report", `${folder}/pets.json`, traffic, "--format", `lcov=${folder}/p.info`];
    assert.equal(await main(args, host), 1);
    assert.match(host.err(), /formatted copy would/);
    assert.equal(await Deno.readTextFile(traffic), JSON.stringify(TRAFFIC));
  }));

Deno.test("a formatted copy replaces nothing that covtool did not write, and no report is written then", () =>
  inPets(async (folder) => {
    const path = `${folder}/pets.formatted.json`;
    const map = await CoverageMap.fromPath(`${folder}/pets.json`);
    await Deno.writeTextFile(path, "MINE\n");
    for (const format of ["lcov", "cobertura", "sarif"] as const) {
      const host = fakeHost();
      const outputFile = `${folder}/report.out`;
      const args = ["--format", `${format}=${outputFile}`];
      assert.equal(
        await main(["report", `${folder}/pets.json`, `${folder}/traffic.json`, ...args], host),
        1,
      );
      assert.match(
        host.err().replaceAll("\n", " "),
        /^Error: The formatted copy would overwrite .*pets\.formatted\.json, which covtool did not write\. Move it away, or write the report to another folder\. covtool: exit 1: error $/,
      );
      await assert.rejects(map.saveReport({ format, outputFile }), /which covtool did not write/);
      assert.equal(await Deno.readTextFile(path), "MINE\n");
      await assert.rejects(Deno.stat(outputFile), Deno.errors.NotFound);
    }
  }));

Deno.test("saveReport() writes formatted copies too", () =>
  inPets(async (folder) => {
    const map = await CoverageMap.fromPath(`${folder}/pets.json`);
    await map.saveReport({ format: "lcov", outputFile: `${folder}/l/pets.info` });
    assert.match(
      await Deno.readTextFile(`${folder}/l/pets.info`),
      /^SF:.*\/l\/pets\.formatted\.json$/m,
    );
    assert.deepEqual(JSON.parse(await Deno.readTextFile(`${folder}/l/pets.formatted.json`)), PETS);
  }));

Deno.test("copyPaths() gives each copy a name of its own", () => {
  const paths = new Map([["", "api/pet.yaml"], ["a", "x/pet.json"], [
    "b",
    "https://h/v1/p.json?v=2",
  ]]);
  assert.deepEqual([...copyPaths(paths, "out/").values()], [
    "out/pet.formatted.json",
    "out/pet-2.formatted.json",
    "out/p.formatted.json",
  ]);
});

Deno.test("descriptions of one name in several APIs have a copy each, and one of two APIs has one", () =>
  inFolder({}, async (folder) => {
    for (const name of ["books", "orders"]) {
      await Deno.mkdir(`${folder}/${name}/parts`, { recursive: true });
      const text = JSON.stringify(PETS).replace("pets", name);
      await Deno.writeTextFile(`${folder}/${name}/openapi.json`, text);
      const limit = '{"type":"integer","maximum":9}';
      await Deno.writeTextFile(`${folder}/${name}/parts/limit.json`, limit);
    }
    await writeJson(`${folder}/traffic.json`, TRAFFIC);
    const apis = [
      { name: "Books", schema: "books/openapi.json", hosts: "books.example" },
      { name: "Orders", schema: "orders/openapi.json", hosts: "orders.example" },
      { name: "Archive", schema: "books/openapi.json", hosts: "archive.example" },
    ];
    await writeJson(`${folder}/covtool.yaml`, { traffic: "traffic.json", apis });
    const formats = ["lcov=out/a.info", "cobertura=out/a.xml", "sarif=out/a.sarif"];
    for (let run = 0; run < 2; run++) {
      const host = fakeHost();
      const args = formats.flatMap((format) => ["--format", format.replace("=", `=${folder}/`)]);
      const code = await main(["report", "--config", `${folder}/covtool.yaml`, ...args], host);
      assert.equal(code, 0, host.err());
      const info = lines(await Deno.readTextFile(`${folder}/out/a.info`));
      assert.deepEqual(
        info.filter((line) => line.startsWith("SF:")).sort(),
        ["limit-2", "limit", "openapi-2", "openapi"].map((name) =>
          `SF:${folder}/out/${name}.formatted.json`
        ),
      );
    }
    const titles = ["openapi", "openapi-2"].map(async (name) =>
      JSON.parse(await Deno.readTextFile(`${folder}/out/${name}.formatted.json`)).paths
    );
    assert.deepEqual((await Promise.all(titles)).map((paths) => Object.keys(paths)), [
      ["/books"],
      ["/orders"],
    ]);
  }));
