import type { AccessEntry } from "../../map/access.ts";
import type { ScopeEntry } from "../../map/scope_pattern.ts";
import type { Identity } from "../../redact/identities.ts";

/** Options by name, as files and test runners give them. Paths are resolved. */
export type NamedOptions = Readonly<Record<string, unknown>>;

interface ScopeConfig {
  /** Nothing else is measured; empty for everything. */
  readonly include: readonly ScopeEntry[];
  readonly exclude: readonly ScopeEntry[];
  /** Who may do what, in the order of the file. */
  readonly access: readonly AccessEntry[];
}

export interface ApiConfig extends ScopeConfig {
  /** Its name in reports; undefined for the title. */
  readonly name: string | undefined;
  readonly schema: string;
  /** Patterns of the hosts whose traffic belongs to it; empty for all. */
  readonly hosts: readonly string[];
  /** Its own options, which come before those of the whole file: `basePath`, `title`, thresholds. */
  readonly options: NamedOptions;
  /** The line of the entry: `covtool.yaml:12`. */
  readonly source: string;
}

export interface Config extends ScopeConfig {
  readonly path: string;
  /** The folder that its paths are relative to, absolute. */
  readonly folder: string;
  readonly options: NamedOptions;
  readonly proxy: NamedOptions;
  readonly compare: NamedOptions;
  /** Those who send requests, with their credentials as far as they are known. */
  readonly identities: readonly Identity[];
  /** Several APIs; empty where there is one, in the options. */
  readonly apis: readonly ApiConfig[];
}
