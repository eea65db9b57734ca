/**
 * Compares suggested requests with those of Schemathesis' coverage phase, and with the answers of Prism, a validating
 * mock, on 20 small descriptions. Prints tables in Markdown, and on standard error each answer that isn't of the kind
 * that its request calls for.
 *
 *     deno run -A tests/bench/suggest_with_mock.ts
 *
 * Both programs are installed into .cache/bench when first needed, from npm and PyPI, unless `PRISM` and `SCHEMATHESIS`
 * name programs. What can't be installed is skipped, and said to be.
 *
 * @module
 */
import { basename } from "node:path";
import { print } from "../../scripts/print.ts";
import { type Row, table } from "./markdown_table.ts";
import { measureWithMock, smallDescriptions } from "./measure_mock.ts";
import type { Measured } from "./measured.ts";
import { PRISM, prismProgram, SCHEMATHESIS, schemathesisProgram } from "./outside_tools.ts";

const NUMBER = 20;

/** The cells of a description, or of all. */
function rowOf(name: string, measured: Measured): Row {
  const share = (part: string, total: string) =>
    measured[part] === undefined ? "–" : `${measured[part]} of ${measured[total] ?? 0}`;
  return [
    name,
    measured["suggested"] ?? 0,
    share("keywords", "keywordTotal"),
    measured["otherSent"] ?? "–",
    share("other keywords", "keywordTotal"),
    share("accepted", "valid"),
    share("refused", "broken"),
    measured["failed"] ?? 0,
  ];
}

function complain(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
}

const prism = prismProgram();
const schemathesis = schemathesisProgram();
if (prism === undefined) print(`Skipped: ${PRISM} cannot be installed.`);
else {
  if (schemathesis === undefined) {
    print(`Without Schemathesis: ${SCHEMATHESIS} cannot be installed.\n`);
  }
  const total: Measured = {};
  const both: Measured = {}; // where the other tool was measured too
  const rows: Row[] = [];
  for (const path of smallDescriptions(NUMBER)) {
    const name = basename(path, ".json");
    const measured = await measureWithMock(
      path,
      prism,
      schemathesis,
      ({ request: { method, url }, breaks }, status) =>
        complain(`${name}: ${status} for ${method} ${url}, ${breaks?.schema_path ?? "valid"}`),
    );
    if (measured["skipped"] !== undefined) {
      print(`Skipped: the mock of ${name} doesn't start.\n`);
      continue;
    }
    for (const [key, value] of Object.entries(measured)) {
      total[key] = (total[key] ?? 0) + value;
      if (measured["otherSent"] === undefined) continue;
      both[key] = (both[key] ?? 0) + value;
    }
    rows.push(rowOf(name, measured));
  }
  const head = [
    ...["Description", "suggested", "keywords both ways", "Schemathesis sends"],
    ...["keywords both ways", "valid accepted", "broken refused", "mock failed"],
  ];
  print(table("Suggesting requests: beside another tool, and a mock", head, [
    ...rows,
    rowOf("Together", total),
    rowOf("Together, where both were measured", both),
  ]));
  const reached = ["operations", "parameters", "keywords", "examples"].map((part): Row => {
    const of = measuredTotal(both, part);
    return [part, both[part] ?? 0, both[`other ${part}`] ?? 0, of];
  });
  print(table("Suggesting requests: what both reach", [
    ...["Part", "suggested", "Schemathesis", "of"],
  ], reached));
}

function measuredTotal(total: Measured, part: string): number {
  return total[`${part.slice(0, -1)}Total`] ?? 0;
}
