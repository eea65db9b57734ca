import type { CountedUnit } from "../schema/counted_unit.ts";
import { addTest, type CoveredBy, type ParameterTests, type TestList } from "./covered_by.ts";
import type { Hits } from "./hits.ts";

/** The coverage of tests, as it is saved with hits; tests by their index in the names. */
export interface CoveredByFile {
  readonly names: readonly string[];
  readonly operations: readonly OperationTestsFile[];
}

interface OperationTestsFile {
  readonly index: number;
  readonly tests: TestList;
  readonly parameters: readonly ParameterTestsFile[];
  readonly responses: readonly (readonly [index: number, tests: TestList])[];
  readonly undocumented: readonly (readonly [status: string, tests: TestList])[];
}

interface ParameterTestsFile {
  readonly index: number;
  readonly tests: TestList;
  readonly examples: readonly (readonly [index: number, tests: TestList])[];
  /** By slot. */
  readonly units: readonly (readonly [
    schema_path: string,
    slots: readonly (readonly [slot: number, tests: TestList])[],
  ])[];
}

/** The coverage of tests for a file of hits; undefined if no test is known. */
export function exportCoveredBy(hits: Hits): { readonly covered_by?: CoveredByFile } {
  const { coveredBy } = hits;
  if (!coveredBy.isUsed) return {};
  coveredBy.settle(hits.operations);
  const operations = coveredBy.operations.flatMap((operation, index): OperationTestsFile[] =>
    operation === undefined ? [] : [{
      index,
      tests: operation.tests,
      parameters: operation.parameters.flatMap((parameter, index) =>
        parameter === undefined ? [] : [parameterFile(parameter, index)]
      ),
      responses: entriesOf(operation.responses),
      undocumented: [...operation.undocumented],
    }]
  );
  return { covered_by: { names: coveredBy.names, operations } };
}

function parameterFile(parameter: ParameterTests, index: number): ParameterTestsFile {
  return {
    index,
    tests: parameter.tests,
    examples: entriesOf(parameter.examples),
    units: [...parameter.units].map(([unit, slots]) => [unit.root.pathOf(""), entriesOf(slots)]),
  };
}

function entriesOf(lists: readonly (TestList | undefined)[]): (readonly [number, TestList])[] {
  return lists.flatMap((tests, index) => tests === undefined ? [] : [[index, tests] as const]);
}

/** Adds what other tests covered. */
export function mergeCoveredBy(
  coveredBy: CoveredBy,
  file: CoveredByFile,
  units: ReadonlyMap<string, CountedUnit>,
): void {
  const indexes = file.names.map((name) => coveredBy.indexOf(name));
  const add = (list: number[], tests: TestList): void => {
    for (const test of tests) addTest(list, indexes[test] as number); // those of the names beside them
  };
  for (const saved of file.operations) {
    const operation = coveredBy.operation(saved.index);
    add(operation.tests, saved.tests);
    for (const [index, tests] of saved.responses) add(operation.responses[index] ??= [], tests);
    for (const [status, tests] of saved.undocumented) {
      let list = operation.undocumented.get(status);
      if (list === undefined) operation.undocumented.set(status, list = []);
      add(list, tests);
    }
    for (const { index, tests, examples, units: blocks } of saved.parameters) {
      const parameter = operation.parameter(index);
      add(parameter.tests, tests);
      for (const [index, tests] of examples) add(parameter.examples[index] ??= [], tests);
      for (const [path, slots] of blocks) {
        const unit = units.get(path);
        if (unit === undefined) continue; // what was counted has them all
        const lists = parameter.unit(unit);
        for (const [slot, tests] of slots) add(lists[slot] ??= [], tests);
      }
    }
  }
}
