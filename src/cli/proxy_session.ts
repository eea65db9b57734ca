import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { isProcessAlive, processStart } from "../files/process_mark.ts";
import type { Proxy } from "../proxy/proxy_options.ts";
import { TrafficFile } from "../proxy/traffic_file.ts";
import { Redactor } from "../redact/redactor.ts";
import { shellWord } from "../values/escapes.ts";
import type { Configured } from "./command_groups.ts";

/** A session that ended without a report. Its recording still exists. */
export interface RecoveredSession {
  readonly path: string;
  readonly endedAt: Date;
}

const DAY = 24 * 60 * 60 * 1000;
/** Recovered recordings contain secrets, so they are deleted after some days. */
const KEPT_DAYS = 7;
/** Process id, start time of the process if the system provides it, and a random id. */
const RUNNING = /^running-(\d+)-(?:(\d+)-)?[\da-f-]{36}\.jsonl$/;
const RECOVERED = /^recovered-.*\.jsonl$/;

/** Opens a private recording of this session, in case of a crash. Delete it when the session has ended well. */
export function openSession(folder: string, onError: (error: Error) => void): TrafficFile {
  const start = processStart("self");
  const owner = start === undefined ? process.pid : `${process.pid}-${start}`;
  const name = `running-${owner}-${crypto.randomUUID()}.jsonl`;
  return new TrafficFile(join(sessionFolder(folder), name), onError);
}

/** Renames recordings of ended processes, so that each is reported once. Deletes those recovered over a week ago. */
export function recoverSessions(folder: string, now: number): RecoveredSession[] {
  const sessions = sessionFolder(folder);
  const recovered: RecoveredSession[] = [];
  for (const name of readdirSync(sessions)) {
    const path = join(sessions, name);
    const [, owner, start] = RUNNING.exec(name) ?? [];
    try {
      const { size, mtime } = statSync(path);
      if (owner === undefined) {
        if (RECOVERED.test(name) && now - mtime.getTime() > KEPT_DAYS * DAY) rmSync(path);
        continue;
      }
      if (isProcessAlive(Number(owner), start)) continue;
      if (size === 0) {
        rmSync(path);
        continue;
      }
      const ended = mtime.toISOString().replace(/[:.]/g, "-");
      const kept = join(sessions, `recovered-${ended}-${owner}.jsonl`);
      renameSync(path, kept);
      recovered.push({ path: kept, endedAt: mtime });
    } catch {
      // Another proxy that is starting has already renamed it.
    }
  }
  return recovered;
}

function sessionFolder(folder: string): string {
  const sessions = join(folder, "sessions");
  mkdirSync(sessions, { recursive: true, mode: 0o700 });
  return sessions;
}

const redactor = new Redactor();

const LOOPBACK = /^(?:localhost|::1|127(?:\.\d{1,3}){3})$/i;

export function proxyBanner(
  proxy: Proxy,
  options: Configured<"proxy">,
  page: string,
  caFile: string,
  variables: Readonly<Record<string, string>>,
): string {
  const lines = [
    options.reverse === undefined
      ? `The proxy listens on ${proxy.url}`
      : `${proxy.url} forwards to ${redactor.url(options.reverse)}`,
    `Live report: ${page}`,
  ];
  if (options.saveTraffic !== undefined) {
    lines.push(
      `Traffic: ${options.saveTraffic} (${
        options.redact ? "secrets are masked; --no-redact keeps them" : "secrets are kept"
      })`,
    );
  }
  if (options.command.length > 0) return lines.join("\n");
  if (options.reverse === undefined) {
    lines.push(
      `Certificate: ${caFile}${proxy.isAuthorityNew ? " (new: clients do not trust it yet)" : ""}`,
      "",
      "For clients in another terminal:",
      ...Object.entries(variables).map(([name, value]) =>
        process.platform === "win32"
          ? `  $env:${name}="${value}"`
          : `  export ${name}=${shellWord(value)}`
      ),
      "",
      "For other clients: covtool proxy --print-ca-help",
    );
  }
  lines.push("Press Ctrl+C to stop the proxy and write the report.");
  return lines.join("\n");
}

/** The warning that other machines can reach the proxy. Undefined if it only listens on a loopback address. */
export function openWarning(host: string | undefined, port: number): string | undefined {
  if (host === undefined || LOOPBACK.test(host)) return undefined;
  const isEvery = host === "0.0.0.0" || host === "::";
  const place = isEvery ? `port ${port} of all network interfaces` : `${host}, port ${port}`;
  return `The proxy listens on ${place}. Anyone who can reach it can send requests through this machine, including to servers that only this machine can reach, and their requests are recorded. Omit --host to allow only programs on this machine.`;
}

export interface CrashHandler {
  readonly failures: number;
  stop(): void;
}

/** Keeps the process alive when the runtime's own network code throws because of a peer's data. */
export function startCrashHandler(listener: (error: unknown) => void): CrashHandler {
  let failures = 0;
  const onError = (error: unknown): void => {
    failures++;
    listener(error);
  };
  process.on("uncaughtException", onError);
  process.on("unhandledRejection", onError);
  return {
    get failures() {
      return failures;
    },
    stop() {
      process.off("uncaughtException", onError);
      process.off("unhandledRejection", onError);
    },
  };
}

export function failuresSentence(failures: number): string[] {
  if (failures === 0) return [];
  const what = failures === 1
    ? "on one request"
    : `on ${failures.toLocaleString("en-US")} requests`;
  return [
    `covtool itself failed ${what} and went on. See the messages above, and please report this. The results may lack these requests.`,
  ];
}
