import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { constants } from "node:os";
import process from "node:process";
import { missingPermission } from "../files/missing_permission.ts";
import { CommandError } from "../run/command_error.ts";
import { type EndSignal, onEndSignals } from "./end_signals.ts";
import { isBatchCommand, windowsCommandLine } from "./windows_command_line.ts";

/** A command that runs. */
export interface Child {
  /** Its exit code; 128 and the number of the signal where one ended it. */
  readonly ended: Promise<number>;
  /** Passes a signal on. */
  signal(signal: EndSignal | "SIGKILL"): void;
}

/**
 * Runs a command with the streams of this process.
 *
 * @param variables Are added to its environment.
 */
export function runChild(
  command: readonly string[],
  variables: Readonly<Record<string, string>>,
): Child {
  const [name = "", ...args] = command;
  // There, npm and its like are scripts, which only a shell can run.
  const shell = process.platform === "win32";
  const options = { stdio: "inherit", env: { ...process.env, ...variables }, shell } as const;
  const child = shell
    ? spawn(windowsCommandLine(command, isBatchCommand(name, process.env, isFile)), options)
    : spawn(name, args, options);
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", (error: Error & { readonly code?: unknown }) => {
      reject(
        new CommandError(
          error.code === "ENOENT"
            ? `Command not found: ${name}. Check its name and that it is installed.`
            : missingPermission(error) ?? `Cannot run the command ${name}: ${error.message}.`,
          error,
        ),
      );
    });
    child.once("exit", (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal] ?? 0));
    });
  });
  return { ended, signal: (signal) => void child.kill(signal) };
}

/**
 * Runs a command to its end. A first SIGTERM is passed on, a second signal kills the command.
 *
 * @param onKilled Called then.
 * @returns Its exit code.
 */
export async function runChildToEnd(
  command: readonly string[],
  variables: Readonly<Record<string, string>>,
  onKilled: () => void = () => {},
): Promise<number> {
  let child: Child | undefined;
  let signals = 0;
  // Before the command starts: whoever sees that it runs may end it at once.
  const stop = onEndSignals((signal) => {
    if (++signals > 1) {
      child?.signal("SIGKILL");
      onKilled();
      // Ctrl+C reaches the command by itself, since it has the same terminal.
    } else if (signal === "SIGTERM") child?.signal(signal);
  });
  try {
    child = runChild(command, variables);
    return await child.ended;
  } finally {
    stop();
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
