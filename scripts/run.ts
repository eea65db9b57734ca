export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  /** The working directory; this process's by default. */
  readonly cwd?: string;
  /** Environment variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command to its end and returns its output. */
export async function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ended> {
  // On Windows, npm and npx are scripts, which only a shell finds without their extension.
  const name = Deno.build.os === "windows" && /^np[mx]$/.test(command) ? `${command}.cmd` : command;
  const { code, stdout, stderr } = await new Deno.Command(name, {
    args: [...args],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...options.env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

/** Runs a command that must succeed; returns its standard output. */
export async function runOrThrow(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { code, out, err } = await run(command, args, options);
  if (code !== 0) {
    throw new Error(`${command} ${args.join(" ")} ends with ${code}:\n${out}${err}`);
  }
  return out;
}
