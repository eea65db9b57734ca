import { shellQuotation } from "../values/escapes.ts";
import { builtin } from "../values/builtin.ts";

interface Permission {
  readonly name: string;
  readonly path?: string;
  readonly variable?: string;
  /** For the network: `localhost:3000`, `[::1]:8080`. */
  readonly host?: string;
  readonly kind?: string;
}

interface Runtime {
  readonly process?: {
    readonly permission?: { has(scope: string, reference?: string): boolean };
  };
  readonly Deno?: {
    readonly permissions: { querySync(permission: Permission): { readonly state: string } };
  };
}

/** Names of permissions in Node.js, which has none for the others. */
const NODE_SCOPES: Readonly<Record<string, string>> = {
  read: "fs.read",
  write: "fs.write",
  run: "child",
};

/** True if the runtime permits this. Deno checks always, Node.js only with `--permission`. */
export function isGranted(permission: Permission): boolean {
  const { Deno: deno, process } = globalThis as Runtime;
  if (deno !== undefined) return deno.permissions.querySync(permission).state === "granted";
  const scope = NODE_SCOPES[permission.name];
  if (process?.permission === undefined || scope === undefined) return true;
  return process.permission.has(scope, permission.path);
}

const NODE_FLAGS: Readonly<Record<string, string>> = {
  FileSystemRead: "--allow-fs-read",
  FileSystemWrite: "--allow-fs-write",
  ChildProcess: "--allow-child-process",
  WorkerThreads: "--allow-worker",
  Net: "--allow-net",
};

/** Names and values that need no quotes in a shell. */
const PLAIN = /^[\w./:@%+=,\\-]+$/;

/** Returns a sentence about a permission that Deno or Node.js denied, with the flag that grants it. */
export function missingPermission(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    const sentence = denoSentence(current) ?? nodeSentence(current);
    if (sentence !== undefined) return sentence;
    const { errors } = current as { readonly errors?: readonly unknown[] };
    const nested = errors?.map(missingPermission).find((each) => each !== undefined);
    if (nested !== undefined) return nested;
  }
  return undefined;
}

function denoSentence({ name, message }: Error): string | undefined {
  if (name !== "NotCapable") return undefined;
  const variable = /spawn subprocess with (\w+) environment variable/.exec(message)?.[1];
  if (variable !== undefined) {
    return `Deno passes the environment variable ${variable} only to commands that --allow-run permits without a list: add --allow-run to its options, or unset ${variable}.`;
  }
  const [, kind, place] = /Requires (\w+) access(?: to ("[^]*?"|<CWD>|[^,\s]+))?(?:,|$)/
    .exec(message) ?? [];
  if (kind === undefined) return `Deno doesn't permit what covtool needs: ${message}.`;
  const value = place === "<CWD>" ? "." : place?.replace(/^"([^]*)"$/, "$1");
  return permissionSentence("Deno", kind, `--allow-${kind}`, value);
}

function nodeSentence(error: Error): string | undefined {
  const { code, permission, resource } = error as Error & Readonly<Record<string, unknown>>;
  if (code !== "ERR_ACCESS_DENIED") return undefined;
  const flag = NODE_FLAGS[String(permission)] ?? /--allow-[\w-]+/.exec(error.message)?.[0];
  if (flag === undefined) return `Node.js doesn't permit what covtool needs: ${error.message}.`;
  const isOfFiles = flag.startsWith("--allow-fs-");
  const kind = flag.replace(/^--allow-(?:fs-)?/, "").replace("-", " ");
  const place = isOfFiles && typeof resource === "string" && resource !== "" ? resource : undefined;
  return permissionSentence("Node.js", kind, flag, place);
}

function permissionSentence(
  runtime: "Deno" | "Node.js",
  kind: string,
  flag: string,
  place: string | undefined,
): string {
  const shortPlace = place === undefined ? "" : relativePath(place);
  // Deno takes a list, so a comma in a name is doubled.
  const value = runtime === "Deno" ? shortPlace.replaceAll(",", ",,") : shortPlace;
  const option = place === undefined ? flag : `${flag}=${value}`;
  const where = place === undefined ? "" : ` to ${shortPlace}`;
  return `${runtime} doesn't permit ${kind} access${where}: add ${
    PLAIN.test(option) ? option : shellQuotation(option)
  } to its options.`;
}

function relativePath(place: string): string {
  try {
    const { isAbsolute, relative } = builtin("node:path");
    if (!isAbsolute(place)) return place;
    const path = relative(builtin("node:process").cwd(), place);
    return path === "" ? "." : path.startsWith("..") || isAbsolute(path) ? place : path;
  } catch {
    return place;
  }
}

export function grantedVariables(): Readonly<Record<string, string | undefined>> {
  type Variables = Readonly<Record<string, string | undefined>>;
  const { env } = builtin("node:process");
  if (isGranted({ name: "env" })) return env;
  return new Proxy<Variables>({}, {
    get: (_target, name) =>
      typeof name === "string" && isGranted({ name: "env", variable: name })
        ? env[name]
        : undefined,
  });
}

/** Returns a sentence if Deno doesn't permit connections to a host; Deno's own error would come later. */
export function missingNetPermission(place: string): string | undefined {
  return missingPermission(findDenial(place));
}

/** @throws {Error} like Deno's, if it doesn't permit servers or connections at a host. */
export function requireNetPermission(place: string): void {
  const error = findDenial(place);
  if (error !== undefined) throw error;
}

function findDenial(place: string): Error | undefined {
  if (isGranted({ name: "net", host: place })) return undefined;
  const error = new Error(`Requires net access to "${place}"`);
  error.name = "NotCapable";
  return error;
}
