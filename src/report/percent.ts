/**
 * Writes a percentage for people: one decimal at most, and never a 0 or a 100 that is not exact
 * (semantics, section 8). The exact value stays in the data; thresholds compare that one.
 *
 * @param value 0 to 100; null if there is nothing to measure.
 * @returns `61.3%`, `75%`, `<0.1%`, `>99.9%`; `–` for null.
 */
export function formatPercent(value: number | null): string {
  if (value === null) return "–";
  if (value <= 0) return "0%";
  if (value >= 100) return "100%";
  const tenths = Math.round(value * 10);
  if (tenths === 0) return "<0.1%";
  if (tenths === 1000) return ">99.9%";
  return `${tenths / 10}%`;
}

export function changeText(now: number | null, before: number | null): string {
  if (now === null || before === null) return "–";
  if (now === before) return "±0";
  const points = Math.abs(now - before);
  const text = points >= 100 ? "100" : formatPercent(points).replace("%", "");
  return (now > before ? "+" : "−") + text;
}

/** How good a percentage is, as a colour shows it. */
type CoverageLevel = "low" | "medium" | "high";

/**
 * The level of a percentage: low (red) below 50, medium (yellow) below 80, high (green) from there; null where there is
 * nothing to measure.
 */
export function coverageLevel(percent: number | null): CoverageLevel | null {
  if (percent === null) return null;
  return percent >= 80 ? "high" : percent >= 50 ? "medium" : "low";
}
