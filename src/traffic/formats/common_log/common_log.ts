import type { Interaction } from "../../../http/interaction.ts";
import {
  CLF_TIME_LENGTH,
  clfTimes,
  endOfQuoted,
  readRequestLine,
  unescapeLogged,
} from "../../logs/log_fields.ts";
import { LINE_VISIBILITY, logInteraction } from "../../logs/log_interaction.ts";
import { FOREIGN_LINE, NOT_HTTP, textLog } from "../../logs/text_log.ts";
import type { EntryContent, EntryReader, RecordingFormat } from "../recording.ts";

/** Maximum number of cached requests, of which clients usually repeat a few. Beyond it, the cache is cleared. */
const MAX_TEXTS = 4096;
/** Longer texts are rarely repeated. */
const MAX_TEXT_LENGTH = 400;

/** Slots for hashes of texts that occurred once; a power of two. */
const SLOTS = 1 << 14;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Caches the interactions of requests in log lines, without their times, from the second occurrence on. */
class RepeatedRequests {
  readonly #interactions = new Map<string, Interaction>();
  /** Hashes of texts that occurred once. A colliding text replaces the earlier one. */
  readonly #once = new Int32Array(SLOTS);

  get(text: string): Interaction | undefined {
    return this.#interactions.get(text);
  }

  /** Notes an occurrence. Skips texts that don't contain the URL as it is, since a secret in it was masked. */
  add(text: string, interaction: Interaction): void {
    if (text.length > MAX_TEXT_LENGTH || !text.includes(interaction.request.url)) return;
    const hash = hashText(text);
    const slot = hash & (SLOTS - 1);
    if (this.#once[slot] !== hash) {
      this.#once[slot] = hash;
      return;
    }
    if (this.#interactions.size >= MAX_TEXTS) this.#interactions.clear();
    // A copy, since a substring would keep all lines of the batch in memory.
    this.#interactions.set(decoder.decode(encoder.encode(text)), interaction);
  }
}

/** FNV-1a, over code units. */
function hashText(text: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}

/** Time and request, the common part of all these lines: `[10/Oct/2000:13:55:36 -0700] "…" 200`. */
const ENTRY =
  /\[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] "(?:[^"\\]|\\.)*" (?:\d{3}|-)(?: |$)/;

/** The host and three more fields at the beginning of `vhost_combined` of Debian's Apache. */
const HOST = /^([a-zA-Z\d](?:[\w.-]{0,252}[a-zA-Z\d])?):(\d{1,5}) \S+ \S+ \S/;

const SECURE_PORT = "443";
const OPEN_BRACKET = 0x5b;

/** Common and Combined Log Format, also with a prefix of syslog or Docker. */
export const COMMON_LOG: RecordingFormat = textLog({
  name: "a log in Common Log Format",
  isLine: (line) => ENTRY.test(line),
  begin: readCommonLog,
});

function readCommonLog(): EntryReader {
  const secondsAt = clfTimes();
  const seen = new RepeatedRequests();
  return (entry, place): EntryContent => {
    const line = entry as string;
    const quote = line.indexOf('] "') + 3;
    const open = quote - 4 - CLF_TIME_LENGTH;
    const end = quote < 3 ? -1 : endOfQuoted(line, quote);
    if (end === -1 || line.charCodeAt(open) !== OPEN_BRACKET) return place.addProblem(FOREIGN_LINE);
    const origin = readOrigin(line, open);
    // The request, its closing quote, a space, the status and the character after it.
    const text = line.slice(quote, end + 6);
    const timestamp = secondsAt(line, open + 1);
    const known = origin === undefined ? seen.get(text) : undefined;
    if (known !== undefined) return withTimestamp(timestamp, known);
    const request = readRequestLine(unescapeLogged(line.slice(quote, end)));
    const status = statusAt(line, end + 2);
    if (request === undefined || status === undefined) {
      return place.addProblem(status === undefined ? FOREIGN_LINE : NOT_HTTP);
    }
    const interaction = logInteraction({ ...request, origin, status, visibility: LINE_VISIBILITY });
    if (origin === undefined) seen.add(text, interaction);
    return withTimestamp(timestamp, interaction);
  };
}

/** Copies an interaction with another time. Copying by member takes half the time of a spread. */
function withTimestamp(
  timestamp: number | undefined,
  { request, response, visibility }: Interaction,
): Interaction {
  if (timestamp === undefined) return { request, response, visibility };
  return { request, response, timestamp, visibility };
}

/** Reads a status of three digits before a space or the end; 0 for `-`; undefined for anything else. */
function statusAt(line: string, index: number): number | undefined {
  const match = /^(?:(\d{3})|-)(?: |$)/.exec(line.slice(index, index + 4));
  return match === null ? undefined : Number(match[1] ?? 0);
}

/** Reads the server from a line of `vhost_combined`; other lines have a client's address there. */
function readOrigin(line: string, open: number): string | undefined {
  const colon = line.indexOf(":");
  if (colon < 0 || colon > open || line.charCodeAt(colon + 1) === 0x3a) return undefined;
  const match = HOST.exec(line.slice(0, open));
  if (match === null) return undefined;
  const [, host = "", port = ""] = match;
  return port === SECURE_PORT ? `https://${host}` : `http://${host}:${port}`;
}
