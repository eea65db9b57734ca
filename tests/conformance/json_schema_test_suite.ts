// Runs the required tests of the JSON Schema Test Suite against the validity that the counting evaluation derives.
import type { Json } from "../../src/values/json.ts";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Dialect,
  DRAFT_04,
  DRAFT_07,
  DRAFT_2019_09,
  DRAFT_2020_12,
} from "../../src/schema/dialect.ts";
import type { LoadedDocument } from "../../src/schema/part_positions.ts";
import { References } from "../../src/schema/references.ts";
import { Counters } from "../../src/schema/counters.ts";
import { SchemaGraph, type Subschema } from "../../src/schema/schema_node.ts";
import { SchemaProgram } from "../../src/schema/schema_unit.ts";
import { needing, type Requirement } from "../requirement.ts";

/** One file of the suite. */
interface SuiteFile {
  readonly name: string;
  readonly groups: readonly SuiteGroup[];
}

/** A schema in the suite, with its tests. */
export interface SuiteGroup {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly {
    readonly description: string;
    readonly data: Json;
    readonly valid: boolean;
  }[];
}

/** The tested drafts by the names of their folders. */
export const DRAFTS: readonly (readonly [draft: string, dialect: Dialect])[] = [
  ["draft4", DRAFT_04],
  ["draft7", DRAFT_07],
  ["draft2019-09", DRAFT_2019_09],
  ["draft2020-12", DRAFT_2020_12],
];

/** The suite's folder from `JSON_SCHEMA_TEST_SUITE` or beside the project; undefined if there is none. */
export function suiteFolder(): string | undefined {
  const beside = fileURLToPath(new URL("../../../shared/json-schema-test-suite", import.meta.url));
  const named = process.env["JSON_SCHEMA_TEST_SUITE"];
  return [named, beside].find((folder) =>
    folder !== undefined && existsSync(join(folder, "tests"))
  );
}

/** The requirement of the suite's tests. */
export function needsSuite(): Requirement {
  return {
    isMet: suiteFolder() !== undefined,
    reason: "no JSON Schema Test Suite; set JSON_SCHEMA_TEST_SUITE to its folder",
  };
}

/** Defines a test with one file of draft 2020-12. */
export function testSuiteFile(file: string, run: (groups: readonly SuiteGroup[]) => void): void {
  Deno.test({
    ...needing(needsSuite(), `${file} of the JSON Schema Test Suite is followed`),
    fn: () => {
      const path = join(suiteFolder() ?? "", "tests/draft2020-12", file);
      run(JSON.parse(readFileSync(path, "utf8")));
    },
  });
}

/** The required files of a draft, or its optional format tests. */
function suiteFiles(folder: string, draft: string): SuiteFile[] {
  const tests = join(folder, "tests", draft);
  return readdirSync(tests).filter((name) => name.endsWith(".json")).sort().map((name) => ({
    name,
    groups: JSON.parse(readFileSync(join(tests, name), "utf8")) as SuiteGroup[],
  }));
}

/** A schema in the suite with what it needs to be evaluated. */
export interface PlacedGroup {
  /** Draft, file and description. */
  readonly title: string;
  readonly group: SuiteGroup;
  readonly dialect: Dialect;
  /** Documents that references may lead to. */
  readonly documents: readonly LoadedDocument[];
}

/** The schemas of required tests in drafts (default: all); empty if the suite is missing. */
export async function draftGroups(drafts = DRAFTS): Promise<PlacedGroup[]> {
  const folder = suiteFolder();
  if (folder === undefined) return [];
  const documents = [...remoteDocuments(folder), ...await metaschemas()];
  return drafts.flatMap(([draft, dialect]) =>
    suiteFiles(folder, draft).flatMap(({ name, groups }) =>
      groups.map((group) => ({
        title: `${draft}/${name}: ${group.description}`,
        group,
        dialect,
        documents,
      }))
    )
  );
}

/** The documents under `remotes`, with the URIs that the suite gives them. */
function remoteDocuments(folder: string): LoadedDocument[] {
  const root = join(folder, "remotes");
  const found: LoadedDocument[] = [];
  const walk = (path: string) => {
    for (const name of readdirSync(join(root, path))) {
      const inner = path === "" ? name : `${path}/${name}`;
      if (statSync(join(root, inner)).isDirectory()) walk(inner);
      else if (name.endsWith(".json")) {
        const value = JSON.parse(readFileSync(join(root, inner), "utf8"));
        found.push({ uri: `http://localhost:1234/${inner}`, label: inner, value });
      }
    }
  };
  walk("");
  return found;
}

/** The metaschemas of JSON Schema from the ajv package. */
async function metaschemas(): Promise<LoadedDocument[]> {
  const vocabularies = ["schema", "meta/applicator", "meta/content", "meta/core"];
  const paths = [
    "json-schema-draft-07.json",
    ...["meta/format", "meta/meta-data", "meta/validation", ...vocabularies].map((name) =>
      `json-schema-2019-09/${name}.json`
    ),
    ...["meta/format-annotation", "meta/meta-data", "meta/unevaluated", "meta/validation"]
      .concat(vocabularies).map((name) => `json-schema-2020-12/${name}.json`),
  ];
  return await Promise.all(paths.map(async (path) => {
    const module = await import(`ajv/dist/refs/${path}`, { with: { type: "json" } });
    const value = module.default;
    return { uri: value.$id.replace(/#$/, ""), label: path, value };
  }));
}

/** Returns a function that is true if an instance is valid under a schema. */
export function validator(
  schema: unknown,
  dialect: Dialect,
  remotes: readonly LoadedDocument[],
): (instance: Json) => boolean {
  const { program, root } = compileSchema(schema, dialect, remotes);
  return (instance) => program.evaluate(root, instance, new Counters());
}

/** Returns a function that lists pointers of keywords that make an instance invalid; undefined for a boolean schema. */
export function causeFinder(
  schema: unknown,
  dialect: Dialect,
  remotes: readonly LoadedDocument[] = [],
): ((instance: Json, isSingle?: boolean) => string[]) | undefined {
  const { program, root } = compileSchema(schema, dialect, remotes);
  if (typeof root === "boolean") return undefined;
  const finder = program.causeFinder;
  return (instance, isSingle = false) =>
    finder[isSingle ? "singleCause" : "causes"](root, instance).map(({ rule }) => rule.path);
}

/** A schema of the suite in its own program. */
export function compileSchema(
  schema: unknown,
  dialect: Dialect,
  remotes: readonly LoadedDocument[],
): { readonly program: SchemaProgram; readonly root: Subschema } {
  const document: LoadedDocument = {
    uri: "https://covtool.example/schema.json",
    label: "",
    value: schema,
  };
  const identifiers = dialect.booleanSchemas;
  const references = new References([document, ...remotes], {
    hasIdentifiers: identifiers,
    ignoresRefSiblings: !dialect.refSiblings,
  });
  const graph = new SchemaGraph(references, dialect, {
    versioned: identifiers,
    formatAnnotates: true,
  });
  const program = new SchemaProgram(graph);
  const root = graph.nodeAt({ value: schema, document, pointer: "" });
  if (root === undefined) throw new TypeError("no schema");
  return { program, root };
}
