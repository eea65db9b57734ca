import { operationName } from "../../values/operation_name.ts";
import type { Report } from "../report.ts";
import { formatNumber } from "../wording/amounts.ts";
import { missingClasses } from "../wording/values_wording.ts";
import { type Block, firstEntries } from "./block.ts";

const MAX_PLACES = 20;

export function valueBlocks(report: Report, most: number = MAX_PLACES): Block[] {
  const missing = missingClasses(report);
  if (missing.length === 0) return [];
  const count = missing.reduce((sum, place) => sum + place.count, 0);
  const entries = firstEntries(missing, most, (place) => ({
    operation: operationName(place),
    text: place.text,
  }));
  const title = `Values to send: ${formatNumber(count)}`;
  return [{ type: "section", title, blocks: [{ type: "list", ...entries }] }];
}
