import type { CoveredBy, KeywordTests, TestList } from "../../map/covered_by.ts";
import type { ReportKeyword, TestIndexes } from "../report.ts";

/** Tests in the order of their names, so that a report is the same in whatever order they ran. */
export class ReportTests {
  readonly names: readonly string[];
  readonly #places: readonly number[];

  constructor({ names }: CoveredBy) {
    this.names = [...names].sort();
    const places = new Map(this.names.map((name, place) => [name, place]));
    this.#places = names.map((name) => places.get(name) ?? 0);
  }

  coveredBy(tests: TestList | undefined): { readonly covered_by?: TestIndexes } {
    return tests === undefined || tests.length === 0 ? {} : { covered_by: this.#inOrder(tests) };
  }

  coveredKeyword(tests: KeywordTests | undefined): Pick<ReportKeyword, "covered_by"> {
    return tests === undefined ? {} : {
      covered_by: { valid: this.#inOrder(tests.valid), invalid: this.#inOrder(tests.invalid) },
    };
  }

  #inOrder(tests: TestList): TestIndexes {
    return tests.map((test) => this.#places[test] ?? 0).sort((left, right) => left - right);
  }
}
