import type { UnmatchedReason } from "../../map/results.ts";

/** The reasons why a request matches no operation, in words. */
export const UNMATCHED_REASONS: Readonly<Record<UnmatchedReason, string>> = {
  no_matching_path: "no documented path",
  method_not_documented: "method not documented",
  outside_base_path: "outside the base path",
  invalid_url: "invalid URL",
};
