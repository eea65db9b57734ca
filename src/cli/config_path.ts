import { findConfig } from "../run/config/find_config.ts";

/** The options that name a config file. */
export interface ConfigChoice {
  /** The file of `--config`. */
  readonly config: string | undefined;
  /** `--no-config`. */
  readonly noConfig: boolean;
}

/**
 * The config file of a command; undefined if there is none.
 *
 * @throws {CommandError} if a folder has several.
 */
export function configPath({ config, noConfig }: ConfigChoice): string | undefined {
  return config ?? (noConfig ? undefined : findConfig());
}
