import type { ValueParser } from "@optique/core/valueparser";
import {
  GROUPINGS,
  type OperationGrouping,
  type OperationSorting,
  SORTINGS,
} from "../../report/text/arrange_operations.ts";
import { choiceValue } from "./choice_value.ts";

/** What the operations of a text report are grouped by. */
export function groupingValue(): ValueParser<"sync", OperationGrouping> {
  return choiceValue<OperationGrouping>({
    noun: "grouping",
    metavar: "GROUPING",
    names: GROUPINGS,
    meanings: { tags: "tag", paths: "path", resource: "path", segment: "path" },
  });
}

/** What the operations of a text report are sorted by. */
export function sortingValue(): ValueParser<"sync", OperationSorting> {
  return choiceValue<OperationSorting>({
    noun: "order",
    metavar: "ORDER",
    names: SORTINGS,
    meanings: {
      missing: "gaps",
      requests: "hits",
      calls: "hits",
      cover: "coverage",
      percent: "coverage",
      name: "path",
    },
  });
}
