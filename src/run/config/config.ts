import type { AccessEntry } from "../../map/access.ts";
import type { ScopeEntry } from "../../map/scope_pattern.ts";
import type { Identity } from "../../redact/identities.ts";

/** Options by name, from config files and test runners. Paths are resolved. */
export type NamedOptions = Readonly<Record<string, unknown>>;

interface ScopeConfig {
  /** Patterns of the things to measure; empty for everything. */
  readonly include: readonly ScopeEntry[];
  readonly exclude: readonly ScopeEntry[];
  /** Rules of access, in the order of the file. */
  readonly access: readonly AccessEntry[];
}

export interface ApiConfig extends ScopeConfig {
  /** The name in reports; undefined for the description's title. */
  readonly name: string | undefined;
  readonly schema: string;
  /** Patterns of the hosts whose traffic belongs to the API; empty for all hosts. */
  readonly hosts: readonly string[];
  /** The API's own options, which override those of the file: `basePath`, `title`, thresholds. */
  readonly options: NamedOptions;
  /** The line of the entry: `covtool.yaml:12`. */
  readonly source: string;
}

export interface Config extends ScopeConfig {
  readonly path: string;
  /** The folder of the file, to which its paths are relative, as an absolute path. */
  readonly folder: string;
  readonly options: NamedOptions;
  readonly proxy: NamedOptions;
  readonly compare: NamedOptions;
  readonly identities: readonly Identity[];
  /** Several APIs; empty if there is just the API in the options. */
  readonly apis: readonly ApiConfig[];
}
