/** The little that is asked of `process`, which browsers do not have. */
interface Environment {
  readonly process?: { readonly cwd?: () => string };
}

/** The absolute path of the working directory; undefined if the platform has none or it may not be read. */
export function workingDirectory(): string | undefined {
  try {
    return (globalThis as Environment).process?.cwd?.();
  } catch {
    return undefined;
  }
}
