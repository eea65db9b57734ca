import process from "node:process";
import type { Proxy } from "../proxy/proxy_options.ts";
import { Redactor } from "../redact/redactor.ts";
import { shellWord } from "../values/shell_word.ts";
import type { ProxyCommandOptions } from "./proxy_options.ts";

const redactor = new Redactor();

/**
 * Text printed at the start: the address of the proxy and the variables to paste.
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
      : `${proxy.url} forwards to ${redactor.url(options.reverse)}`,
    `Live report: ${page}`,
  ];
  if (options.saveTraffic !== undefined) {
    lines.push(
      `Traffic: ${options.saveTraffic} (${
        options.noRedact ? "secrets are kept" : "secrets are masked; --no-redact keeps them"
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

/**
 * Warning that others can reach the proxy; undefined if only programs on this machine can.
 *
 * @param host The address that it was told to listen on.
 */
export function openWarning(host: string | undefined, port: number): string | undefined {
  if (host === undefined || isLoopback(host)) return undefined;
  const isEvery = host === "0.0.0.0" || host === "::";
  const place = isEvery ? `port ${port} of all network interfaces` : `${host}, port ${port}`;
  return `The proxy listens on ${place}. Anyone who can reach it can send requests through this machine, including to servers that only this machine can reach, and their requests are recorded. Omit --host to allow only programs on this machine.`;
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|::1|127(?:\.\d{1,3}){3})$/i.test(host);
}
