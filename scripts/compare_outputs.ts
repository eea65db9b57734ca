/**
 * Compares what two commits print and write, byte for byte: the commands and fixtures that program and sources are
 * compared with, and the reports of four big descriptions over generated traffic. For changes that must not change
 * behaviour.
 *
 *     deno run -A scripts/compare_outputs.ts main~5         that commit against the work tree
 *     deno run -A scripts/compare_outputs.ts main~5 main    two commits
 *
 * The page's script and style are left out, since they change with every name in them. It ends with the line
 * "N passed, N failed".
 *
 * @module
 */
import assert from "node:assert/strict";
import { REPORT_FORMATS } from "../mod.ts";
import { descriptionPath } from "../tests/bench/descriptions.ts";
import { madeTraffic } from "../tests/bench/made_traffic.ts";
import { checkOut } from "./check_out.ts";
import { print } from "./print.ts";
import { type Outcome, runForOutcome } from "./program/outcome.ts";
import { type ProgramCase, programCases, tryCases } from "./program/program_cases.ts";
import { ROOT } from "./source_files.ts";
import { createTally } from "./tally.ts";
import { inFolder } from "../tests/in_folder.ts";

const BIG = ["GitHub", "Stripe", "Kubernetes", "Zoom"];
const INTERACTIONS = 2000;

/** Removes the script and style of a page; returns any other text unchanged. */
export function withoutCode(text: string): string {
  return text.replace(/(<(script|style)\b[^>]*>)[\s\S]*?(<\/\2>)/g, "$1$3")
    .replace(/sha256-[\w+/=]+/g, "sha256-");
}

function comparable({ code, out, err, files }: Outcome): unknown {
  return {
    code,
    out: withoutCode(out),
    err,
    files: [...files].map(([name, text]) => [name, withoutCode(text)]),
  };
}

/** Reports of big descriptions in every format. */
async function bigCases(temporary: string): Promise<ProgramCase[]> {
  const cases: ProgramCase[] = [];
  for (const name of BIG) {
    const description = descriptionPath(name);
    const traffic = `${temporary}/${name}.json`;
    await Deno.writeTextFile(
      traffic,
      JSON.stringify({ interactions: madeTraffic(description, 0, INTERACTIONS) }),
    );
    for (const format of REPORT_FORMATS) {
      cases.push({
        name: `the ${format} report of ${name}`,
        args: ["report", description, traffic, "--format", `${format}=OUT/report`],
      });
    }
  }
  return cases;
}

if (import.meta.main) {
  const [base, head] = Deno.args;
  if (base === undefined) {
    print("Name a commit to compare with: deno run -A scripts/compare_outputs.ts main~5");
    Deno.exit(1);
  }
  const folders = [await checkOut(base), head === undefined ? ROOT : await checkOut(head)] as const;
  const { check, exit } = createTally();
  await inFolder({}, async (temporary) => {
    const cases = [...await programCases(ROOT), ...await bigCases(temporary)];
    await tryCases(cases, temporary, ({ name, args, stdin }, out) =>
      check(name, async () => {
        const options = { root: ROOT, folder: out, stdin };
        const outcomes: unknown[] = [];
        for (const folder of folders) {
          const sources = ["run", "-A", "--config", `${folder}/deno.json`, `${folder}/cli.ts`];
          outcomes.push(
            comparable(await runForOutcome(Deno.execPath(), [...sources, ...args], options)),
          );
        }
        assert.deepEqual(outcomes[1], outcomes[0]);
      }));
  });
  exit();
}
