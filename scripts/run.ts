/** The outcome of a command. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Folder, environment and input of a command. */
export interface RunOptions {
  /** The folder that it runs in; this one's by default. */
  readonly cwd?: string;
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command to its end and keeps what it wrote. */
export async function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ended> {
  // On Windows the programs of npm are scripts, which only a shell finds by their bare names.
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

/** Runs a command that has to succeed, and gives what it wrote to standard output. */
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
