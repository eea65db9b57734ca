import type { AnnotatedSource } from "./description_view.ts";
import { MISSED, type PageSource, POSITIONS } from "./page_source.ts";

/**
 * Writes the description's text as the JSON text of a `PageSource`, in pieces.
 *
 * @returns The pieces, to be joined without a separator.
 */
export function* encodePageSource(source: AnnotatedSource): Generator<string> {
  const numbers = new Map<string, number>();
  const at: number[] = [];
  for (const [path, { file, line }] of source.positions) {
    numbers.set(path, numbers.size);
    POSITIONS.add(at, { file, line });
  }
  const number = (path: string): number => numbers.get(path) ?? -1;
  const lists = new Map<readonly string[], number>();
  const missed: number[] = [];
  source.operations.forEach((operation, index) =>
    operation.missed.forEach((paths, parameter) => {
      if (paths === undefined) return;
      if (!lists.has(paths)) lists.set(paths, lists.size);
      MISSED.add(missed, { operation: index, parameter, list: lists.get(paths) ?? 0 });
    })
  );
  const rest: Omit<PageSource, "regions"> = {
    files: source.files,
    paths: [...numbers.keys()],
    at,
    operations: source.operations.map(({ schema_path, responses }) => [
      number(schema_path),
      ...responses.map(number),
    ]),
    lists: [...lists.keys()].map((paths) => paths.map(number).filter((one) => one >= 0)),
    missed,
  };
  yield `${JSON.stringify(rest).slice(0, -1)},"regions":[`;
  let separator = "";
  for (const region of source.regions) {
    yield separator + JSON.stringify(region);
    separator = ",";
  }
  yield "]}";
}
