import { run, runOrThrow } from "../run.ts";

/** A nearly empty machine: a folder that commands see as the root. */
export interface CleanRoot {
  readonly folder: string;
  /** Returns a prefix that makes a command run in the root, in a folder of it and with only these variables. */
  prefix(cwd: string, env: Readonly<Record<string, string>>): string[];
}

/** The shell, and tools that scripts need. */
const BASICS = ["bash", "cat", "env", "ls", "mkdir", "rm", "uname"];
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
const COPIED = [CERTIFICATES, "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf"];

/** Parts of the C library, which every machine has even if its own programs don't need them. */
const C_LIBRARY = ["libdl.so.2", "libgcc_s.so.1", "libm.so.6", "libpthread.so.0", "librt.so.1"];

/** Mounts /dev and /proc in the root for as long as the command runs, and runs it there. */
const ENTER = `
root=$1
user=$2
shift 2
mount --rbind /dev "$root/dev"
mount --rbind /proc "$root/proc"
exec chroot --userspec="$user" "$root" "$@"
`;

/** Makes a root with a shell, the given programs, and the libraries that these are linked to. */
export async function makeCleanRoot(
  folder: string,
  programs: Readonly<Record<string, string>>,
): Promise<CleanRoot> {
  for (const name of ["dev", "proc", "tmp", "root", "work", "usr/bin", "etc"]) {
    await Deno.mkdir(`${folder}/${name}`, { recursive: true });
  }
  await Deno.symlink("usr/bin", `${folder}/bin`);
  const found: Record<string, string> = { ...programs };
  for (const name of BASICS) {
    found[name] = (await runOrThrow("bash", ["-c", `type -P ${name}`])).trim();
  }
  for (const [name, path] of Object.entries(found)) {
    await copy(path, `${folder}/usr/bin/${name}`);
    for (const library of await librariesIn(path)) await copy(library, folder + library);
  }
  const libraries = (await librariesIn(found["bash"] ?? "")).find((path) => /libc\./.test(path));
  for (const name of C_LIBRARY) {
    const path = (libraries ?? "").replace(/[^/]+$/, name);
    if ((await run("test", ["-f", path])).code === 0) await copy(path, folder + path);
  }
  await Deno.symlink("bash", `${folder}/usr/bin/sh`);
  for (const path of COPIED) {
    if ((await run("test", ["-f", path])).code === 0) await copy(path, folder + path);
  }
  await Deno.writeTextFile(`${folder}/etc/passwd`, "root:x:0:0:root:/root:/bin/sh\n");
  // Files that commands leave behind must belong to this user, who removes them.
  const [user = "", group = ""] = (await runOrThrow("bash", ["-c", "id -u; id -g"])).split("\n");
  const root = {
    folder,
    prefix: (cwd: string, env: Readonly<Record<string, string>>) => [
      ...(user === "0" ? [] : ["sudo", "-n"]),
      ...["unshare", "--mount", "bash", "-e", "-c", ENTER, "enter", folder, `${user}:${group}`],
      ...["/usr/bin/env", "-i", "-C", cwd, "PATH=/usr/bin", "HOME=/root"],
      ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ],
  };
  const [command = "", ...args] = [...root.prefix("/", {}), "ls", "/"];
  const { code, out, err } = await run(command, args);
  if (code !== 0 || !out.includes("work")) {
    throw new Error(`This machine lets nobody change the root: ${err.trim()}`);
  }
  return root;
}

/** Copies this machine's npm and npx into a root. */
export async function addNode(folder: string): Promise<void> {
  const modules = `${folder}/usr/lib/node_modules`;
  await Deno.mkdir(modules, { recursive: true });
  const own = (await runOrThrow("npm", ["root", "--global"])).trim();
  await runOrThrow("cp", ["-rL", `${own}/npm`, modules]);
  for (const name of ["npm", "npx"]) {
    await Deno.symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, `${folder}/usr/bin/${name}`);
  }
}

/** Returns the path of this machine's Node.js executable. */
export async function nodePath(): Promise<string> {
  return (await runOrThrow("node", ["--print", "process.execPath"])).trim();
}

async function copy(from: string, to: string): Promise<void> {
  await Deno.mkdir(to.replace(/\/[^/]+$/, ""), { recursive: true });
  await runOrThrow("cp", ["-L", "--reflink=auto", from, to]);
}

/** Returns the libraries that a program is linked to, with the dynamic linker. */
async function librariesIn(path: string): Promise<string[]> {
  const { out } = await run("ldd", [path]);
  return [...out.matchAll(/(?:=> |^\s+)(\/\S+) \(/gm)].map(([, library = ""]) => library);
}

/** Returns the variables without which the network cannot be reached, with paths inside the root. */
export function networkVariables(env: Readonly<Record<string, string>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (/^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|DENO_CERT)$/.test(name)) found[name] = CERTIFICATES;
    if (/^(?:DENO_TLS_CA_STORE|(?:https?|no)_proxy)$/i.test(name)) found[name] = value;
  }
  return found;
}
