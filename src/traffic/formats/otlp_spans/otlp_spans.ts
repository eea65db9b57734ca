import { type Fields, isFields } from "../../decode/fields.ts";
import { jsonLog } from "../../logs/json_log.ts";
import type { EntryContent } from "../recording.ts";
import type { Problems } from "../problems.ts";
import type { RecordingFormat } from "../recording_format.ts";
import { CountedSpans, isServerSpan } from "./counted_spans.ts";
import { readSpan } from "./read_span.ts";

/**
 * Traces of OpenTelemetry as OTLP in JSON: what the file exporter of the Collector writes (one export on each line), and
 * SDKs send. Only spans of HTTP count.
 */
export const OTLP_SPANS: RecordingFormat = jsonLog({
  name: "an export of OpenTelemetry",
  title: "OpenTelemetry",
  isEntry: ({ resourceSpans }) => Array.isArray(resourceSpans),
  begin: () => {
    const counted = new CountedSpans();
    return (entry, place, problems) => readExport(entry, place, problems, counted);
  },
});

function readExport(
  entry: Fields,
  place: string,
  problems: Problems,
  counted: CountedSpans,
): EntryContent {
  return listOf(entry, "resourceSpans").flatMap((resource, index) => {
    const spans = ["scopeSpans", "instrumentationLibrarySpans"]
      .flatMap((name) => listOf(resource, name)).flatMap((scope) => listOf(scope, "spans"));
    const service = JSON.stringify(resource["resource"] ?? null);
    if (spans.some(isServerSpan)) counted.addServer(service);
    return spans.filter((span) => counted.take(span, service)).flatMap((span) =>
      readSpan(span, `${place}, resourceSpans[${index}]`, problems) ?? []
    );
  });
}

function listOf(fields: Fields, name: string): readonly Fields[] {
  const list = fields[name];
  return Array.isArray(list) ? list.filter(isFields) : [];
}
