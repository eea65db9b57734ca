import type { Sight, Sights } from "./sights.ts";

/** Numbers of requests by outcome. */
export interface Balance {
  readonly requests: number;
  /** Requests with a complete response from a server. */
  readonly answered: number;
  /** Requests that the proxy responded to itself. */
  readonly refused: number;
  readonly recorded: number;
  /** Requests that are recorded although no server read them completely, by permitted reason. */
  readonly unseen: Readonly<Record<string, number>>;
  /** Requests that are not recorded, by permitted reason. */
  readonly missing: Readonly<Record<string, number>>;
  /** Safe requests that were repeated. */
  readonly repeated: number;
}

/** A line of the recording. */
interface Line {
  readonly request: { readonly method: string; readonly url: string };
  readonly response?: {
    readonly status_code: number;
    readonly headers?: Readonly<Record<string, string | string[]>>;
    readonly body?: string;
    readonly body_truncated?: boolean;
  };
}

/** A JSON report. */
interface JsonReport {
  readonly traffic: { readonly recorded: number; readonly matched: number };
  readonly operations: readonly {
    readonly method: string;
    readonly path: string;
    readonly hits: number;
  }[];
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** Compares the recording, line by line, with what clients sent and servers received. Each difference is a problem. */
export async function balance(
  sights: Sights,
  recording: AsyncIterable<string>,
  report: JsonReport,
): Promise<Balance> {
  const recorded = new Map<string, number>();
  const hits = new Map<string, number>();
  let lines = 0;
  for await (const text of recording) {
    lines++;
    const line = JSON.parse(text) as Line;
    const { pathname } = new URL(line.request.url);
    const [, mode = "", id = ""] = pathname.split("/");
    recorded.set(id, (recorded.get(id) ?? 0) + 1);
    const operation = `${line.request.method} /${mode}/{id}`;
    hits.set(operation, (hits.get(operation) ?? 0) + 1);
    checkLine(sights, line, id);
  }
  const unseen = new Counts();
  const missing = new Counts();
  let answered = 0;
  let refused = 0;
  let repeated = 0;
  for (const sight of sights.all.values()) {
    checkSight(sights, sight);
    const { outcome, heads, id } = sight;
    if (outcome?.isServers === true) answered++;
    else if (outcome !== undefined) refused++;
    if (heads > 1) repeated++;
    const times = recorded.get(id) ?? 0;
    if (times > 1) sights.fail(`${describe(sight)} is recorded ${times} times.`);
    if (times === 0) missing.add(whyMissing(sights, sight));
    else if (sight.wholes === 0) unseen.add(whyUnseen(sights, sight));
  }
  checkReport(sights, report, lines, hits);
  return {
    ...{ requests: sights.all.size, answered, refused, recorded: lines, repeated },
    ...{ unseen: unseen.all, missing: missing.all },
  };
}

function checkLine(sights: Sights, { request, response }: Line, id: string): void {
  const sight = sights.all.get(id);
  if (sight === undefined || sights.forbidden.has(id)) {
    sights.fail(`A request that nobody sent is recorded: ${request.method} ${request.url}`);
    return;
  }
  if (sight.method !== request.method) sights.fail(`${id} is recorded as ${request.method}.`);
  if (response === undefined) return;
  const mark = Object.entries(response.headers ?? {}).find(([name]) =>
    name.toLowerCase() === "x-soak-id"
  )?.[1];
  const named = response.body_truncated === true
    ? undefined
    : /^\{"id":"([^"]*)"/.exec(response.body ?? "")?.[1];
  for (const found of [mark, named]) {
    if (found === undefined || found === id) continue;
    sights.fail(`${id} is recorded with the answer of ${found}.`);
  }
  const { outcome } = sight;
  if (outcome?.isServers === true && outcome.status !== response.status_code) {
    sights.fail(`${id} is recorded with ${response.status_code}, and got ${outcome.status}.`);
  }
}

/** Checks what each client and server must have received. */
function checkSight(sights: Sights, sight: Sight): void {
  const { outcome, hasLeft, isBehindBreak, place, method, heads, wholes } = sight;
  const isSmuggling = sight.client.startsWith("smuggling");
  const mayRepeat = SAFE.has(method) && place !== "steady";
  if (heads > (mayRepeat ? 2 : 1)) sights.fail(`${describe(sight)} was sent ${heads} times.`);
  if (wholes > 0 && sight.isSent && !isSmuggling && sight.sentBody !== sight.seenBody) {
    sights.fail(`${describe(sight)} came with another body.`);
  }
  if (hasLeft || isBehindBreak || isSmuggling) return;
  if (outcome === undefined) {
    if (place !== "closing") {
      sights.fail(`${describe(sight)} was never answered.`);
    } else if (!mayBreak(sight)) sights.fail(`${describe(sight)} broke off before its answer.`);
    return;
  }
  const { isServers, isWhole, status, text = "" } = outcome;
  if (!isServers && (place === "steady" || status !== 502)) {
    sights.fail(`${describe(sight)} was answered ${status} by the proxy: ${text}`);
  }
  if (!isWhole && !mayBreak(sight)) sights.fail(`${describe(sight)} has half an answer.`);
  if (!isServers && place === "closing" && !mayBeRefused(sight)) {
    sights.fail(`${describe(sight)} was answered ${status}, though the server answers that.`);
  }
}

/** True if the response may break off before its end. */
function mayBreak({ mode }: Sight): boolean {
  return mode === "half_body" || mode === "half_chunk";
}

/** True if the proxy may refuse a request that a server accepts, because its connection was being closed. */
function mayBeRefused({ mode, method, client, sentBody }: Sight): boolean {
  const isAnswered = mode === "ok" || mode === "then_close" || mode === "until_close";
  const isRepeated = SAFE.has(method) && sentBody?.startsWith("0:") === true;
  return !isAnswered || !isRepeated || client === "half-closing";
}

/** Why a request may be missing in the recording. */
function whyMissing(sights: Sights, sight: Sight): string {
  const { place, wholes, outcome, isSent, hasLeft, isBehindBreak, heads } = sight;
  if (sight.client.startsWith("smuggling") && wholes === 0) return "not a request";
  if (wholes > 0) {
    sights.fail(`${describe(sight)} is not recorded, though a server read all of it.`);
    return "LOST";
  }
  if (outcome?.isServers === true) {
    sights.fail(`${describe(sight)} is not recorded, though a server answered it.`);
    return "LOST";
  }
  if (!isSent) return "its client left before it was whole";
  if (hasLeft) return "its client left before a server read it";
  if (isBehindBreak) return "behind one whose answer broke off";
  if (outcome !== undefined && (heads > 0 || place !== "steady")) {
    return "its server closed before reading it";
  }
  sights.fail(`${describe(sight)} is not recorded.`);
  return "LOST";
}

/** Why a request may be recorded that no server read completely. */
function whyUnseen(sights: Sights, sight: Sight): string {
  const { place, mode, hasLeft, isBehindBreak, isSent, heads } = sight;
  if (heads > 0 && mode === "early_answer") return "answered before it was whole";
  if (heads > 0 && mode === "close_on_head") return "its server closed at its head";
  if (isSent && place === "closing") {
    return "sent into a connection that was being closed";
  }
  if (isSent && (hasLeft || isBehindBreak)) return "its client left while it was sent";
  if (hasLeft && heads > 0) return "its client left while it was sent";
  sights.fail(`${describe(sight)} is recorded, though no server read it.`);
  return "MADE UP";
}

function checkReport(
  sights: Sights,
  report: JsonReport,
  lines: number,
  hits: ReadonlyMap<string, number>,
): void {
  const { recorded, matched } = report.traffic;
  if (recorded !== lines) sights.fail(`The report has ${recorded} requests, the file ${lines}.`);
  let sum = 0;
  for (const operation of report.operations) {
    const name = `${operation.method.toUpperCase()} ${operation.path}`;
    const expected = hits.get(name) ?? 0;
    sum += operation.hits;
    if (operation.hits !== expected) {
      sights.fail(`The report has ${operation.hits} of ${name}, the file ${expected}.`);
    }
  }
  if (matched !== sum) sights.fail(`${matched} requests match, but operations have ${sum}.`);
}

function describe({ id, method, mode, place, client }: Sight): string {
  return `${method} /${mode}/${id} (${place}, ${client})`;
}

/** Counts by reason. */
class Counts {
  readonly all: Record<string, number> = {};

  add(reason: string): void {
    this.all[reason] = (this.all[reason] ?? 0) + 1;
  }
}
