import { setTimeout as delay } from "node:timers/promises";
import { ApiMaps } from "../coverage_map/api_maps.ts";
import type { MeasuredApi } from "../coverage_map/measured_api.ts";
import { fileErrorSentence } from "../files/files.ts";
import { missingNetPermission } from "../files/missing_permission.ts";
import { OutputGuard } from "../files/output_guard.ts";
import { setKnownSecrets, withoutResponseBody } from "../http/interaction.ts";
import { TrafficFile } from "../proxy/traffic_file.ts";
import { type Identity, SenderReader } from "../redact/identities.ts";
import { watchMasking } from "../redact/mask_text.ts";
import { redactInteraction } from "../redact/redact_request.ts";
import { Redactor } from "../redact/redactor.ts";
import { nameKind } from "../redact/secret_names.ts";
import { withoutCommands } from "../report/text/plain_text.ts";
import { formatAmount } from "../report/wording/amounts.ts";
import { CommandError, usageError } from "../run/command_error.ts";
import { printSentences, sanitizeMessage } from "../run/error_sentences.ts";
import { exitCodeFor, printExitReason } from "../run/exit_code.ts";
import { type Host, layoutFor } from "../run/host.ts";
import { measureKeepingRequests } from "../run/measure.ts";
import { readHeader, readRate } from "../run/options/option_kinds.ts";
import { chooseOutputs, guardedFile, guardedReports } from "../run/outputs.ts";
import { ProbeClient } from "../run/probe/probe_client.ts";
import { type AccessPlan, planAccess, SenderRequests } from "../run/probe/plan_access.ts";
import { isMethodOverride, type ProbeEnd, Prober, type ProbeResult } from "../run/probe/prober.ts";
import { preparePublish } from "../run/publish.ts";
import { SuggestError } from "../suggest/suggestion.ts";
import type { Configured } from "./command_groups.ts";
import { onEndSignals } from "./end_signals.ts";
import { LiveLine } from "./live_line.ts";

/** Milliseconds to wait for a response. */
const TIMEOUT = 30_000;
/** Header fields whose values aren't secret and also occur in other messages. */
const PLAIN_FIELD =
  /^(?:accept|cache|connection|content|forwarded|host|if|max|origin|pragma|prefer|range|referer|user-agent|via|x-forwarded)(?:-|$)/i;
/** Largest number of bytes of a response body to keep. */
const BODY_LIMIT = 1 << 20;

export async function probe(options: Configured<"probe">, host: Host): Promise<number> {
  const { server, saveTraffic } = options;
  if (server === undefined) {
    throw usageError(
      "Say which server to send requests to: --server http://localhost:3000. covtool contacts no other host.",
    );
  }
  const { hostname, port, protocol } = new URL(server);
  const denied = missingNetPermission(`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`);
  if (denied !== undefined) throw new CommandError(denied);
  const outputs = chooseOutputs(options.formats, options.output);
  const guard = new OutputGuard([
    ...guardedReports(outputs),
    ...guardedFile("The traffic file", saveTraffic),
  ]);
  const inputs = [...options.traffic, ...options.env];
  checkAccess(options);
  const publish = await preparePublish(outputs, options, inputs, host, guard);
  const { identities, missing } = knownIdentities(options);
  const senders = new SenderRequests();
  const onLoaded = (api: MeasuredApi): void => api.keepSenders(senders);
  const kept = {
    ...options,
    ...(options.asIdentities && { identities, onLoaded }),
    keepRequests: "newest",
  } as const;
  const { map, warnings } = await measureKeepingRequests(kept, host, guard);
  const unwritten = new Set<string>();
  const plan = options.asIdentities
    ? () => planAccess(map, senders, { server, identities, isUnsafe: options.unsafe })
    : undefined;
  if (options.dryRun && plan !== undefined) {
    await host.stdout.write(withoutCommands(dryRunText(plan(), missing)));
    return 0;
  }
  const onUnwritten = (sentence: string): void => void unwritten.add(sentence);
  const result = await send(map, server, options, host, onUnwritten, plan);
  const limits = { ...options, server, isNew: inputs.length === 0 };
  const unanswered = unansweredSentence(result, limits);
  if (unanswered !== undefined) throw new CommandError(unanswered);
  const { sentences, warned } = probeSentences(result, limits);
  const open = plan === undefined ? [] : openSentences(plan(), missing);
  await printSentences(host, sentences);
  const unmet = await publish({
    map: ApiMaps.single(map),
    warnings: [...warnings, ...warned, ...open, ...unwritten],
  });
  if (unwritten.size === 0) return await exitCodeFor(unmet, host);
  return await printExitReason(1, "error (the traffic file could not be written)", host);
}

function checkAccess({ asIdentities, dryRun, identities = [] }: Configured<"probe">): void {
  if (dryRun && !asIdentities) {
    throw usageError(
      "--dry-run lists what --identities would send. covtool suggest lists the rest.",
    );
  }
  if (asIdentities && identities.length === 0) {
    throw usageError(
      "--identities sends requests as the identities of the config file, which has none. Add identities to covtool.yaml.",
    );
  }
}

/** The identities of the config file. For those whose credential is missing, only the tag is used. */
function knownIdentities({ identities = [] }: Configured<"probe">): {
  readonly identities: readonly Identity[];
  readonly missing: readonly string[];
} {
  return {
    identities: identities.map(({ missing, ...identity }) => {
      const { name, tag = name, jwt, scopes } = identity;
      return missing === undefined || jwt !== undefined ? identity : { name, tag, scopes };
    }),
    missing: identities.flatMap(({ missing }) => missing ?? []),
  };
}

/** Lists the requests that would be sent, without credentials, and the expectations that stay open. */
function dryRunText(plan: AccessPlan, missing: readonly string[]): string {
  const lines = plan.requests.map(({ identity, request: { method, url }, asks, owner }) => {
    const object = owner === undefined || owner === identity ? "" : `, an object of ${owner}`;
    const [path = ""] = url.split("?", 1);
    return `${identity}: ${method} ${path} (to ${asks}${object})`;
  });
  const number = `${formatAmount(lines.length, "request")}, none of them sent.`;
  const all = [...lines, ...openSentences(plan, missing), number];
  return `${all.map(sanitizeMessage).join("\n")}\n`;
}

function openSentences({ open }: AccessPlan, missing: readonly string[]): string[] {
  return [
    ...missing,
    ...[...open].map(([reason, number]) =>
      `${formatAmount(number, "expectation")} ${number === 1 ? "stays" : "stay"} open: ${reason}.`
    ),
  ];
}

async function send(
  map: MeasuredApi,
  server: string,
  options: Configured<"probe">,
  host: Host,
  onUnwritten: (sentence: string) => void,
  plan?: () => AccessPlan,
): Promise<ProbeResult> {
  const headers = options.header.map(readHeader);
  const override = headers.find(([name, value]) => isMethodOverride(name, value));
  if (override !== undefined && !options.unsafe) {
    throw usageError(
      `--header ${
        override[0]
      } gives every request a method that may change data. Add --unsafe to send it.`,
    );
  }
  const { variables, stderr } = host;
  const redactor = redactorFor(map, headers.map(([name]) => name));
  const secrets = new Set(headerSecrets(headers, redactor));
  const file = openTraffic(options.saveTraffic, onUnwritten);
  const client = new ProbeClient({
    server,
    headers,
    bodyLimit: options.bodyLimit ?? BODY_LIMIT,
    timeout: TIMEOUT,
    now: host.now,
  });
  const { identities = [] } = plan === undefined ? {} : knownIdentities(options);
  const marker = identities.length === 0 ? undefined : new SenderReader(identities);
  for (const { value } of identities) if (value !== undefined) secrets.add(value);
  const abort = new AbortController();
  const stop = onEndSignals(() => {
    stop(); // another signal then ends the program at once
    abort.abort();
  });
  const recording = map.recording("probe");
  let answered = 0;
  const line = new LiveLine({
    map,
    stream: stderr,
    colors: layoutFor(host, options.color).colors,
    isDrawn: stderr.isTerminal,
    requests: () => answered,
  });
  line.start();
  try {
    const prober = new Prober(map, {
      server,
      gaps: options.gap.length === 0 ? undefined : options.gap,
      seed: options.seed,
      isUnsafe: options.unsafe,
      max: options.max,
      seconds: options.time,
      rate: options.rate === undefined ? Infinity : readRate(options.rate),
      headers: new Set(headers.map(([name]) => name.toLowerCase())),
      credential: (name) => {
        const value = variables[name];
        for (const secret of headerSecrets([["Authorization", value ?? ""]], redactor)) {
          secrets.add(secret);
        }
        return value;
      },
    }, {
      client,
      signal: abort.signal,
      onResponse: (interaction) => {
        answered++;
        const known = options.responseBodies === false
          ? withoutResponseBody(interaction)
          : interaction;
        setKnownSecrets(known.request, [...secrets]);
        const record = (): void => map.record(known.request, known.response, known.timestamp);
        // With --identities, these requests count as part of the recordings, which show who owns an object.
        if (plan === undefined) recording.within(record);
        else record();
        file?.append(redactInteraction(marker?.mark(known) ?? known, redactor));
      },
      wait: (milliseconds) =>
        delay(milliseconds, undefined, { signal: abort.signal }).catch(() => {}),
      clock: () => performance.now(),
    });
    return await (plan === undefined ? prober.run() : prober.runAccess(() => plan().requests));
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

/** Masks secrets by the description and by well-known names, and every header field given by --header. */
function redactorFor(map: MeasuredApi, given: readonly string[]): Redactor {
  const { headers, query } = map.secretNames();
  return new Redactor({ headers: [...headers, ...given], query });
}

/** Returns the secrets in the given header fields. Skips fields that describe the message. */
function headerSecrets(
  headers: readonly (readonly [name: string, value: string])[],
  redactor: Redactor,
): string[] {
  const masked = watchMasking(() => {
    for (const [name, value] of headers) {
      // Short values of harmless fields, such as a version, also occur elsewhere by chance.
      const isSecret = value.length >= 8 || nameKind(name) !== "harmless";
      if (isSecret && !PLAIN_FIELD.test(name)) redactor.header(name, value);
    }
  });
  return [...masked.keys()];
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

interface ProbeLimits extends Pick<Configured<"probe">, "max" | "time"> {
  readonly server: string;
  /** True if no traffic was read, so that every gap is still open. */
  readonly isNew: boolean;
}

/** The error message of a probe that got no response. Undefined if there were responses, or nothing to send. */
function unansweredSentence(result: ProbeResult, limits: ProbeLimits): string | undefined {
  const { answered, failed, unsendable, unsafeOperations, reason, end } = result;
  const { server, time } = limits;
  if (answered > 0 || end === "interrupted") return undefined;
  if (failed > 0) return `Cannot reach ${server}: ${reason}. Start the API, or correct --server.`;
  if (end === "time") {
    return `No answer came from ${server} within ${
      formatAmount(time, "second")
    } (--time). Start the API, correct --server, or allow more time.`;
  }
  if (unsendable > 0) {
    return `No request was sent to ${server}: HTTP can't express ${
      formatAmount(unsendable, "request")
    } (${reason}).`;
  }
  if (unsafeOperations > 0 && limits.isNew) {
    return `No request was sent to ${server}: all operations that are left change data. --unsafe sends those too.`;
  }
  return undefined;
}

function probeSentences(
  result: ProbeResult,
  limits: ProbeLimits,
): Record<"sentences" | "warned", readonly string[]> {
  const { answered, failed, unsendable, overriding, reason, created, missing, unsafeOperations } =
    result;
  const warned: string[] = [];
  if (failed > 0) warned.push(`No answer came to ${formatAmount(failed, "request")}: ${reason}.`);
  if (unsendable > 0) {
    warned.push(`HTTP can't express ${formatAmount(unsendable, "request")}, so they weren't sent.`);
  }
  if (overriding > 0) {
    warned.push(
      `${formatAmount(overriding, "request")} left out, as a field such as \`_method\` or ` +
        `\`X-HTTP-Method-Override\` asks for a method that may change data: --unsafe sends those too.`,
    );
  }
  if (missing.length > 0) {
    const names = missing.map((placeholder) => placeholder.slice(1));
    warned.push(
      `No value is known for ${missing.join(", ")}: set the environment ${
        names.length === 1 ? "variable" : "variables"
      } ${names.join(", ")}, or give --header. Requests were sent without ${
        names.length === 1 ? "it" : "them"
      }.`,
    );
  }
  const sent = `${formatAmount(answered, "request")} sent to ${limits.server}.`;
  const sentences = [`${sent} ${endSentence(result.end, limits)}`];
  const amounts = [...created].map(([operation, number]) => `${operation} (${number})`);
  if (amounts.length > 0) sentences.push(`Created: ${amounts.join(", ")}.`);
  if (unsafeOperations > 0) {
    sentences.push(
      `${formatAmount(unsafeOperations, "operation")} left out, as ${
        unsafeOperations === 1 ? "its method changes" : "their methods change"
      } data: --unsafe sends those too.`,
    );
  }
  return { sentences, warned };
}

function endSentence(end: ProbeEnd, { max, time }: ProbeLimits): string {
  switch (end) {
    case "done":
      return "Nothing is left to suggest.";
    case "max":
      return `Stopped at the limit of ${formatAmount(max, "request")} (--max).`;
    case "time":
      return `Stopped after ${formatAmount(time, "second")} (--time).`;
    case "interrupted":
      return "Interrupted; the report has what was answered.";
    case "no_connection":
      return "Stopped after 5 failed connections in a row.";
    case "server_errors":
      return "Stopped after 20 answers of 5xx in a row.";
  }
}
