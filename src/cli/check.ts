import { existsSync } from "node:fs";
import type { MeasuredApi } from "../coverage_map/measured_api.ts";
import { trustAuthorities } from "../files/authorities.ts";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import { checkIdentities, IdentityError } from "../redact/identities.ts";
import type { Report, ReportExclusion } from "../report/report.ts";
import { withoutCommands } from "../report/text/plain_text.ts";
import { formatAmount } from "../report/wording/amounts.ts";
import { diagnosticFile } from "../report/wording/place_name.ts";
import { CommandError, usageError } from "../run/command_error.ts";
import {
  checkConfig,
  type CheckedConfig,
  type Config,
  sourceFile,
} from "../run/config/read_config.ts";
import { errorSentences, sanitizeMessage } from "../run/error_sentences.ts";
import { findRecordings } from "../run/find_recordings.ts";
import { type Host, layoutFor } from "../run/host.ts";
import { type Description, loadMap, namesakeSentence } from "../run/load_apis.ts";
import { reportTime } from "../run/make_report.ts";
import { resolveApis, resolveOptions } from "../run/options/resolve_options.ts";
import { append } from "../values/collections.ts";
import type { Diagnostic } from "../values/diagnostic.ts";
import { COMMAND_GROUPS, type Given } from "./command_groups.ts";
import { configPath } from "./configured.ts";

interface Place {
  readonly location: string;
  readonly line?: number;
  readonly column?: number;
}

interface Finding {
  readonly severity: "error" | "warning";
  readonly place: Place;
  readonly message: string;
  /** The kind of error, for programs (default: `config`). */
  readonly code?: string;
  readonly cause?: unknown;
}

export async function check(options: Given<"check">, host: Host): Promise<number> {
  const path = configPath(options);
  if (path === undefined && options.schema === undefined) {
    throw usageError(
      "There is no covtool.yaml in this folder or above it. Write one with covtool init, or name a description: covtool check openapi.yaml",
    );
  }
  const findings: Finding[] = [];
  const checked = path === undefined ? undefined : checkConfig(path);
  const config = checked?.config;
  if (checked !== undefined) {
    for (const { line, column, message } of checked.problems) {
      const place = { location: checked.path, line, column };
      findings.push({ severity: "error", place, message });
    }
    if (config !== undefined) append(findings, await checkFiles(config, checked));
  }
  append(findings, await checkDescriptions(checkedDescriptions(options, config), checked, host));
  return await printFindings(findings, options, host, path);
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
  checked: CheckedConfig,
): Promise<Finding[]> {
  const { path, locations } = checked;
  const findings: Finding[] = [];
  const warn = (pointer: string, message: string): void => {
    const { line, column } = locations.get(pointer) ?? { line: 1, column: 1 };
    findings.push({ severity: "warning", place: { location: path, line, column }, message });
  };
  if (options["schema"] === undefined && apis.length === 0) {
    warn("", "It names no description. Set schema to a file or URL.");
  }
  for (const key of ["traffic", "env", "ca", "baseline", "baseReport"]) {
    for (const [index, name] of [options[key] ?? []].flat().map(String).entries()) {
      if (key === "traffic" && name === STANDARD_INPUT) continue;
      const pointer = Array.isArray(options[key]) ? `/${key}/${index}` : `/${key}`;
      try {
        const files = key === "traffic" ? await findRecordings([name]) : [{ path: name }];
        if (!files.every(({ path }) => existsSync(path))) {
          warn(pointer, `There is no file ${name}.`);
        }
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        warn(pointer, error.message);
      }
    }
  }
  const findPlace = placeFinder(checked);
  for (const { options: own, source } of apis) {
    const name = own["baseline"] ?? own["baseReport"];
    if (name === undefined || existsSync(String(name))) continue;
    const message = `There is no file ${name}.`;
    findings.push({ severity: "warning", place: findPlace(source), message });
  }
  return findings;
}

async function checkDescriptions(
  descriptions: readonly Description[],
  checked: CheckedConfig | undefined,
  host: Host,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const maps = new Map<Description, MeasuredApi>();
  const sources = new Map<string, string>();
  const findPlace = placeFinder(checked);
  const problem = identityProblem(checked?.config, findPlace);
  if (problem !== undefined) findings.push(problem);
  const ignored = problem && { identities: undefined, access: undefined };
  for (const description of descriptions) {
    const { schema, source } = description;
    try {
      const map = await loadMap({ ...description, ...ignored });
      maps.set(description, map);
      if (source === undefined) continue;
      const name = description.name ?? map.title;
      const namesake = sources.get(name);
      sources.set(name, source);
      if (namesake === undefined) continue;
      const message = namesakeSentence(name, namesake);
      findings.push({ severity: "error", place: findPlace(source), message });
    } catch (error) {
      const message = errorSentences(error);
      findings.push({ severity: "error", place: { location: schema }, message, cause: error });
    }
  }
  const generatedAt = reportTime(host);
  for (const [{ schema }, map] of maps) {
    const others = [...maps.values()].filter((other) => other !== map);
    append(findings, reportFindings(schema, map.report({ generatedAt }, others), findPlace));
  }
  // A mistake in settings that several APIs share is reported once.
  const unique = new Map(findings.map((one) => [JSON.stringify([one.place, one.message]), one]));
  return [...unique.values()];
}

function identityProblem(config: Config | undefined, findPlace: FindPlace): Finding | undefined {
  try {
    checkIdentities(config?.identities ?? []);
    return undefined;
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    return { severity: "error", place: findPlace(error.source ?? ""), message: error.sentence };
  }
}

function reportFindings(schema: string, report: Report, findPlace: FindPlace): Finding[] {
  const problems = report.diagnostics.flatMap((diagnostic): Finding[] => {
    const { severity, message, code } = diagnostic;
    const place = diagnosticPlace(diagnostic, schema);
    return severity === "info" ? [] : [{ severity, place, message, code }];
  });
  return [
    ...problems,
    ...(report.exclusions ?? []).flatMap(({ stale, source }: ReportExclusion): Finding[] =>
      stale === null ? [] : [{ severity: "warning", place: findPlace(source), message: stale }]
    ),
  ];
}

function diagnosticPlace({ schema_path, line, column }: Diagnostic, schema: string): Place {
  if (line === null) {
    return { location: schema_path === "" ? schema : `${schema}:${schema_path}` };
  }
  const location = diagnosticFile(schema_path, schema);
  return { location, line, ...(column !== null && { column }) };
}

/** Returns the place that a source such as `covtool.yaml:12` names. */
type FindPlace = (source: string) => Place;

function placeFinder(checked: CheckedConfig | undefined): FindPlace {
  const places = new Map<string, Place>();
  const location = sourceFile(checked?.path ?? "");
  // Sorted so that entries come after their list: both may be on the same line, and the entry has to win.
  const sorted = [...checked?.locations ?? []].sort(([one], [other]) => one.length - other.length);
  for (const [pointer, { line, column }] of sorted) {
    const isEntry = /\/(?:include|exclude)(?:\/\d+)?$/.test(pointer);
    const source = `${location}:${line}`;
    if (isEntry) places.set(source, { location, line, column });
    else if (!places.has(source)) places.set(source, { location, line });
  }
  return (source) => places.get(source) ?? { location: source };
}

async function printFindings(
  findings: readonly Finding[],
  { color }: Given<"check">,
  host: Host,
  path: string | undefined,
): Promise<number> {
  const { colors } = layoutFor(host, color, host.stdout);
  const lines = findings.map(({ severity, place, message }) => {
    const word = severity === "error" ? colors.red.bold("error:") : colors.yellow("warning:");
    return `${sanitizeMessage(placeText(place))}: ${word} ${sanitizeMessage(message)}`;
  });
  const errors = findings.filter(({ severity }) => severity === "error");
  const counts = [
    formatAmount(errors.length, "error"),
    formatAmount(findings.length - errors.length, "warning"),
  ];
  const checked = path === undefined ? "" : `Checked ${sanitizeMessage(path)}: `;
  lines.push(`${checked}${findings.length === 0 ? "nothing is wrong" : counts.join(", ")}.`);
  await host.stdout.write(withoutCommands(lines.join("\n")) + "\n");
  const [first] = errors;
  if (first !== undefined) throw printedError(first);
  return 0;
}

function placeText({ location, line, column }: Place): string {
  return [location, line, column].filter((part) => part !== undefined).join(":");
}

/** The error for a finding that was already printed. Its place is that of the cause, if there is a cause. */
function printedError({ place, message, cause, code = "config" }: Finding): CommandError {
  const details = cause === undefined ? { code, ...place } : undefined;
  return new CommandError(message, cause, details, true);
}
