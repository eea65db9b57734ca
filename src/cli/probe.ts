import { Ansis } from "ansis";
import type { CoverageMap } from "../coverage_map/coverage_map.ts";
import { recordingOf } from "../coverage_map/recording_of.ts";
import { missingNetPermission } from "../files/net_permission.ts";
import { fileErrorSentence } from "../files/files.ts";
import { OutputGuard } from "../files/output_guard.ts";
import { withoutResponseBody } from "../http/without_response_body.ts";
import { TrafficFile } from "../proxy/traffic_file.ts";
import { redactInteraction } from "../redact/redact_request.ts";
import { Redactor } from "../redact/redactor.ts";
import { withoutCommands } from "../report/text/without_commands.ts";
import { CommandError } from "../run/command_error.ts";
import { exitUnlessMet, sayExit } from "../run/exit_line.ts";
import type { Host } from "../run/host.ts";
import { measureKeeping } from "../run/measure_keeping.ts";
import { chooseOutputs, guardedFile, guardedReports } from "../run/outputs.ts";
import { ProbeClient } from "../run/probe/probe_client.ts";
import { Prober, type ProbeResult } from "../run/probe/prober.ts";
import { probeSentences } from "../run/probe/probe_sentences.ts";
import { preparePublish } from "../run/publish.ts";
import { saidText } from "../run/said_text.ts";
import { isColored } from "../run/terminal.ts";
import { SuggestError } from "../suggest/suggestion.ts";
import type { ProbeOptions } from "./probe_options.ts";
import { LiveLine } from "./live_line.ts";
import { onEndSignals } from "./end_signals.ts";
import { readHeader } from "./values/header_value.ts";
import { readRate } from "./values/rate_value.ts";

/** Milliseconds to wait for an answer. */
const TIMEOUT = 30_000;
/** Bytes of a response's body that are kept. */
const BODY_LIMIT = 1 << 20;

/**
 * `covtool probe`: sends requests that close gaps to a server, and reports what they exercise.
 *
 * @returns the exit code: 1 where a threshold is not met, a condition fails the run, or the traffic could not be saved.
 * @throws {CommandError} and the errors of loading and reading, each with a sentence for the user.
 */
export async function probe(options: ProbeOptions, host: Host): Promise<number> {
  const { server, schema, saveTraffic } = options;
  if (options.apis !== undefined) {
    throw new CommandError(
      `${schema} names several APIs. Name the description of one: covtool probe openapi.yaml --server http://localhost:3000`,
    );
  }
  if (server === undefined) {
    throw new CommandError(
      "Say which server to send requests to: --server http://localhost:3000. covtool contacts no other host.",
    );
  }
  const denied = missingNetPermission(placeOf(server));
  if (denied !== undefined) throw new CommandError(denied);
  const outputs = chooseOutputs(options.formats, options.output);
  const guard = new OutputGuard([
    ...guardedReports(outputs),
    ...guardedFile("The traffic file", saveTraffic),
  ]);
  const inputs = [...options.traffic, ...options.env];
  const publish = await preparePublish(outputs, options, inputs, host, guard);
  const kept = { ...options, keepRequests: "newest" } as const;
  const { map, warnings } = await measureKeeping(kept, host, guard);
  const unwritten = new Set<string>();
  const result = await send(map, server, options, host, (sentence) => unwritten.add(sentence));
  if (result.answered === 0 && result.end === "no_connection") {
    throw new CommandError(
      `Cannot reach ${server}: ${result.reason}. Start the API, or correct --server.`,
    );
  }
  const { said, warned } = probeSentences(result, { ...options, server });
  await host.stderr.write(withoutCommands(`${said.map(saidText).join("\n")}\n`));
  const unmet = await publish({ map, warnings: [...warnings, ...warned, ...unwritten] });
  if (unwritten.size === 0) return await exitUnlessMet(unmet, host);
  return await sayExit(1, "error (the traffic file could not be written)", host);
}

/** The host and port of a URL. */
function placeOf(server: string): string {
  const { hostname, port, protocol } = new URL(server);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

async function send(
  map: CoverageMap,
  server: string,
  options: ProbeOptions,
  host: Host,
  onUnwritten: (sentence: string) => void,
): Promise<ProbeResult> {
  const headers = options.header.map(readHeader);
  const { variables, stderr } = host;
  const redactor = redactorFor(map, headers.map(([name]) => name));
  const file = openTraffic(options.saveTraffic, onUnwritten);
  const client = new ProbeClient({
    server,
    headers,
    bodyLimit: options.bodyLimit ?? BODY_LIMIT,
    timeout: TIMEOUT,
    now: host.now,
  });
  const abort = new AbortController();
  const stop = onEndSignals(() => abort.abort());
  const recording = recordingOf(map, "probe");
  let answered = 0;
  const line = new LiveLine({
    map,
    stream: stderr,
    colors: new Ansis(isColored(options.color, variables, stderr) ? 1 : 0),
    isDrawn: stderr.isTerminal,
    requests: () => answered,
  });
  line.start();
  try {
    const prober = new Prober(map, {
      server,
      isUnsafe: options.unsafe,
      max: options.max,
      seconds: options.time,
      rate: options.rate === undefined ? Infinity : readRate(options.rate),
      headers: new Set(headers.map(([name]) => name.toLowerCase())),
      credential: (name) => variables[name],
    }, {
      client,
      signal: abort.signal,
      onAnswer: (interaction) => {
        answered++;
        const known = options.responseBodies === false
          ? withoutResponseBody(interaction)
          : interaction;
        recording.within(() => map.record(known.request, known.response, known.timestamp));
        file?.append(redactInteraction(known, redactor));
      },
      wait: (milliseconds) => wait(milliseconds, abort.signal),
      clock: () => performance.now(),
    });
    return await prober.run();
  } catch (error) {
    throw error instanceof SuggestError ? new CommandError(error.message, error) : error;
  } finally {
    line.stop();
    stop();
    client.close();
    recording.end();
    file?.close();
  }
}

/** Masks what the description and common sense call a secret, and every header field that was given. */
function redactorFor(map: CoverageMap, given: readonly string[]): Redactor {
  const { headers, query } = map.secretNames();
  return new Redactor({ headers: [...headers, ...given], query });
}

function openTraffic(
  path: string | undefined,
  onUnwritten: (sentence: string) => void,
): TrafficFile | undefined {
  if (path === undefined) return undefined;
  const sentence = (error: unknown): string => `Cannot write ${path}: ${fileErrorSentence(error)}`;
  try {
    return new TrafficFile(
      path,
      (error) => onUnwritten(`${sentence(error)} What it lacks still counts.`),
    );
  } catch (error) {
    throw new CommandError(sentence(error), error);
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}
