import { shellQuotation } from "../values/shell_word.ts";
import { builtin } from "./builtin.ts";

interface Paths {
  isAbsolute(path: string): boolean;
  relative(from: string, to: string): string;
}

/** The flags of Node.js by what its errors call a permission. */
const NODE_FLAGS: Readonly<Record<string, string>> = {
  FileSystemRead: "--allow-fs-read",
  FileSystemWrite: "--allow-fs-write",
  ChildProcess: "--allow-child-process",
  WorkerThreads: "--allow-worker",
  Net: "--allow-net",
};

/** Names and values that a shell reads as they are. */
const PLAIN = /^[\w./:@%+=,\\-]+$/;

/**
 * What an error says that the permissions of Deno or Node.js don't allow, with the flag that allows it.
 *
 * @returns Undefined for every other error.
 *
 * @example
 * ```ts
 * import { missingPermission } from "./missing_permission.ts";
 * import assert from "node:assert/strict";
 *
 * const error = new Error('Requires net access to "localhost:3000", run again with the --allow-net flag');
 * error.name = "NotCapable";
 * assert.equal(
 *   missingPermission(error),
 *   "Deno doesn't permit net access to localhost:3000: add --allow-net=localhost:3000 to its options.",
 * );
 * ```
 */
export function missingPermission(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const sentence = ofDeno(at) ?? ofNode(at);
    if (sentence !== undefined) return sentence;
    const { errors } = at as { readonly errors?: readonly unknown[] };
    const found = errors?.map(missingPermission).find((each) => each !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

function ofDeno({ name, message }: Error): string | undefined {
  if (name !== "NotCapable") return undefined;
  const variable = /spawn subprocess with (\w+) environment variable/.exec(message)?.[1];
  if (variable !== undefined) {
    return `Deno passes the environment variable ${variable} only to commands that --allow-run permits without a list: add --allow-run to its options, or unset ${variable}.`;
  }
  const [, kind, place] = /Requires (\w+) access(?: to ("[^]*?"|<CWD>|[^,\s]+))?(?:,|$)/
    .exec(message) ?? [];
  if (kind === undefined) return `Deno doesn't permit what covtool needs: ${message}.`;
  const what = place === undefined
    ? undefined
    : place === "<CWD>"
    ? "."
    : place.replace(/^"([^]*)"$/, "$1");
  // Deno takes a list, and a doubled comma for one that is in a name.
  return sentenceOf(
    "Deno",
    `${kind} access`,
    `--allow-${kind}`,
    what,
    (text) => text.replaceAll(",", ",,"),
  );
}

function ofNode(error: Error): string | undefined {
  const { code, permission, resource } = error as Error & Readonly<Record<string, unknown>>;
  if (code !== "ERR_ACCESS_DENIED") return undefined;
  const flag = NODE_FLAGS[String(permission)] ?? /--allow-[\w-]+/.exec(error.message)?.[0];
  if (flag === undefined) return `Node.js doesn't permit what covtool needs: ${error.message}.`;
  const isOfFiles = flag.startsWith("--allow-fs-");
  const kind = flag.replace(/^--allow-(?:fs-)?/, "").replace("-", " ");
  const place = isOfFiles && typeof resource === "string" && resource !== "" ? resource : undefined;
  return sentenceOf("Node.js", `${kind} access`, flag, place);
}

function sentenceOf(
  runtime: string,
  access: string,
  flag: string,
  place: string | undefined,
  escaped = (text: string): string => text,
): string {
  const shown = place === undefined ? undefined : shortened(place);
  const option = shown === undefined ? flag : `${flag}=${escaped(shown)}`;
  const where = shown === undefined ? "" : ` to ${shown}`;
  return `${runtime} doesn't permit ${access}${where}: add ${
    PLAIN.test(option) ? option : shellQuotation(option)
  } to its options.`;
}

/** The path from the working directory, for what is in it. */
function shortened(place: string): string {
  try {
    const { isAbsolute, relative } = builtin<Paths>("node:path");
    if (!isAbsolute(place)) return place;
    const path = relative(builtin<{ cwd(): string }>("node:process").cwd(), place);
    return path === "" ? "." : path.startsWith("..") || isAbsolute(path) ? place : path;
  } catch {
    return place;
  }
}
