import { formatMessage, type Message } from "@optique/core/message";
import { getDocPage, type Parser } from "@optique/core/parser";
import { COMMANDS } from "../src/cli/commands.ts";

/** The help of the command line on an option, in the words of a config file. */
export function helpOf(flag: string | undefined): string {
  const text = HELP.get(flag ?? "");
  if (text === undefined) throw new TypeError(`No command describes ${flag}.`);
  return text
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

/** The help of each option and argument, by its name. */
const HELP: ReadonlyMap<string, string> = helpTexts();

function helpTexts(): Map<string, string> {
  const texts = new Map<string, string>();
  for (const name of ["compare", "proxy", "run", "report"]) {
    const command = COMMANDS[name] as Parser<"sync", unknown, unknown>;
    for (const { entries } of getDocPage(command, [name])?.sections ?? []) {
      for (const { term, description } of entries) {
        const names = term.type === "option"
          ? term.names
          : term.type === "argument"
          ? [term.metavar]
          : [];
        for (const own of names) texts.set(own, textOf(description));
      }
    }
  }
  return texts;
}

function textOf(description: Message | undefined): string {
  return description === undefined ? "" : formatMessage(description, { quotes: false });
}
