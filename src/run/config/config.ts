import type { ScopeEntry } from "../../map/scope_entry.ts";

/** Options by name, as files and test runners give them. Paths are resolved. */
export type NamedOptions = Readonly<Record<string, unknown>>;

/** The scope that a file or one of its APIs sets. */
interface ScopeConfig {
  /** Nothing else is measured; empty for everything. */
  readonly include: readonly ScopeEntry[];
  /** The exclusions. */
  readonly exclude: readonly ScopeEntry[];
}

/** One of several APIs. */
export interface ApiConfig extends ScopeConfig {
  /** Its name in reports; undefined for the title. */
  readonly name: string | undefined;
  /** Its description: a file or an http(s) URL. */
  readonly schema: string;
  /** Patterns of the hosts whose traffic belongs to it; empty for all. */
  readonly hosts: readonly string[];
  /** Its own options, which come before those of the whole file: `basePath`, `title`, thresholds. */
  readonly options: NamedOptions;
  /** The line of the entry: `covtool.yaml:12`. */
  readonly source: string;
}

/** The contents of a config file. */
export interface Config extends ScopeConfig {
  /** The file, as messages name it. */
  readonly path: string;
  /** The folder that its paths are relative to, absolute. */
  readonly folder: string;
  /** The options of commands and test runners. */
  readonly options: NamedOptions;
  /** The options of `covtool proxy`. */
  readonly proxy: NamedOptions;
  /** The options of `covtool compare`. */
  readonly compare: NamedOptions;
  /** Several APIs; empty where there is one, in the options. */
  readonly apis: readonly ApiConfig[];
}
