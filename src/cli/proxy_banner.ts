import process from "node:process";
import type { Proxy } from "../proxy/proxy_options.ts";
import { Redactor } from "../redact/redactor.ts";
import type { ProxyCommandOptions } from "./proxy_options.ts";

const redactor = new Redactor();

/**
 * What is said at the start: where the proxy is, and what to paste.
 *
 * @param page Where the live report is.
 * @param caFile Where the certificate is.
 * @param variables What leads clients to the proxy.
 */
export function proxyBanner(
  proxy: Proxy,
  options: ProxyCommandOptions,
  page: string,
  caFile: string,
  variables: Readonly<Record<string, string>>,
): string {
  const lines = [
    options.reverse === undefined
      ? `The proxy listens on ${proxy.url}`
      : `${proxy.url} stands for ${redactor.url(options.reverse)}`,
    `Live report: ${page}`,
  ];
  if (options.saveTraffic !== undefined) {
    lines.push(
      `Traffic: ${options.saveTraffic} (${
        options.noRedact ? "secrets are kept" : "secrets are masked: --no-redact keeps them"
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
          : `  export ${name}=${quoted(value)}`
      ),
      "",
      "For others: covtool proxy --print-ca-help",
    );
  }
  lines.push("Ctrl+C ends the proxy and writes the report.");
  return lines.join("\n");
}

/**
 * What is said where others can reach the proxy; undefined where only programs on this machine do.
 *
 * @param host The address that it was told to listen on.
 */
export function openWarning(host: string | undefined, port: number): string | undefined {
  if (host === undefined || isLoopback(host)) return undefined;
  const isEvery = host === "0.0.0.0" || host === "::";
  const place = isEvery ? `port ${port} of every address of this machine` : `${host}, port ${port}`;
  return `The proxy listens on ${place}. Everyone who reaches it can use it: to send requests through this machine, to servers that only this machine reaches too, and into this recording. Leave --host out to let in programs on this machine only.`;
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|::1|127(?:\.\d{1,3}){3})$/i.test(host);
}

function quoted(text: string): string {
  return /^[\w./:@%+=-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
