/** The degree to which something was covered. */
export type CoverageState = "full" | "partial" | "none";

/** The name of each state, the same in all reports and for lines, keywords and operations alike. */
export const STATE_WORDS: Readonly<Record<CoverageState, string>> = {
  full: "full",
  partial: "partial",
  none: "not covered",
};
