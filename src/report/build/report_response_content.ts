import type { CoveredResponse, CoveredResponsePart } from "../../map/response_coverage.ts";
import type { ReportResponse, ReportResponsePart } from "../report.ts";

/** What the bodies and headers of a response have shown, as the report has it. */
export function reportResponseContent(
  { mediaTypes, headers }: CoveredResponse,
): Pick<ReportResponse, "media_types" | "headers"> {
  return {
    ...(mediaTypes.length > 0 && {
      media_types: mediaTypes.map((part) => ({
        media_type: part.plan.model.name,
        ...partOf(part),
      })),
    }),
    ...(headers.length > 0 && {
      headers: headers.map((part) => {
        const { name, required } = part.plan.model;
        return { header: name, required, ...partOf(part) };
      }),
    }),
  };
}

function partOf({ plan, hits, total, keywords }: CoveredResponsePart): ReportResponsePart {
  const { malformed = 0, notRecorded = 0 } = hits ?? {};
  return {
    hits: hits?.hits ?? 0,
    keyword_total: total,
    schema_path: plan.schema_path,
    keywords: keywords.map(({ schema_path, seen, violated }) => ({
      schema_path,
      seen,
      ...(violated > 0 && { violated }),
    })),
    ...(malformed > 0 && { malformed }),
    ...(notRecorded > 0 && { not_recorded: notRecorded }),
    ...((plan.unsupported || hits?.undecoded === true) && { unsupported: true }),
  };
}
