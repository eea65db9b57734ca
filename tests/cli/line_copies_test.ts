import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { copyPaths } from "../../src/report/source/source_path.ts";
import { inWorkingFolder, writeJson } from "../in_folder.ts";
import { fails, succeeds } from "../command_end.ts";
import { runCovtool } from "./fake_host.ts";
import { shopApi } from "../shop_api.ts";

const PETS = shopApi({
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
const LIMIT = { type: "integer", maximum: 9 };
const TRAFFIC = [{
  request: { method: "GET", url: "/pets?limit=5" },
  response: { status_code: 200 },
}];

async function inPets(
  test: (run: (formats: string) => Promise<string>) => Promise<void>,
): Promise<void> {
  const files = { "parts/limit.json": LIMIT, "pets.json": PETS, "traffic.json": TRAFFIC };
  await inWorkingFolder(files, () =>
    test(async (formats) => {
      const { out, err } = await succeeds(runCovtool(`report pets.json traffic.json ${formats}`, {
        variables: { COLUMNS: "500" },
      }));
      return err + out;
    }));
}

const lines = (text: string): string[] => text.split("\n");

Deno.test("lcov of single-line JSON uses the lines of a formatted copy beside it, and warns", () =>
  inPets(async (run) => {
    const err = await run("--format lcov=out/pets.info");
    const info = lines(await Deno.readTextFile("out/pets.info"));
    const copies = ["pets", "limit"].map((name) => `out/${name}.formatted.json`);
    assert.deepEqual(
      info.filter((line) => line.startsWith("SF:")),
      copies.map((path) => `SF:${path}`),
    );
    const [pets = "", limit = ""] = await Promise.all(
      copies.map((path) => Deno.readTextFile(path)),
    );
    assert.deepEqual(JSON.parse(pets), PETS);
    // Each covered line of the copy belongs to something that was seen.
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

Deno.test("Cobertura and SARIF of single-line JSON refer to the formatted copy too", () =>
  inPets(async (run) => {
    await run("--format cobertura=out/c.xml --format sarif=out/s.sarif");
    assert.match(await Deno.readTextFile("out/c.xml"), /filename="out\/pets\.formatted\.json"/);
    const { runs: [{ results }] } = JSON.parse(await Deno.readTextFile("out/s.sarif"));
    assert.ok(results.length > 3);
    for (const { locations: [{ physicalLocation: { artifactLocation, region } }] } of results) {
      assert.match(artifactLocation.uri, /^out\/(?:pets|limit)\.formatted\.json$/);
      assert.ok(region.startLine > 1);
    }
  }));

Deno.test("on standard output, lines are the description's own, with a warning that says what would help", () =>
  inPets(async (run) => {
    const text = await run("--format lcov");
    assert.match(text, /^SF:pets\.json$/m);
    assert.match(
      text,
      /pets\.json has 1 line for \d+ items to cover, so line coverage means little\. Write to a file \(--format lcov=coverage\.info\)/,
    );
    const files = [...Deno.readDirSync(".")].map(({ name }) => name).sort();
    assert.deepEqual(files, ["parts", "pets.json", "traffic.json"]);
  }));

Deno.test("a description with enough lines gets no copy and no warning", () =>
  inPets(async (run) => {
    await Deno.writeTextFile("pets.json", JSON.stringify(PETS, null, 2));
    await Deno.writeTextFile("parts/limit.json", JSON.stringify(LIMIT, null, 2));
    const err = await run("--format lcov=pets.info");
    assert.doesNotMatch(err, /items to cover/);
    assert.match(await Deno.readTextFile("pets.info"), /^SF:pets\.json$/m);
  }));

Deno.test("a formatted copy never replaces another file, and then no report is written", () =>
  inPets(async () => {
    const path = "pets.formatted.json";
    const map = await CoverageMap.fromPath("pets.json");
    await Deno.writeTextFile(path, "MINE\n");
    for (const format of ["lcov", "cobertura", "sarif"] as const) {
      const outputFile = "report.out";
      const report = `report pets.json traffic.json --format ${format}=${outputFile}`;
      const { err } = await fails(runCovtool(report));
      assert.match(
        err.replaceAll("\n", " "),
        /^Error: The formatted copy would overwrite .*pets\.formatted\.json, which covtool did not write\. Move it away, or write the report to another folder\. covtool: exit 1: error $/,
      );
      await assert.rejects(map.saveReport({ format, outputFile }), /which covtool did not write/);
      assert.equal(await Deno.readTextFile(path), "MINE\n");
      await assert.rejects(Deno.stat(outputFile), Deno.errors.NotFound);
    }
  }));

Deno.test("saveReport() writes formatted copies too", () =>
  inPets(async () => {
    const map = await CoverageMap.fromPath("pets.json");
    await map.saveReport({ format: "lcov", outputFile: "l/pets.info" });
    assert.match(await Deno.readTextFile("l/pets.info"), /^SF:l\/pets\.formatted\.json$/m);
    assert.deepEqual(JSON.parse(await Deno.readTextFile("l/pets.formatted.json")), PETS);
  }));

Deno.test("copyPaths() gives each copy a unique name", () => {
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

Deno.test("each description has one copy, even if several have the same name or API", () =>
  inWorkingFolder({
    "books/openapi.json": JSON.stringify(PETS).replace("pets", "books"),
    "books/parts/limit.json": LIMIT,
    "orders/openapi.json": JSON.stringify(PETS).replace("pets", "orders"),
    "orders/parts/limit.json": LIMIT,
    "traffic.json": TRAFFIC,
  }, async () => {
    const apis = [
      { name: "Books", schema: "books/openapi.json", hosts: "books.example" },
      { name: "Orders", schema: "orders/openapi.json", hosts: "orders.example" },
      { name: "Archive", schema: "books/openapi.json", hosts: "archive.example" },
    ];
    await writeJson("covtool.yaml", { traffic: "traffic.json", apis });
    for (let run = 0; run < 2; run++) {
      await succeeds(runCovtool(
        "report --format lcov=out/a.info --format cobertura=out/a.xml --format sarif=out/a.sarif",
      ));
      const info = lines(await Deno.readTextFile("out/a.info"));
      assert.deepEqual(
        info.filter((line) => line.startsWith("SF:")).sort(),
        ["limit-2", "limit", "openapi-2", "openapi"].map((name) => `SF:out/${name}.formatted.json`),
      );
    }
    const titles = ["openapi", "openapi-2"].map(async (name) =>
      JSON.parse(await Deno.readTextFile(`out/${name}.formatted.json`)).paths
    );
    assert.deepEqual((await Promise.all(titles)).map((paths) => Object.keys(paths)), [
      ["/books"],
      ["/orders"],
    ]);
  }));
