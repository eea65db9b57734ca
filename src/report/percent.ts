/** A percentage for people, never a 0 or a 100 that isn't exact: `61.3%`, `<0.1%`, `>99.9%`; `–` for null. */
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

type CoverageLevel = "low" | "medium" | "high";

/** Low (red) below 50, medium (yellow) below 80, high (green) from there; null where there is nothing to measure. */
export function coverageLevel(percent: number | null): CoverageLevel | null {
  if (percent === null) return null;
  return percent >= 80 ? "high" : percent >= 50 ? "medium" : "low";
}
