import type { ReadOptions } from "../../../src/traffic/read/read_state.ts";
import { fixtureBytes, readAll, type WholeRecording } from "../read_all.ts";

export interface ReadLog extends WholeRecording {
  /** Method, URL and status of each request, as `GET /books 200`; `-` without a response. */
  readonly lines: readonly string[];
}

/** A custom log format for nginx. */
export const NGINX_FORMAT =
  '$remote_addr - $remote_user [$time_iso8601] $request_time "$request" $status $http_host';

/** Formats of the logs that were written with a custom one. */
export const LOG_FORMATS: Readonly<Record<string, string>> = {
  "nginx_custom.log": NGINX_FORMAT,
  "apache_custom.log":
    '%{%Y-%m-%dT%H:%M:%S}t.%{usec_frac}t%{%z}t %a %u %m %U%q %>s %D "%{X-Tenant}i"',
};

export async function readLog(
  text: string | Uint8Array,
  options: ReadOptions = {},
): Promise<ReadLog> {
  const read = await readAll(text, "access.log", options);
  const lines = read.interactions.map(({ request, response }) =>
    `${request.method} ${request.url} ${response?.status_code ?? "-"}`
  );
  return { ...read, lines };
}

export function readLogFixture(path: string, options: ReadOptions = {}): Promise<ReadLog> {
  return readLog(fixtureBytes(path), options);
}
