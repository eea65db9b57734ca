import type { CoveragePlan } from "../../map/coverage_plan.ts";
import {
  findMember,
  pointerTokens,
  splitDocumentPath,
  unescapeToken,
} from "../../values/json_pointer.ts";
import type { AnnotatedSource, DescriptionView } from "../html/page_data.ts";
import type { Report } from "../report.ts";
import type { CountedApi } from "./build_report.ts";
import { buildAnnotatedSource } from "./build_annotated_source.ts";

export function buildDescriptionView(
  api: CountedApi,
  report: Report,
): DescriptionView {
  const { plan } = api;
  const references = new Map<string, string>();
  const roots = plan.operations.map(({ parameters }, index) =>
    parameters.map((parameter, position) => {
      const { schema, itemSchema } = parameter;
      if (report.operations[index]?.parameters[position]?.hits !== 0) {
        for (const [from, to] of parameter.inventory.references) {
          references.set(from.schemaPath(), to.schemaPath());
        }
      }
      const root = typeof schema === "object" ? schema : itemSchema;
      return typeof root === "object" ? root.schemaPath() : undefined;
    })
  );
  let source: { readonly built: AnnotatedSource | undefined } | undefined;
  return {
    keywordValue: keywordValues(plan),
    references,
    roots,
    // Computed on demand: it takes long for large descriptions, and only the page needs it.
    get source() {
      return (source ??= { built: buildAnnotatedSource(api, report) }).built;
    },
  };
}

/** Returns a function that looks up keywords. Caches the latest schema, whose keywords are looked up in sequence. */
export function keywordValues(plan: CoveragePlan): (schema_path: string) => unknown {
  const documents = new Map<string, unknown>();
  for (const { label, value } of plan.documents.documents.values()) documents.set(label, value);
  let [lastPlace, lastValue]: [string, unknown] = ["", documents.get("")];
  return (schema_path) => {
    const end = schema_path.lastIndexOf("/");
    const place = schema_path.slice(0, end);
    if (place !== lastPlace) {
      const [label, pointer] = splitDocumentPath(place);
      lastValue = pointerTokens(pointer).reduce<unknown>(findMember, documents.get(label));
      lastPlace = place;
    }
    const keyword = unescapeToken(schema_path.slice(end + 1));
    const value = findMember(lastValue, keyword);
    return keyword === "enum" || keyword === "const" || isPlain(value) ? value : undefined;
  };
}

/** True for scalars and lists of scalars: other values contain schemas. */
function isPlain(value: unknown): boolean {
  return Array.isArray(value)
    ? value.every((item) => typeof item !== "object")
    : typeof value !== "object";
}
