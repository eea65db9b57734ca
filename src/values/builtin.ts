export interface FileStatus {
  readonly size: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  isDirectory(): boolean;
  isFile(): boolean;
  isSymbolicLink(): boolean;
}

/** The part of a file's status that identifies the file; bigints, because numbers may not be exact here. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
  isCharacterDevice(): boolean;
  isFile(): boolean;
}

export interface FileHandle {
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ): Promise<{ bytesRead: number }>;
  write(data: Uint8Array, offset: number, length: number): Promise<{ bytesWritten: number }>;
  writeFile(text: string): Promise<void>;
  stat(): Promise<FileStatus>;
  chmod(mode: number): Promise<void>;
  chown(uid: number, gid: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

interface Zlib {
  gzipSync(bytes: Uint8Array): Uint8Array;
  readonly brotliDecompressSync: (
    bytes: Uint8Array,
    options: { readonly maxOutputLength: number; readonly info: true },
  ) => { readonly buffer: Uint8Array; readonly engine: { readonly bytesWritten: number } };
  /** Available since Deno 2.7 and Node.js 22.15. */
  readonly zstdDecompressSync: (
    bytes: Uint8Array,
    options: { readonly maxOutputLength: number },
  ) => Uint8Array;
}

/** The members of Node.js modules that covtool uses. They are declared here because the core has only web types. */
interface Builtins {
  readonly "node:dns/promises": {
    lookup(host: string, options: { all: true }): Promise<{ readonly address: string }[]>;
  };
  readonly "node:fs": {
    fstatSync(file: number): FileStatus;
    fstatSync(file: number, options: { bigint: true }): FileIdentity;
    ftruncateSync(file: number, length: number): void;
    mkdirSync(path: string, options: { recursive: boolean }): void;
    mkdtempSync(prefix: string): string;
    readFileSync(path: string, encoding: "utf8" | "latin1"): string;
    readSync(
      file: number,
      bytes: Uint8Array,
      offset: number,
      length: number,
      position: number,
    ): number;
    readdirSync(path: string): string[];
    readlinkSync(path: string): string;
    rmSync(path: string, options: { recursive: boolean; force: boolean }): void;
    statSync(path: string): FileStatus;
    writeSync(file: number, bytes: Uint8Array, offset: number, length: number): number;
  };
  readonly "node:fs/promises": {
    copyFile(from: string, to: string): Promise<void>;
    link(from: string, to: string): Promise<void>;
    lstat(path: string): Promise<FileStatus>;
    mkdir(path: string, options: { recursive: boolean }): Promise<unknown>;
    open(path: string, flags: string, mode?: number): Promise<FileHandle>;
    readdir(path: string): Promise<string[]>;
    readFile(path: string): Promise<Uint8Array>;
    readlink(path: string): Promise<string>;
    realpath(path: string): Promise<string>;
    rename(from: string, to: string): Promise<void>;
    rm(path: string, options: { force: boolean }): Promise<void>;
    stat(path: string): Promise<FileStatus>;
    stat(path: string, options: { bigint: true }): Promise<FileIdentity>;
  };
  readonly "node:os": { hostname(): string; tmpdir(): string };
  readonly "node:path": {
    readonly sep: string;
    basename(path: string): string;
    dirname(path: string): string;
    isAbsolute(path: string): boolean;
    join(...parts: readonly string[]): string;
    relative(from: string, to: string): string;
    resolve(...parts: readonly string[]): string;
  };
  readonly "node:process": {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly pid: number;
    readonly platform: string;
    readonly getuid?: () => number;
    cwd(): string;
    kill(pid: number, signal: number): void;
    once(event: "exit", listener: () => void): void;
    off(event: "exit", listener: () => void): void;
  };
  readonly "node:test": object;
  readonly "node:tls": {
    readonly rootCertificates: readonly string[];
    getCACertificates?(kind: "default"): string[];
    setDefaultCACertificates?(certificates: readonly string[]): void;
    createSecureContext(options: unknown): {
      readonly context: { addCACert(certificate: string): void };
    };
  };
  readonly "node:url": { pathToFileURL(path: string): URL; fileURLToPath(url: URL): string };
  readonly "node:zlib": Partial<Zlib>;
}

/** Returns a built-in module, looked up at run time so that the library loads without it; throws if there is none. */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  const { process } = globalThis as {
    readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
  };
  const module = process?.getBuiltinModule?.(name);
  if (module === undefined || module === null) {
    throw new Error(
      "nothing here gives access to files: Deno 2, Node.js 22.15 and Bun 1.2 do, browsers do not",
    );
  }
  return module as Builtins[Name];
}

/** Returns the platform's synchronous compression functions; empty where there are none, as in browsers. */
export function platformZlib(): Partial<Zlib> {
  try {
    return builtin("node:zlib");
  } catch {
    return {};
  }
}

/** Compresses with the platform's compressor; returns undefined where it has no synchronous one, as in browsers. */
export function gzipBytes(bytes: Uint8Array): Uint8Array | undefined {
  return platformZlib().gzipSync?.(bytes);
}
