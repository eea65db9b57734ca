import type { Place, RecordingFormat } from "../formats/recording.ts";

const FRACTION = /\.(\d+)/;
const ZONE = /(?:[zZ]|[+-]\d{2}:?\d{2})$/;

/** Converts ISO 8601 to seconds since 1970, with all digits; UTC if there is no zone; undefined if it isn't a time. */
export function isoSeconds(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}[Tt ]/.test(text)) return undefined;
  const fraction = FRACTION.exec(text)?.[1] ?? "";
  const whole = text.replace(FRACTION, "");
  const time = Date.parse(ZONE.test(whole) ? whole : `${whole}Z`);
  if (Number.isNaN(time)) return undefined;
  return time >= 0 ? Number(`${time / 1000}.${fraction}`) : time / 1000 + Number(`0.${fraction}`);
}

const GO_UNITS: Readonly<Record<string, number>> = {
  ...{ h: 3600, m: 60, s: 1, ms: 1e-3, "µs": 1e-6, us: 1e-6, ns: 1e-9 },
};

/** Converts a duration in Go's notation (`325.7ms`, `1m2.5s`) to seconds; undefined for anything else. */
export function goSeconds(value: unknown): number | undefined {
  if (typeof value !== "string" || !/^(?:\d+(?:\.\d+)?(?:h|ms|m|s|µs|us|ns))+$/.test(value)) {
    return undefined;
  }
  const parts = value.matchAll(/([\d.]+)([a-zµ]+)/g);
  return Array.from(parts, ([, amount, unit = ""]) => Number(amount) * (GO_UNITS[unit] ?? 0))
    .reduce((sum, seconds) => sum + seconds, 0);
}

/** An object that is built member by member, as copies would take longer than reading. */
export type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const NO_FIELDS: Fields = {};

export function asFields(value: unknown): Fields {
  return isFields(value) ? value : NO_FIELDS;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Creates the recognition of recordings whose entries are a list in an object, such as `log.entries`. */
export function nestedList(
  outer: string,
  inner: string,
): Pick<RecordingFormat, "recognize" | "nearMiss" | "list"> {
  return {
    recognize: (value) => Array.isArray(asFields(asFields(value)[outer])[inner]),
    nearMiss: (value) => {
      if (isFields(asFields(value)[outer])) return `\`${outer}\` has no list \`${inner}\``;
      const isBare = Array.isArray(asFields(value)[inner]);
      return isBare ? `\`${inner}\` must be in an object \`${outer}\`` : undefined;
    },
    list: `${outer}.${inner}`,
  };
}

export function asNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** Reads a status from a number or text; undefined if no response came, for which recorders write 0 or -1. */
export function readStatus(value: unknown, place: Place): number | undefined {
  const status = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof status !== "number" || status === 0 || status === -1) return undefined;
  if (!Number.isInteger(status) || status < 100 || status > 999) {
    return place.addProblem("a status outside 100 to 599 is ignored, as if no response came");
  }
  if (status > 599) {
    place.addProblem(
      "a status outside 100 to 599, which HTTP doesn't have, is counted as recorded",
    );
  }
  return status;
}
