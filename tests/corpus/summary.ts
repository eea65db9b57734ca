import type { Examined } from "./examine_directory.ts";

const SAMPLES = 3;

/** How often something was found, in how many descriptions, and where. */
interface Tally {
  count: number;
  readonly names: Set<string>;
  readonly samples: string[];
}

function tally(entries: Iterable<readonly [key: string, name: string, sample: string]>) {
  const tallies = new Map<string, Tally>();
  for (const [key, name, sample] of entries) {
    let found = tallies.get(key);
    if (found === undefined) {
      found = { count: 0, names: new Set(), samples: [] };
      tallies.set(key, found);
    }
    found.count++;
    // One sample a description says more than many of one.
    if (!found.names.has(name) && found.samples.length < SAMPLES) found.samples.push(sample);
    found.names.add(name);
  }
  return [...tallies].sort(([, left], [, right]) => right.count - left.count);
}

function table(title: string, tallies: readonly (readonly [string, Tally])[]): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  const rows = tallies.map(([key, { count, names, samples }]) =>
    `| ${cell(key)} | ${count} | ${names.size} | ${cell(samples.join("<br>"))} |`
  );
  return [`| ${title} | times | descriptions | samples |`, "|---|---|---|---|", ...rows].join("\n");
}

/** What examining a directory came to, in Markdown: totals, what became a diagnostic, what cannot be hit and why. */
export function summaryOf(examined: readonly Examined[]): string {
  const diagnostics = examined.flatMap(({ name, examination }) =>
    (examination?.diagnostics ?? []).map(({ severity, code, schema_path, message }) =>
      [`${severity} ${code}`, name, `${name}${schema_path}: ${message}`] as const
    )
  );
  const findings = examined.flatMap(({ name, examination }) =>
    (examination?.findings ?? []).map(({ kind, reason, text }) =>
      [`${kind}: ${reason ?? "WRONG"}`, name, `${name}: ${text}`] as const
    )
  );
  const thrown = examined.flatMap(({ name, exception }) =>
    exception ? [`${name}: ${exception}`] : []
  );
  const total = (of: "operations" | "parameters" | "recorded" | "counters") =>
    examined.reduce((sum, { examination }) => sum + (examination?.[of] ?? 0), 0)
      .toLocaleString("en-US");
  return [
    `${examined.length} descriptions with ${total("operations")} operations and ` +
    `${total("parameters")} parameters; ` +
    `${total("recorded")} requests recorded, ${total("counters")} counters compared.`,
    table("diagnostic", tally(diagnostics)),
    table("finding", tally(findings)),
    ...thrown.length === 0 ? ["Nothing was thrown."] : thrown,
  ].join("\n\n");
}
