/** What a process of Linux holds at a moment. */
export interface ProcessState {
  /** Resident memory, in megabytes. */
  readonly megabytes: number;
  /** Open descriptors. */
  readonly descriptors: number;
}

/** Looks at a process. */
export function processState(pid: number): ProcessState {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return {
    megabytes: Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) / 1024,
    descriptors: [...Deno.readDirSync(`/proc/${pid}/fd`)].length,
  };
}

/** Connections of a process that are not closed: over TCP in any state but listening, and connected local sockets. */
export function openConnections(pid: number): number {
  const own = new Set<string>();
  for (const { name } of Deno.readDirSync(`/proc/${pid}/fd`)) {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(Deno.readLinkSync(`/proc/${pid}/fd/${name}`))?.[1];
      if (inode !== undefined) own.add(inode);
    } catch {
      // It is closed by now.
    }
  }
  let count = 0;
  for (const table of ["tcp", "tcp6"]) {
    for (const line of Deno.readTextFileSync(`/proc/${pid}/net/${table}`).split("\n").slice(1)) {
      const [, , , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      if (state !== "0A" && own.has(inode)) count++;
    }
  }
  for (const line of Deno.readTextFileSync(`/proc/${pid}/net/unix`).split("\n").slice(1)) {
    const [, , , , , state, inode = ""] = line.trim().split(/\s+/);
    if (state === "03" && own.has(inode)) count++;
  }
  return count;
}

/** The middle one of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? NaN;
}
