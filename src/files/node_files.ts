import { builtin } from "../values/builtin.ts";

/** The used parts of the modules of Node.js that handle files. */
export interface FileStatus {
  readonly size: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  isFile(): boolean;
  isSymbolicLink(): boolean;
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

interface FileSystem {
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
}

interface PathModule {
  basename(path: string): string;
  dirname(path: string): string;
  isAbsolute(path: string): boolean;
  join(...parts: readonly string[]): string;
  relative(from: string, to: string): string;
  resolve(...parts: readonly string[]): string;
}

export function nodeFiles(): FileSystem {
  return builtin("node:fs/promises");
}

/** Opens a file for some work, and closes it after that. */
export async function withFile(
  path: string,
  flags: string,
  mode: number | undefined,
  work: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await nodeFiles().open(path, flags, mode);
  try {
    await work(file);
  } finally {
    await file.close();
  }
}

export function nodePaths(): PathModule {
  return builtin("node:path");
}
