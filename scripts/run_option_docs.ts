import { REPORT_FORMATS } from "../src/report/reporters.ts";
import { flagOf, type Option, RUN_OPTIONS } from "../src/run/options/options.ts";
import { helpOf } from "./option_help.ts";

/** The path of the options of test runners in the project. */
export const RUN_OPTIONS_PATH = "src/runners/run_options.ts";

const LONGEST_LINE = 120;

/** The texts of options that differ in test runners, with the reason. */
const OWN_TEXTS: Readonly<Record<string, string>> = {
  // The config file may have it.
  schema: `${helpOf("SCHEMA")} Required, here or in the config file.`,
  // Its format is printed anyway, and without a path a report goes to a file.
  format:
    `Reports to write, in addition to the text that is printed (default: none): ${formatList()}, each ` +
    "optionally with a path: `json=reports/api.json`.",
  // Standard output belongs to the runner.
  output: "File of a single report.",
  // Only runners have it.
  print:
    "Print the text report when the tests are done (default: true). If false, a summary is printed.",
  baseReport: "Another name of `baseline`.",
};

function formatList(): string {
  const names = REPORT_FORMATS.filter((name) => name !== "text").map((name) => `\`${name}\``);
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** The source of `RunOptions` with a comment on each option that says what the help of the command line says. */
export function withOptionDocs(source: string): string {
  return Object.entries<Option>(RUN_OPTIONS).reduce((text, [name, option]) => {
    const help = OWN_TEXTS[name] ?? helpOf(flagOf(name, option));
    const comment = commentOf(help.replace(/^Exit with 1\b/, "Fail the run"));
    const before = new RegExp(`  /\\*\\*(?:(?!\\*/)[^])*\\*/\\n(?=  readonly ${name}\\?:)`);
    if (!before.test(text)) {
      throw new Error(`${RUN_OPTIONS_PATH} lacks a comment on ${name}.`);
    }
    return text.replace(before, () => comment);
  }, source);
}

function commentOf(text: string): string {
  const line = `  /** ${text} */`;
  if (line.length <= LONGEST_LINE) return `${line}\n`;
  const lines = ["  /**"];
  let current = "   *";
  for (const word of text.split(" ")) {
    if (current.length + 1 + word.length > LONGEST_LINE) {
      lines.push(current);
      current = "   *";
    }
    current += ` ${word}`;
  }
  return [...lines, current, "   */", ""].join("\n");
}
