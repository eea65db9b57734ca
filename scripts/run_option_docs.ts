import { optionKeys } from "../src/run/options/option.ts";
import { optionsIn, RUNNER_GROUPS } from "../src/run/options/options.ts";

export const RUN_OPTIONS_PATH = "src/runners/run_options.ts";

const START = "  // Written by scripts/config_schema.ts from src/run/options/options.ts.\n";
const END = "  // End of what is written.\n";
const LONGEST_LINE = 120;
const LONGEST_CODE = 100;

/** Returns the source of the test runners' options, with a member for each option and its command-line help. */
export function withOptionDocs(source: string): string {
  const start = source.indexOf(START) + START.length;
  const end = source.indexOf(END);
  if (end < start || start < START.length) throw new Error(`${RUN_OPTIONS_PATH} lacks its marks.`);
  return `${source.slice(0, start)}${optionMembers()}${source.slice(end)}`;
}

function optionMembers(): string {
  return optionsIn(RUNNER_GROUPS).flatMap(({ name, option }) => {
    const { kind: { type = "string" }, isList, help, runnerHelp, alias } = option;
    const values = isList
      ? `${type} | readonly ${type.includes("|") ? `(${type})` : type}[]`
      : type;
    return optionKeys(name, option).map((key) => {
      const text = key === alias
        ? `Another name of \`${name}\`.`
        : runnerHelp ?? keyText(help).replace(/^Exit with 1\b/, "Fail the run");
      return `${writeComment(text)}${writeMember(key, values)}`;
    });
  }).join("");
}

function writeMember(key: string, values: string): string {
  const line = `  readonly ${key}?: ${values} | undefined;`;
  if (line.length <= LONGEST_CODE) return `${line}\n`;
  const types = `${values} | undefined`.split(/ \| (?![^(]*\))/).map((type) => `\n    | ${type}`);
  return `  readonly ${key}?:${types.join("")};\n`;
}

function writeComment(text: string): string {
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

/** Rewords the command-line help of an option for a config file. */
export function keyText(help: string): string {
  return help
    .replace(/;? Can be repeated(; later values win)?\./gi, "")
    .replace(/Can be repeated; (\w)/, (_match, letter: string) => letter.toUpperCase())
    .replace(/; can be repeated\./gi, ".")
    .replace(/Comma-separated (\w)/, (_match, letter: string) => letter.toUpperCase())
    .replace("comma-separated ", "")
    .replace(/ Comma-separated\.?$/, "")
    .replace(
      /--([a-z-]+[a-z])/g,
      (_match, name: string) =>
        `\`${name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())}\``,
    );
}
