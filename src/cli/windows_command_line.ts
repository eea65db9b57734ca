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
 *
 * @example
 * ```ts
 * import { windowsCommandLine } from "./windows_command_line.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(windowsCommandLine(["node", "-e", "a b"], false), 'node ^"-e^" ^"a^ b^"');
 * ```
 */
export function windowsCommandLine(command: readonly string[], isBatch: boolean): string {
  const [name = "", ...args] = command;
  const escaped = args.map((arg) => {
    const once = escape(quote(arg));
    return isBatch ? escape(once) : once;
  });
  return [escape(name), ...escaped].join(" ");
}

/**
 * True for a batch file. A command that isn't found may be built into cmd.exe, and counts as none.
 *
 * @param variables `PATH`, where programs are looked for, and `PATHEXT`, by which endings.
 * @param isFile Whether there is a file.
 */
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
