import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pid } from "node:process";
import { isProcessAlive, processStart } from "../files/is_process_alive.ts";
import { TrafficFile } from "../proxy/traffic_file.ts";

/** A session that did not end as it should: what it recorded is still there. */
export interface RecoveredSession {
  /** The recording. */
  readonly path: string;
  /** The time of the last write. */
  readonly endedAt: Date;
}

const DAY = 24 * 60 * 60 * 1000;
/** Recovered recordings hold secrets, so they do not stay for ever. */
const KEPT_DAYS = 7;
/** The process that records, the time at which it started if the system tells, and something random. */
const RUNNING = /^running-(\d+)-(?:(\d+)-)?[\da-f-]{36}\.jsonl$/;
const RECOVERED = /^recovered-.*\.jsonl$/;

/**
 * A private recording of what this session captures, readable by its owner alone: after a crash it is what is left.
 * Delete it when the session has ended well.
 *
 * @param folder The user's folder for data.
 * @param onError Called each time that it cannot be written.
 */
export function openSession(folder: string, onError: (error: Error) => void): TrafficFile {
  const start = processStart("self");
  const process = start === undefined ? pid : `${pid}-${start}`;
  const name = `running-${process}-${crypto.randomUUID()}.jsonl`;
  return new TrafficFile(join(sessionFolder(folder), name), onError);
}

/**
 * Finds recordings of sessions whose process is gone, and renames them, so that each is reported once. Removes those
 * that were recovered a week ago or more.
 */
export function recoverSessions(folder: string, now: number): RecoveredSession[] {
  const sessions = sessionFolder(folder);
  const recovered: RecoveredSession[] = [];
  for (const name of readdirSync(sessions)) {
    const path = join(sessions, name);
    const [, maker, start] = RUNNING.exec(name) ?? [];
    try {
      const { size, mtime } = statSync(path);
      if (maker === undefined) {
        if (RECOVERED.test(name) && now - mtime.getTime() > KEPT_DAYS * DAY) rmSync(path);
        continue;
      }
      if (isProcessAlive(Number(maker), start)) continue;
      if (size === 0) {
        rmSync(path);
        continue;
      }
      const kept = join(
        sessions,
        `recovered-${mtime.toISOString().replace(/[:.]/g, "-")}-${maker}.jsonl`,
      );
      renameSync(path, kept);
      recovered.push({ path: kept, endedAt: mtime });
    } catch {
      // Another proxy that starts at the same time has taken it.
    }
  }
  return recovered;
}

function sessionFolder(folder: string): string {
  const sessions = join(folder, "sessions");
  mkdirSync(sessions, { recursive: true, mode: 0o700 });
  return sessions;
}
