/** Formats a whole number with separators: `53,000`. */
export function formatNumber(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function formatAmount(value: number, noun: string, plural: string = `${noun}s`): string {
  return `${formatNumber(value)} ${value === 1 ? noun : plural}`;
}

/** Cuts a text after `longest` UTF-16 units and appends `…`. */
export function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
}

export function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Joins parts within a sentence: `a`, `a and b`, `a, b and c`. */
export function sentenceList(parts: readonly string[], conjunction = "and"): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} ${conjunction} ${parts.at(-1)}`;
}

/** Formats a duration in a suitable unit: `850 µs`, `12 ms`, `1.25 s`, `2 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 0.001) return `${Math.round(seconds * 1e6)} µs`;
  if (seconds < 0.01) return `${(seconds * 1000).toFixed(1)} ms`;
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${Number(seconds.toFixed(2))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129_600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

/** Formats seconds since 1970 as `2026-01-31 12:00:05 UTC`; as a number if out of range for a date. */
export function formatTime(seconds: number): string {
  return isoTime(seconds).replace("T", " ").replace("Z", " UTC");
}

/** Formats a time in ISO 8601, to the second: `2026-01-31T12:00:00Z`; as a number if out of range for a date. */
export function isoTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return String(seconds);
  return `${date.toISOString().slice(0, -5)}Z`;
}

const DAY = "2026-01-31 ".length;

/** The period of the traffic, as the end of a sentence: `, 2026-01-31 12:00:05 to 12:00:09 UTC`. Empty if unknown. */
export function formatPeriod(first_at: number | null, last_at: number | null): string {
  if (first_at === null) return "";
  const first = formatTime(first_at);
  const last = formatTime(last_at ?? first_at);
  if (first === last) return `, ${first}`;
  const end = last.startsWith(first.slice(0, DAY)) ? last.slice(DAY) : last;
  return `, ${first.replace(" UTC", "")} to ${end}`;
}

/** Rounds a percentage to tenths, but never to a 0 or 100 that isn't exact. */
export function roundPercent(value: number): number {
  if (value <= 0) return 0;
  return value >= 100 ? 100 : Math.min(99.9, Math.max(0.1, Math.round(value * 10) / 10));
}

/** Formats a percentage, but never as a 0 or 100 that isn't exact: `61.3%`, `<0.1%`, `>99.9%`; null as `–`. */
export function formatPercent(value: number | null): string {
  if (value === null) return "–";
  const tenths = Math.round(value * 10);
  const sign = value > 0 && tenths <= 0 ? "<" : value < 100 && tenths >= 1000 ? ">" : "";
  return `${sign}${roundPercent(value)}%`;
}

export function changeText(now: number | null, before: number | null): string {
  if (now === null || before === null) return "–";
  if (now === before) return "±0";
  const points = Math.abs(now - before);
  const text = points >= 100 ? "100" : formatPercent(points).replace("%", "");
  return (now > before ? "+" : "−") + text;
}

type CoverageLevel = "low" | "medium" | "high";

/** Low (red) below 50, medium (yellow) below 80, otherwise high (green). Null if nothing was measured. */
export function coverageLevel(percent: number | null): CoverageLevel | null {
  if (percent === null) return null;
  return percent >= 80 ? "high" : percent >= 50 ? "medium" : "low";
}
