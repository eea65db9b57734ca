import { readFileSync } from "node:fs";
import type { Interaction } from "../../../src/http/interaction.ts";
import type { ReadOptions } from "../../../src/traffic/read/read_state.ts";
import { readRecording } from "../../../src/traffic/read/read_recording.ts";

/** A log that was read to its end. */
export interface ReadLog {
  readonly interactions: readonly Interaction[];
  readonly warnings: readonly string[];
  /** Method, URL and status of each request, as `GET /books 200`; `-` where no response came. */
  readonly lines: readonly string[];
}

/** A format of one's own for nginx. */
export const NGINX_FORMAT =
  '$remote_addr - $remote_user [$time_iso8601] $request_time "$request" $status $http_host';

/** The formats of the logs that programs wrote by one of their own. */
export const LOG_FORMATS: Readonly<Record<string, string>> = {
  "nginx_custom.log": NGINX_FORMAT,
  "apache_custom.log":
    '%{%Y-%m-%dT%H:%M:%S}t.%{usec_frac}t%{%z}t %a %u %m %U%q %>s %D "%{X-Tenant}i"',
};

const FIXTURES = new URL("../../fixtures/recordings/", import.meta.url);

/** Reads a log whose text is given. */
export async function readLog(
  text: string | Uint8Array,
  options: ReadOptions = {},
): Promise<ReadLog> {
  const recording = readRecording(text, "access.log", options);
  const interactions = await Array.fromAsync(recording);
  const lines = interactions.map(({ request, response }) =>
    `${request.method} ${request.url} ${response?.status_code ?? "-"}`
  );
  return { interactions, warnings: recording.warnings, lines };
}

/** Reads a log that a real program wrote. */
export function readLogFixture(path: string, options: ReadOptions = {}): Promise<ReadLog> {
  return readLog(new Uint8Array(readFileSync(new URL(path, FIXTURES))), options);
}
