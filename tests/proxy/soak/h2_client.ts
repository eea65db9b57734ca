import { concatBytes } from "../../../src/values/collections.ts";
import type { RawClient } from "../raw_client.ts";

/** An HTTP/2 response. */
export interface Http2Answer {
  readonly status: number;
  readonly body: Uint8Array;
  /** False if the stream or the connection broke off before the end. */
  readonly isWhole: boolean;
}

/** Fields of a request in order, pseudo-header fields first. */
export type Http2Fields = readonly (readonly [string, string])[];

export const PREFACE: Uint8Array = new TextEncoder().encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const DATA = 0;
const HEADERS = 1;
export const RST_STREAM = 3;
export const SETTINGS = 4;
export const PING = 6;
const GOAWAY = 7;
const WINDOW_UPDATE = 8;
const CONTINUATION = 9;
const END_STREAM = 1;
const END_HEADERS = 4;
const MOST_PAYLOAD = 16_384;
const WIDE = 0x7fff_0000;
const EMPTY = new Uint8Array();

interface Stream {
  status: number;
  readonly parts: Uint8Array[];
  window: number;
  resolve(answer: Http2Answer): void;
}

/** An HTTP/2 connection with access to every frame, which can send what no library would. */
export class Http2Client {
  readonly #client: RawClient;
  readonly #streams = new Map<number, Stream>();
  #nextStream = 1;
  #window = 65_535;
  #initialWindow = 65_535;
  #isOver = false;
  #wake: () => void = () => {};
  /** Error code of the GOAWAY frame; undefined without one. */
  endCode: number | undefined;
  /** The other side's limit of open streams; undefined if it announced none. */
  maxStreams: number | undefined;

  /** Begins HTTP/2 on a TLS connection. */
  constructor(client: RawClient) {
    this.#client = client;
    // Without a dynamic table, and with a window that is never full.
    client.write(concatBytes([
      PREFACE,
      frame(SETTINGS, 0, 0, Uint8Array.of(0, 1, 0, 0, 0, 0, 0, 4, 0x7f, 0xff, 0, 0)),
      frame(WINDOW_UPDATE, 0, 0, number32(WIDE - 65_535)),
    ]));
    void this.#read();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sends a request with its whole body. */
  request(fields: Http2Fields, body: Uint8Array = EMPTY): Promise<Http2Answer> {
    const { stream, answer } = this.begin(fields, body.length === 0);
    if (body.length > 0) void this.send(stream, body, true);
    return answer;
  }

  /** Sends the head of a request. */
  begin(
    fields: Http2Fields,
    isLast: boolean,
  ): { readonly stream: number; readonly answer: Promise<Http2Answer> } {
    const stream = this.#nextStream;
    this.#nextStream += 2;
    const { promise, resolve } = Promise.withResolvers<Http2Answer>();
    if (this.#isOver) resolve({ status: 0, body: EMPTY, isWhole: false });
    else {
      this.#streams.set(stream, { status: 0, parts: [], window: this.#initialWindow, resolve });
      const block = concatBytes(fields.map(([name, value]) => literal(name, value)));
      const parts: Uint8Array[] = [];
      for (let at = 0; at === 0 || at < block.length; at += MOST_PAYLOAD) {
        const flags = (at + MOST_PAYLOAD >= block.length ? END_HEADERS : 0) |
          (at === 0 && isLast ? END_STREAM : 0);
        const piece = block.subarray(at, at + MOST_PAYLOAD);
        parts.push(frame(at === 0 ? HEADERS : CONTINUATION, flags, stream, piece));
      }
      this.#client.write(concatBytes(parts));
    }
    return { stream, answer: promise };
  }

  /** Sends part of a body, as fast as it is accepted. Ends early if the stream does. */
  async send(stream: number, body: Uint8Array, isLast: boolean): Promise<boolean> {
    for (let at = 0; at < body.length || at === 0 && isLast;) {
      const found = this.#streams.get(stream);
      if (found === undefined || this.#isOver) return false;
      const room = Math.min(found.window, this.#window, MOST_PAYLOAD);
      if (room <= 0 && body.length > 0) {
        await new Promise<void>((resolve) => {
          const before = this.#wake;
          this.#wake = () => {
            before();
            resolve();
          };
        });
        continue;
      }
      const piece = body.subarray(at, at + room);
      at += piece.length;
      found.window -= piece.length;
      this.#window -= piece.length;
      this.#client.write(frame(DATA, isLast && at >= body.length ? END_STREAM : 0, stream, piece));
      if (body.length === 0) break;
    }
    return true;
  }

  /** Resets a stream. */
  reset(stream: number, code = 8): void {
    this.#client.write(frame(RST_STREAM, 0, stream, number32(code)));
    this.#finish(stream, false);
  }

  /** Sends raw bytes. */
  write(bytes: Uint8Array): void {
    this.#client.write(bytes);
  }

  /** Sends GOAWAY without waiting. */
  goAway(): void {
    this.#client.write(frame(GOAWAY, 0, 0, new Uint8Array(8)));
  }

  /** Closes the connection without notice. */
  destroy(): void {
    this.#client.destroy();
  }

  #finish(stream: number, isWhole: boolean): void {
    const found = this.#streams.get(stream);
    if (found === undefined) return;
    this.#streams.delete(stream);
    found.resolve({ status: found.status, body: concatBytes(found.parts), isWhole });
    this.#wakeAll();
  }

  #wakeAll(): void {
    const wake = this.#wake;
    this.#wake = () => {};
    wake();
  }

  async #read(): Promise<void> {
    let block:
      | { readonly stream: number; readonly flags: number; readonly parts: Uint8Array[] }
      | undefined;
    try {
      for (;;) {
        const head = await this.#client.take(9);
        const [high = 0, middle = 0, low = 0, type = 0, flags = 0] = head;
        const stream = new DataView(head.buffer, head.byteOffset).getUint32(5) & 0x7fff_ffff;
        const payload = await this.#client.take(high << 16 | middle << 8 | low);
        if (type === HEADERS || type === CONTINUATION) {
          block ??= { stream, flags, parts: [] };
          block.parts.push(payload);
          if ((flags & END_HEADERS) === 0) continue;
          const found = this.#streams.get(block.stream);
          if (found !== undefined && found.status < 200) {
            found.status = readStatus(concatBytes(block.parts));
          }
          if ((block.flags & END_STREAM) !== 0) this.#finish(block.stream, true);
          block = undefined;
        } else if (type === DATA) {
          this.#streams.get(stream)?.parts.push(payload);
          if (payload.length > 0) {
            this.#client.write(frame(WINDOW_UPDATE, 0, 0, number32(payload.length)));
          }
          if ((flags & END_STREAM) !== 0) this.#finish(stream, true);
        } else if (type === RST_STREAM) this.#finish(stream, false);
        else if (type === SETTINGS && (flags & 1) === 0) this.#onSettings(payload);
        else if (type === PING && (flags & 1) === 0) {
          this.#client.write(frame(PING, 1, 0, payload));
        } else if (type === GOAWAY) this.endCode ||= payload[7];
        else if (type === WINDOW_UPDATE) {
          const more = new DataView(payload.buffer, payload.byteOffset).getUint32(0);
          if (stream === 0) this.#window += more;
          else {
            const found = this.#streams.get(stream);
            if (found !== undefined) found.window += more;
          }
          this.#wakeAll();
        }
      }
    } catch {
      // The connection has ended.
    }
    this.#isOver = true;
    for (const stream of [...this.#streams.keys()]) this.#finish(stream, false);
    this.#wakeAll();
  }

  #onSettings(payload: Uint8Array): void {
    const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
    for (let at = 0; at + 6 <= payload.length; at += 6) {
      if (view.getUint16(at) === 3) this.maxStreams = view.getUint32(at + 2);
      if (view.getUint16(at) !== 4) continue;
      const window = view.getUint32(at + 2);
      for (const stream of this.#streams.values()) stream.window += window - this.#initialWindow;
      this.#initialWindow = window;
    }
    this.#client.write(frame(SETTINGS, 1, 0, EMPTY));
    this.#wakeAll();
  }
}

/** Encodes a frame (RFC 9113, section 4.1). */
export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array,
): Uint8Array {
  const bytes = new Uint8Array(9 + payload.length);
  const { length } = payload;
  bytes.set([length >> 16, length >> 8 & 255, length & 255, type, flags]);
  bytes.set(number32(stream), 5);
  bytes.set(payload, 9);
  return bytes;
}

function number32(value: number): Uint8Array {
  return Uint8Array.of(value >> 24, value >> 16 & 255, value >> 8 & 255, value & 255);
}

/** Encodes a field without indexing, with a new name (RFC 7541, section 6.2.2). */
function literal(name: string, value: string): Uint8Array {
  return concatBytes([Uint8Array.of(0), hpackText(name), hpackText(value)]);
}

function hpackText(text: string): Uint8Array {
  const bytes = Uint8Array.from(text, (unit) => unit.charCodeAt(0));
  return concatBytes([hpackNumber(bytes.length), bytes]);
}

function hpackNumber(value: number): Uint8Array {
  if (value < 127) return Uint8Array.of(value);
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest >>= 7) bytes.push(rest & 127 | 128);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

/** Statuses in HPACK's static table, from index 8 on. */
const STATIC = [200, 204, 206, 304, 400, 404, 500];

/** The status in a block of fields, where it is the first; 0 in trailers. */
function readStatus(block: Uint8Array): number {
  let at = 0;
  // Table size updates come before all fields.
  while (((block[at] ?? 0) & 0xe0) === 0x20) {
    const isLong = ((block[at++] ?? 0) & 0x1f) === 0x1f;
    while (isLong && ((block[at++] ?? 0) & 0x80) !== 0);
  }
  const first = block[at] ?? 0;
  if ((first & 0x80) !== 0) return STATIC[(first & 0x7f) - 8] ?? 0;
  const name = (first & 0x40) !== 0 ? first & 0x3f : first & 0x0f;
  if (name < 8 || name > 14) return 0;
  const length = block[at + 1] ?? 0;
  const value = block.subarray(at + 2, at + 2 + (length & 0x7f));
  return Number((length & 0x80) !== 0 ? huffmanDigits(value) : new TextDecoder().decode(value));
}

/** Decodes digits, whose codes have five and six bits (RFC 7541, appendix B). */
function huffmanDigits(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  let text = "";
  for (let at = 0; text.length < 3;) {
    const five = parseInt(bits.slice(at, at + 5), 2);
    if (five < 3) {
      text += five;
      at += 5;
    } else {
      text += parseInt(bits.slice(at, at + 6), 2) - 22;
      at += 6;
    }
  }
  return text;
}
