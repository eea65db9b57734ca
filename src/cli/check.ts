import { existsSync } from "node:fs";
import { trustAuthorities } from "../files/authorities.ts";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import { checkIdentities } from "../redact/identities.ts";
import type { Report, ReportExclusion } from "../report/report.ts";
import { withoutCommands } from "../report/text/plain_text.ts";
import { formatAmount } from "../report/wording/amounts.ts";
import { diagnosticPlace } from "../report/wording/place_name.ts";
import { CommandError, usageError } from "../run/command_error.ts";
import type { Config } from "../run/config/config.ts";
import { checkConfig, type CheckedConfig, sourceName } from "../run/config/read_config.ts";
import { errorSentences, sanitizeMessage } from "../run/error_sentences.ts";
import { findRecordings } from "../run/find_recordings.ts";
import { type Host, layoutFor } from "../run/host.ts";
import { apiName, type Description, loadMap, namesakeSentence } from "../run/load_apis.ts";
import { resolveApis, resolveOptions } from "../run/options/resolve_options.ts";
import { shareStale } from "../run/publish.ts";
import { append } from "../values/collections.ts";
import { COMMAND_GROUPS, type Given } from "./command_groups.ts";
import { configPath } from "./configured.ts";

/** Something wrong with the settings or the description. */
interface Finding {
  readonly severity: "error" | "warning";
  /** The file with line and column, as far as they are known. */
  readonly place: string;
  /** A sentence. */
  readonly message: string;
  /** The kind of error, for programs (default: `config`). */
  readonly code?: string;
  /** What was thrown, where something was. */
  readonly cause?: unknown;
}

/** `covtool check`: says what is wrong with the config file, its exclusions and the description, without measuring. */
export async function check(options: Given<"check">, host: Host): Promise<number> {
  const path = configPath(options);
  if (path === undefined && options.schema === undefined) {
    throw usageError(
      "There is no covtool.yaml in this folder or above it. Write one with covtool init, or name a description: covtool check openapi.yaml",
    );
  }
  const findings: Finding[] = [];
  const checked = path === undefined ? undefined : checkConfig(path);
  for (const { line, column, message } of checked?.problems ?? []) {
    findings.push({ severity: "error", place: `${path}:${line}:${column}`, message });
  }
  const config = checked?.config;
  if (config !== undefined && checked !== undefined) {
    append(findings, await checkFiles(config, checked));
  }
  append(findings, await checkDescriptions(checkedDescriptions(options, config), checked, host));
  return await say(findings, options, host, path);
}

function checkedDescriptions(
  given: Given<"check">,
  config: Config | undefined,
): readonly Description[] {
  const { schema, ...options } = resolveOptions(COMMAND_GROUPS.check, given, config);
  trustAuthorities(options.ca);
  if (schema !== undefined) return [{ ...options, schema }];
  return config === undefined ? [] : resolveApis(COMMAND_GROUPS.check, given, config);
}

async function checkFiles(
  { options, apis }: Config,
  { path, locations }: CheckedConfig,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const warn = (pointer: string, message: string): void => {
    const { line, column } = locations.get(pointer) ?? { line: 1, column: 1 };
    findings.push({ severity: "warning", place: `${path}:${line}:${column}`, message });
  };
  if (options["schema"] === undefined && apis.length === 0) {
    warn("", "It names no description. Set schema to a file or URL.");
  }
  const traffic = options["traffic"];
  for (const [index, name] of listed(traffic).entries()) {
    const pointer = Array.isArray(traffic) ? `/traffic/${index}` : "/traffic";
    if (name === STANDARD_INPUT) continue;
    try {
      for (const found of await findRecordings([name])) {
        if (!existsSync(found.path)) warn(pointer, `There is no file ${name}.`);
      }
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      warn(pointer, error.message);
    }
  }
  for (const key of ["env", "ca", "baseline", "baseReport"]) {
    for (const [index, name] of listed(options[key]).entries()) {
      const pointer = Array.isArray(options[key]) ? `/${key}/${index}` : `/${key}`;
      if (!existsSync(name)) warn(pointer, `There is no file ${name}.`);
    }
  }
  return findings;
}

function listed(value: unknown): readonly string[] {
  return value === undefined ? [] : [value].flat().map(String);
}

async function checkDescriptions(
  descriptions: readonly Description[],
  checked: CheckedConfig | undefined,
  host: Host,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const reports = new Map<Description, Report>();
  const sources = new Map<string, string>();
  const problem = identityProblem(checked?.config);
  if (problem !== undefined) findings.push(problem);
  const ignored = problem && { identities: undefined, access: undefined };
  for (const description of descriptions) {
    const { schema, source } = description;
    try {
      const map = await loadMap({ ...description, ...ignored });
      reports.set(description, map.report({ generatedAt: new Date(host.now()).toISOString() }));
      if (source === undefined) continue;
      const name = apiName({ name: description.name }, map);
      const namesake = sources.get(name);
      sources.set(name, source);
      if (namesake === undefined) continue;
      const message = namesakeSentence(name, namesake);
      findings.push({ severity: "error", place: source, message });
    } catch (error) {
      const message = errorSentences(error);
      findings.push({ severity: "error", place: schema, message, cause: error });
    }
  }
  for (const [{ schema }, report] of reports) {
    const shared = shareStale(report, () => [...reports.values()]);
    append(findings, reportFindings(schema, shared, checked));
  }
  return findings;
}

/** The first of the identities in the config file that can't be used. */
function identityProblem(config: Config | undefined): Finding | undefined {
  try {
    checkIdentities(config?.identities ?? []);
    return undefined;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [, place = "", message = ""] = /^(.*?:\d+): (.*)$/s.exec(error.message) ?? [];
    return { severity: "error", place, message };
  }
}

function reportFindings(
  schema: string,
  report: Report,
  checked: CheckedConfig | undefined,
): Finding[] {
  const problems = report.diagnostics.flatMap((diagnostic) => {
    const { severity, schema_path, message, code } = diagnostic;
    const place = diagnosticPlace(diagnostic, schema) ??
      (schema_path === "" ? schema : `${schema}:${schema_path}`);
    return severity === "info" ? [] : [{ severity, place, message, code }];
  });
  const columns = checked && columnsOf(checked);
  return [
    ...problems,
    ...(report.exclusions ?? []).flatMap(({ stale, source }: ReportExclusion): Finding[] => {
      const column = columns?.get(source);
      const place = column === undefined ? source : `${source}:${column}`;
      return stale === null ? [] : [{ severity: "warning", place, message: stale }];
    }),
  ];
}

/** The columns of the entries of scopes, by the file and line that reports name. */
function columnsOf({ path, locations }: CheckedConfig): ReadonlyMap<string, number> {
  const entries = [...locations].filter(([pointer]) =>
    /\/(?:include|exclude)(?:\/\d+)?$/.test(pointer)
  );
  // The entries of a list come after the list, which may be on the same line.
  const sorted = entries.toSorted(([one], [other]) => one.length - other.length);
  return new Map(sorted.map(([, { line, column }]) => [sourceName(path, line), column]));
}

async function say(
  findings: readonly Finding[],
  { color }: Given<"check">,
  host: Host,
  path: string | undefined,
): Promise<number> {
  const { colors } = layoutFor(host, color, host.stdout);
  const lines = findings.map(({ severity, place, message }) => {
    const word = severity === "error" ? colors.red.bold("error:") : colors.yellow("warning:");
    return `${sanitizeMessage(place)}: ${word} ${sanitizeMessage(message)}`;
  });
  const errors = findings.filter(({ severity }) => severity === "error");
  const counts = [
    formatAmount(errors.length, "error"),
    formatAmount(findings.length - errors.length, "warning"),
  ];
  const checked = path === undefined ? "" : `Checked ${sanitizeMessage(path)}: `;
  lines.push(
    findings.length === 0 ? `${checked}nothing is wrong.` : `${checked}${counts.join(", ")}.`,
  );
  await host.stdout.write(withoutCommands(lines.join("\n")) + "\n");
  const [first] = errors;
  if (first !== undefined) throw shownError(first);
  return 0;
}

/** The error for a finding that standard output has; its place is that of what was thrown, if that has one. */
function shownError({ place, message, cause, code = "config" }: Finding): CommandError {
  const [, location = place, line, column] = /^(.*?)(?::(\d+))?(?::(\d+))?$/s.exec(place) ?? [];
  const position = {
    ...(line !== undefined && { line: Number(line) }),
    ...(column !== undefined && { column: Number(column) }),
  };
  const details = cause === undefined ? { code, location, ...position } : undefined;
  return new CommandError(message, cause, details, true);
}
