import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { statSync } from "node:fs";
import { constants } from "node:os";
import process from "node:process";
import { errorCode } from "../files/files.ts";
import { missingPermission } from "../files/missing_permission.ts";
import { CommandError } from "../run/command_error.ts";
import { type EndSignal, onEndSignals } from "./end_signals.ts";

/**
 * Runs a command to its end, with this process's streams. The first SIGTERM is forwarded, the second signal kills it.
 *
 * @param onSignal Called with the number of signals so far.
 * @returns The exit code; 128 plus the number of the signal if one ended the command.
 */
export async function runChildToEnd(
  command: readonly string[],
  variables: Readonly<Record<string, string>>,
  onSignal: (signals: number) => void = () => {},
): Promise<number> {
  let child: ChildProcess | undefined;
  let signals = 0;
  // Listen before the command starts: a signal may come as soon as it runs.
  const stop = onEndSignals((signal) => {
    if (++signals > 1) child?.kill("SIGKILL");
    // The terminal sends Ctrl+C to the command as well.
    else if (signal === "SIGTERM") passOn(signal, child?.pid);
    onSignal(signals);
  });
  try {
    const started = child = spawnCommand(command, variables, { stdio: "inherit" });
    return await new Promise<number>((resolve, reject) => {
      started.once("error", (error) => reject(startError(command, error)));
      started.once("exit", (code, signal) => {
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal] ?? 0));
      });
    });
  } finally {
    stop();
  }
}

/** Forwards a signal. `child.kill()` isn't used: Deno would report that signal as the cause of the child's end. */
function passOn(signal: EndSignal, pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch {
    // The child has just ended.
  }
}

/** Starts a command. On Windows, through a shell: npm and similar commands are scripts there. */
export function spawnCommand(
  command: readonly string[],
  variables: Readonly<Record<string, string>>,
  own: Pick<SpawnOptions, "stdio" | "detached">,
): ChildProcess {
  const [name = "", ...args] = command;
  const shell = process.platform === "win32";
  const options: SpawnOptions = { ...own, env: { ...process.env, ...variables }, shell };
  return shell
    ? spawn(windowsCommandLine(command, isBatchCommand(name, process.env, isFile)), options)
    : spawn(name, args, options);
}

export function startError([name = ""]: readonly string[], error: Error): CommandError {
  const code = errorCode(error);
  const reason = code === "EACCES" ? "it is not an executable file" : error.message;
  return new CommandError(
    code === "ENOENT"
      ? `Command not found: ${name}. ${
        /^[\w.-]+\s/.test(name)
          ? `Leave out the quotes around the whole command: -- ${name}`
          : "Check its name and that it is installed."
      }`
      : missingPermission(error) ?? `Cannot run the command ${name}: ${reason}.`,
    error,
  );
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Characters with a special meaning in cmd.exe. */
const META = /[()\][%!^"`<>&|;,*?\s]/g;

/**
 * Joins a command and its arguments into a line for `cmd.exe /d /s /c` that keeps each argument intact.
 *
 * Programs split their command line at spaces outside quotes; a backslash escapes a quote. Before that, cmd.exe parses
 * the line, where `^` escapes a special character. For a batch file, such as `npm`, cmd.exe parses the arguments a
 * second time.
 */
export function windowsCommandLine(command: readonly string[], isBatch: boolean): string {
  const [name = "", ...args] = command;
  const escaped = args.map((arg) => {
    const once = escape(quote(arg));
    return isBatch ? escape(once) : once;
  });
  return [escape(name), ...escaped].join(" ");
}

/** True for a batch file. False for a command that isn't found: it may be built into cmd.exe. */
export function isBatchCommand(
  name: string,
  variables: Readonly<Record<string, string | undefined>>,
  isFile: (path: string) => boolean,
): boolean {
  const value = (wanted: string): string =>
    Object.entries(variables).find(([key]) => key.toUpperCase() === wanted)?.[1] ?? "";
  const endings = (value("PATHEXT") || ".COM;.EXE;.BAT;.CMD").split(";");
  const folders = /[\\/]/.test(name) ? [""] : ["", ...value("PATH").split(";")];
  for (const folder of folders) {
    const path = folder === "" ? name : `${folder.replace(/[\\/]$/, "")}\\${name}`;
    // If the name has an extension, the file of exactly that name is tried first.
    const candidates = /\.\w+$/.test(name) ? [path] : [];
    candidates.push(...endings.map((ending) => path + ending));
    const found = candidates.find(isFile);
    if (found !== undefined) return /\.(?:bat|cmd)$/i.test(found);
  }
  return false;
}

/** Quotes an argument for the C runtime, which parses the command line of nearly all programs. */
function quote(arg: string): string {
  return `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}

function escape(text: string): string {
  return text.replace(META, "^$&");
}
