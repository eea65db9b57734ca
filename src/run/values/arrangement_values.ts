import type { ValueParser } from "@optique/core/valueparser";
import {
  GROUPINGS,
  type OperationGrouping,
  type OperationSorting,
  SORTINGS,
} from "../../report/text/arrange_operations.ts";
import { choiceValue } from "./choice_value.ts";

/** The criteria by which a text report can group operations. */
export function groupingValue(): ValueParser<"sync", OperationGrouping> {
  return choiceValue<OperationGrouping>({
    noun: "grouping",
    metavar: "GROUPING",
    names: GROUPINGS,
    meanings: { tags: "tag", paths: "path", resource: "path", segment: "path" },
  });
}

/** The criteria by which a text report can sort operations. */
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
