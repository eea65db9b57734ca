/** A group of the JSON Schema Test Suite: a schema and what it says of some data. */
export interface SuiteGroup {
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

function isDirectory(path: string | URL): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

function findSuite(): URL | null {
  const named = Deno.env.get("JSON_SCHEMA_TEST_SUITE");
  const root = new URL("../../", import.meta.url);
  const place = named === undefined
    ? new URL("../shared/json-schema-test-suite/", root)
    : new URL(`file://${Deno.realPathSync(named)}/`);
  const tests = new URL("tests/draft2020-12/", place);
  return isDirectory(tests) ? tests : null;
}

/**
 * Where the tests of draft 2020-12 are: below the folder that `JSON_SCHEMA_TEST_SUITE` names, else below
 * `../shared/json-schema-test-suite`; null where there are none.
 */
export const suiteFolder: URL | null = findSuite();

/** Defines one test per file of the suite; without the suite it is ignored, and its name says so. */
export function testSuiteFile(file: string, run: (groups: readonly SuiteGroup[]) => void): void {
  Deno.test({
    name: suiteFolder === null
      ? `skipped, as JSON_SCHEMA_TEST_SUITE names no folder: ${file} of the JSON Schema Test Suite`
      : `${file} of the JSON Schema Test Suite is followed`,
    ignore: suiteFolder === null,
    fn: () => {
      if (suiteFolder === null) return;
      run(JSON.parse(Deno.readTextFileSync(new URL(file, suiteFolder))));
    },
  });
}
