import { rmSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers";
import type { ApiMaps } from "../coverage_map/api_maps.ts";
import { errorCode, fileErrorSentence } from "../files/files.ts";
import { OutputGuard } from "../files/output_guard.ts";
import { parseBasePath } from "../map/base_path.ts";
import { clientVariables } from "../proxy/client_trust.ts";
import { createProxy } from "../proxy/create_proxy.ts";
import { failureNotice, type ProxyNotice } from "../proxy/error_boundary.ts";
import { LoopError } from "../proxy/loop_mark.ts";
import { openPrivateFolder, type PrivateFolder } from "../proxy/private_folder.ts";
import type { Proxy, ProxyOptions, TrafficRecorder } from "../proxy/proxy_options.ts";
import type { TrafficFile } from "../proxy/traffic_file.ts";
import { Redactor } from "../redact/redactor.ts";
import { plainText } from "../report/text/plain_text.ts";
import { wrapText } from "../report/text/text_width.ts";
import { CommandError } from "../run/command_error.ts";
import { sanitizeMessage } from "../run/error_sentences.ts";
import { exitAfterCommand, printExitReason } from "../run/exit_code.ts";
import { type Host, layoutFor, type TextLayout } from "../run/host.ts";
import { loadMaps } from "../run/load_apis.ts";
import { chooseOutputs, guardedFile, guardedReports } from "../run/outputs.ts";
import { preparePublish, type Publish } from "../run/publish.ts";
import { shellWord } from "../values/escapes.ts";
import type { Configured } from "./command_groups.ts";
import { onEndSignals, untilInterrupted } from "./end_signals.ts";
import { LiveLine } from "./live_line.ts";
import { serveLivePage, writePage } from "./live_page.ts";
import {
  type CertificateFiles,
  checkCaCopy,
  defaultCaFile,
  proxyCaHelp,
  writeCaCopy,
  writeCertificates,
} from "./proxy_certificates.ts";
import {
  failuresSentence,
  openSession,
  openWarning,
  proxyBanner,
  recoverSessions,
  startCrashHandler,
} from "./proxy_session.ts";
import { runChildToEnd } from "./run_child.ts";
import { bypassSentence } from "./test_setups.ts";

const DEFAULT_PORT = 8080;
/** Number of ports to try, the default one first. */
const PORTS_TRIED = 100;
/** Milliseconds to wait for the process to exit by itself. */
const EXIT_TIMEOUT = 2000;
const INTERRUPTED = 130;

export async function proxy(options: Configured<"proxy">, host: Host): Promise<number> {
  const copy = resolve(options.exportCa ?? defaultCaFile(process.platform));
  if (options.printCaHelp) {
    await checkCaCopy(copy);
    await host.stdout.write(proxyCaHelp(copy));
    return 0;
  }
  const outputs = chooseOutputs(options.formats, options.output);
  const guard = new OutputGuard([
    ...guardedReports(outputs),
    ...guardedFile("The recording", options.saveTraffic),
    ...guardedFile("The certificate", options.exportCa),
  ]);
  const publish = await preparePublish(outputs, options, [], host, guard);
  const map = await loadMaps(options, { emptyPrefixFirst: true });
  await guard.check(map.documentUrls());
  const folder = await openPrivateFolder(host.variables);
  const session = new ProxySession(map, options, host, publish, folder, copy);
  // A second Ctrl+C exits at once, and then too a temporary folder, which contains the private key, has to be deleted.
  process.once("exit", folder.close);
  try {
    return await session.run();
  } finally {
    process.off("exit", folder.close);
    folder.close();
    // Connections aborted during a TLS handshake can keep Deno's event loop alive forever.
    if (session.hasServed) setTimeout(() => process.exit(), EXIT_TIMEOUT).unref();
  }
}

class ProxySession {
  readonly #map: ApiMaps;
  readonly #options: Configured<"proxy">;
  readonly #host: Host;
  readonly #publish: Publish;
  readonly #folder: PrivateFolder;
  readonly #copy: string;
  readonly #line: LiveLine;
  readonly #layout: TextLayout;
  #proxy: Proxy | undefined;
  #temporary: TrafficFile | undefined;
  #isTemporaryBroken = false;
  /** True once a message about requests without a proper response was printed. */
  #hasFailed = false;

  constructor(
    map: ApiMaps,
    options: Configured<"proxy">,
    host: Host,
    publish: Publish,
    folder: PrivateFolder,
    copy: string,
  ) {
    this.#map = map;
    this.#options = options;
    this.#host = host;
    this.#publish = publish;
    this.#folder = folder;
    this.#copy = copy;
    this.#layout = layoutFor(host, options.color);
    this.#line = new LiveLine({
      map,
      stream: host.stderr,
      colors: this.#layout.colors,
      isDrawn: host.stderr.isTerminal && !options.verbose,
      requests: () => this.#proxy?.requests ?? 0,
    });
  }

  get hasServed(): boolean {
    return this.#proxy !== undefined;
  }

  async run(): Promise<number> {
    const { saveTraffic, command } = this.#options;
    const { path: folder, temporaryBecause } = this.#folder;
    if (temporaryBecause !== undefined) {
      this.#warn(
        `${temporaryBecause} The proxy's certificate authority is kept in ${folder} until the proxy stops. To keep it longer, set XDG_DATA_HOME.`,
      );
    }
    for (const { path, endedAt } of recoverSessions(folder, this.#host.now())) {
      this.#explain(
        `Recovered the traffic of a session that was cut off at ${endedAt.toISOString()}. It is kept for a week. To report on it:`,
      );
      const { apis, schema } = this.#options;
      const inputs = [...(apis === undefined ? [] : ["--config"]), schema, path].map(shellWord);
      this.#say(sanitizeMessage(`  covtool report ${inputs.join(" ")}`) + "\n");
    }
    if (saveTraffic === undefined) {
      this.#temporary = openSession(folder, (error) => this.#onTemporaryError(error));
    }
    const proxy = await this.#start();
    this.#proxy = proxy;
    const files = await this.#writeCertificates(proxy);
    const caWarning = await this.#exportCertificate(proxy);
    const page = await serveLivePage({
      report: () => writePage(this.#map, this.#options),
      version: () => proxy.interactions,
      subject: "The proxy",
    });
    let code = 0;
    const crashHandler = startCrashHandler((error) => this.#onNotice(failureNotice(error)));
    try {
      const variables = this.#clientVariables(proxy.url, files);
      // Listen for signals before printing that the proxy listens: a reader may stop it at once.
      const interrupted = command.length === 0 ? untilInterrupted() : undefined;
      const caFile = caWarning === undefined ? this.#copy : files.caFile;
      this.#say(proxyBanner(proxy, this.#options, page.url, caFile, variables));
      const warnings = [caWarning, openWarning(this.#options.host, proxy.port)];
      for (const warning of warnings) if (warning !== undefined) this.#warn(warning);
      if (!this.#options.redact && saveTraffic === undefined) {
        this.#warn("--no-redact has no effect without --save-traffic.");
      }
      if (interrupted !== undefined) {
        this.#line.start();
        await interrupted;
      } else {
        code = await runChildToEnd(command, variables, (signals) => {
          if (signals > 1) process.exit(INTERRUPTED);
        });
      }
    } finally {
      this.#line.stop();
      page.close();
      await this.#end(proxy);
      crashHandler.stop();
    }
    const warnings = failuresSentence(proxy.failures + crashHandler.failures);
    const nothingRecorded = silenceSentence(this.#options, proxy, this.#hasFailed);
    const unmet = await this.#publish({ map: this.#map, warnings, nothingRecorded });
    this.#discardTemporary();
    if (code !== 0 || proxy.recordingError === undefined) {
      return await exitAfterCommand(code, unmet, this.#host);
    }
    return await printExitReason(1, "error (the recording could not be written)", this.#host);
  }

  /** Behind a reverse proxy there is one server, so the command gets no proxy variables, only the URL. */
  #clientVariables(proxyUrl: string, files: CertificateFiles): Record<string, string> {
    if (this.#options.reverse !== undefined) return { COVTOOL_URL: proxyUrl };
    const javaOptions = this.#host.variables["JAVA_TOOL_OPTIONS"];
    return clientVariables({ ...files, proxyUrl, javaOptions });
  }

  async #start(): Promise<Proxy> {
    const { port } = this.#options;
    if (port !== undefined) return await this.#listen(port);
    let reason = "in use";
    for (let tried = DEFAULT_PORT; tried < DEFAULT_PORT + PORTS_TRIED; tried++) {
      try {
        const proxy = await createProxy(this.#recorder(), this.#proxyOptions(tried));
        if (tried > DEFAULT_PORT) {
          this.#explain(`Port ${DEFAULT_PORT} is ${reason}, so the proxy listens on ${tried}.`);
        }
        return proxy;
      } catch (error) {
        if (error instanceof LoopError) reason = "the port of the server itself";
        else if (errorCode(error) !== "EADDRINUSE") throw this.#explained(error);
      }
    }
    return await this.#listen(0);
  }

  async #listen(port: number): Promise<Proxy> {
    try {
      return await createProxy(this.#recorder(), this.#proxyOptions(port));
    } catch (error) {
      throw this.#explained(error);
    }
  }

  #explained(error: unknown): unknown {
    this.#discardTemporary();
    const sentence = error instanceof TypeError ? error.message : this.#startProblem(error);
    return sentence === undefined ? error : new CommandError(sentence, error);
  }

  /** A sentence about a system error that keeps the proxy from starting. Undefined for other errors. */
  #startProblem(error: unknown): string | undefined {
    const { code, path, syscall, message } = error as Record<string, unknown>;
    const { host, port } = this.#options;
    if (typeof code !== "string") return undefined;
    if (typeof path === "string") return `Cannot use ${path}: ${fileErrorSentence(error)}`;
    if (code === "EADDRINUSE") {
      return `Port ${port} is in use. Choose another port with -p, or omit -p to use any free port.`;
    }
    if (code === "EACCES" && (syscall === "listen" || syscall === "bind")) {
      return "Permission to use this port is denied. Choose one above 1023.";
    }
    // Errors of writes to open files have no path, but at this point only files in this folder are written.
    if (syscall === "write" || syscall === "fsync") {
      return `Cannot write to ${this.#folder.path}: ${fileErrorSentence(error)}`;
    }
    const advice = ` Is ${host} an address of this machine? Choose another with --host.`;
    return `The proxy cannot start: ${message}.${host === undefined ? "" : advice}`;
  }

  #proxyOptions(port: number): ProxyOptions {
    const options = this.#options;
    // Spread, so that options with the same name in both, such as `reverse`, reach the proxy.
    return {
      ...options,
      port,
      intercept: options.intercept.length > 0 ? options.intercept : interceptedHosts(options),
      dataFolder: this.#folder.path,
      onNotice: (notice) => this.#onNotice(notice),
      onInteraction: (interaction) => this.#temporary?.append(interaction),
    };
  }

  #onTemporaryError(error: Error): void {
    if (this.#isTemporaryBroken) return;
    this.#isTemporaryBroken = true;
    this.#warn(
      `TRAFFIC IS NOT BEING KEPT: Cannot write ${this.#temporary?.path}: ${
        fileErrorSentence(error)
      } It still counts, but would be lost if covtool were killed.`,
    );
  }

  #recorder(): TrafficRecorder {
    const map = this.#map;
    if (!this.#options.verbose) return map;
    const redactor = new Redactor(map.secretNames());
    return {
      secretNames: () => map.secretNames(),
      record: (request, response, timestamp) => {
        const before = map.traffic().matched;
        map.record(request, response, timestamp);
        const matched = map.traffic().matched > before ? "matched" : "unmatched";
        const status = response?.status_code ?? "no response";
        const url = redactor.url(request.url);
        this.#say(plainText(`${request.method} ${url} ${status} ${matched}`));
      },
    };
  }

  async #writeCertificates(proxy: Proxy): Promise<CertificateFiles> {
    try {
      const { path } = this.#folder;
      return await writeCertificates(path, proxy.caCertificate, this.#host.variables);
    } catch (error) {
      await this.#end(proxy);
      throw this.#explained(error);
    }
  }

  /** Writes the copy of the certificate for users. Returns a message to print if that fails. */
  async #exportCertificate(proxy: Proxy): Promise<string | undefined> {
    const problem = await writeCaCopy(this.#copy, proxy.caCertificate);
    if (problem === undefined || this.#options.exportCa === undefined) return problem?.message;
    await this.#end(proxy);
    this.#discardTemporary();
    throw problem;
  }

  async #end(proxy: Proxy): Promise<void> {
    // Without a listener, Ctrl+C exits even during an evaluation. A listener is needed to delete a temporary folder.
    const isKept = this.#folder.temporaryBecause === undefined;
    const stop = isKept ? () => {} : onEndSignals(() => process.exit(INTERRUPTED));
    if (proxy.inFlight > 0) {
      this.#explain("Waiting for responses in progress. Press Ctrl+C again to exit at once.");
    }
    try {
      await proxy.close();
    } finally {
      stop();
    }
  }

  #discardTemporary(): void {
    const file = this.#temporary;
    if (file === undefined) return;
    this.#temporary = undefined;
    file.close();
    rmSync(file.path, { force: true });
  }

  #onNotice({ kind, message }: ProxyNotice): void {
    this.#hasFailed ||= kind !== "body_cut";
    if (kind === "recording_failed") this.#explain(message, this.#layout.colors.red.bold);
    else this.#warn(message);
  }

  #warn(message: string): void {
    this.#explain(message, this.#layout.colors.yellow);
  }

  #explain(message: string, color: (line: string) => string = String): void {
    const text = sanitizeMessage(message);
    const lines = this.#host.stderr.isTerminal ? wrapText(text, this.#layout.width) : [text];
    this.#line.say(lines.map((line) => color(line)).join("\n"));
  }

  #say(text: string): void {
    this.#line.say(text);
  }
}

export function silenceSentence(
  options: Pick<Configured<"proxy">, "reverse" | "command">,
  proxy: Proxy,
  hasFailed: boolean,
  isMutating = false,
): string {
  if (proxy.requests > 0) {
    if (hasFailed) return "No request was recorded. The messages above say why.";
    if (options.reverse !== undefined) {
      return `Requests reached the proxy, but none was answered by ${options.reverse}.`;
    }
    return "Requests passed through the proxy, but none to a recorded host. Check --intercept, --pass-through and the host in --base-path.";
  }
  if (options.reverse === undefined && options.command.length > 0) {
    const reason = bypassSentence(options.command, process.cwd(), isMutating);
    if (reason !== undefined) return `No request reached the proxy. ${reason}`;
  }
  return options.reverse === undefined
    ? `No request reached the proxy. Is HTTP_PROXY set to ${proxy.url} where the client runs? NO_PROXY often includes localhost: clear it. For clients that don't support proxies, use --reverse.`
    : `No request reached the proxy. Do the clients call ${proxy.url}${
      options.command.length > 0 ? ", which the command has in COVTOOL_URL," : ""
    } instead of ${options.reverse}?`;
}

/** The hosts of all APIs. Undefined if the host of one is unknown. */
function interceptedHosts(options: Configured<"proxy">): string[] | undefined {
  if (options.apis === undefined) return interceptedBy(options.basePath);
  const hosts = options.apis.map(({ basePath, hosts = [] }) =>
    interceptedBy(basePath) ?? (hosts.length > 0 ? hosts : undefined)
  );
  return hosts.every((own) => own !== undefined) ? hosts.flat() : undefined;
}

function interceptedBy(basePath: string | undefined): string[] | undefined {
  const origin = basePath === undefined ? null : parseBasePath(basePath).origin;
  if (origin === null) return undefined;
  const { host, port, protocol } = new URL(origin);
  return [port === "" ? `${host}:${protocol === "https:" ? 443 : 80}` : host];
}
