import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { statSync } from "node:fs";
import { constants } from "node:os";
import process from "node:process";
import { errorCode } from "../files/files.ts";
import { missingPermission } from "../files/missing_permission.ts";
import { CommandError } from "../run/command_error.ts";
import { type EndSignal, onEndSignals } from "./end_signals.ts";

/**
 * Runs a command with the streams of this process to its end. A first SIGTERM is passed on, a second signal kills it.
 *
 * @param onSignal Is called with the number of signals so far.
 * @returns Its exit code; 128 and the number of the signal where one ended it.
 */
export async function runChildToEnd(
  command: readonly string[],
  variables: Readonly<Record<string, string>>,
  onSignal: (signals: number) => void = () => {},
): Promise<number> {
  let child: ChildProcess | undefined;
  let signals = 0;
  // Before the command starts: whoever sees that it runs may end it at once.
  const stop = onEndSignals((signal) => {
    if (++signals > 1) child?.kill("SIGKILL");
    // Ctrl+C reaches the command by itself, since it has the same terminal.
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

/** Sends a signal as anybody would: of `kill()` of the child, Deno takes it for what ended the child, whatever did. */
function passOn(signal: EndSignal, pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}

/** Starts a command, by a shell on Windows: there, npm and its like are scripts, which only a shell can run. */
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
      ? `Command not found: ${name}. Check its name and that it is installed.`
      : missingPermission(error) ?? `Cannot run the command ${name}: ${reason}.`,
    error,
  );
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** The characters that have a meaning for cmd.exe. */
const META = /[()\][%!^"`<>&|;,*?\s]/g;

/**
 * A command and its arguments as one line for `cmd.exe /d /s /c`, in which each argument arrives as it is.
 *
 * Programs split their command line at spaces outside of quotes, where a backslash before a quote makes it a character;
 * before that, cmd.exe reads the line, to which `^` makes a character an ordinary one. A batch file, as `npm` is one,
 * has its arguments read by cmd.exe a second time.
 *
 * @param isBatch Whether the command is a batch file.
 */
export function windowsCommandLine(command: readonly string[], isBatch: boolean): string {
  const [name = "", ...args] = command;
  const escaped = args.map((arg) => {
    const once = escape(quote(arg));
    return isBatch ? escape(once) : once;
  });
  return [escape(name), ...escaped].join(" ");
}

/** True for a batch file; a command that isn't found may be built into cmd.exe, and counts as none. */
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
    // A name with an ending means that file first.
    const candidates = /\.\w+$/.test(name) ? [path] : [];
    candidates.push(...endings.map((ending) => path + ending));
    const found = candidates.find(isFile);
    if (found !== undefined) return /\.(?:bat|cmd)$/i.test(found);
  }
  return false;
}

/** As the C runtime, which nearly all programs are started by, reads it. */
function quote(arg: string): string {
  return `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}

function escape(text: string): string {
  return text.replace(META, "^$&");
}
