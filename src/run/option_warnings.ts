import {
  DEFAULT_FORMAT,
  formatList,
  formatsOfExtension,
  type Reporter,
  REPORTERS,
} from "../report/reporters.ts";
import type { Output } from "./outputs.ts";
import type { PublishOptions } from "./publish_options.ts";

/** Warnings about options that don't do what their user may expect: sentences. */
export function optionWarnings(options: PublishOptions, outputs: readonly Output[]): string[] {
  return [...misnamed(options), ...unused(options, outputs)];
}

/** `-o report.json` alone writes HTML, whatever the extension. */
function misnamed({ formats, output }: PublishOptions): string[] {
  const meant = formatsOfExtension(/\.(\w+)$/.exec(output ?? "")?.[1] ?? "");
  if (formats.length > 0 || meant.length === 0 || meant.includes(DEFAULT_FORMAT)) return [];
  const names = meant.join(" or ");
  const added = meant.map((format) => `--format ${format}`).join(" or ");
  return [`${output} contains HTML. For ${names} add ${added}.`];
}

/** Options of reporters that aren't asked for. */
function unused(given: PublishOptions, outputs: readonly Output[]): string[] {
  const all: readonly Reporter[] = REPORTERS;
  const options = new Set(all.flatMap(({ options }) => options));
  return [...options].filter((option) => isGiven(given[option])).flatMap((option) => {
    const readers = all.filter((reporter) => reporter.options.includes(option))
      .map(({ name }) => name);
    if (outputs.some(({ format }) => readers.includes(format))) return [];
    return [`${flagOf(option)} is ignored without --format ${formatList(readers)}.`];
  });
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

/** `baseReport` as `--base-report`. */
function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
