import { selectMediaType } from "../../http/media_type.ts";
import type { OperationPlan } from "../coverage_plan.ts";
import { documentedResponse } from "../documented_response.ts";
import { mayHaveBody } from "../response_plan.ts";
import type { UndocumentedAnswer } from "../undocumented_answers.ts";
import type { OperationFile, TimeIndex } from "./hits_format.ts";

/** The bodies of answers that the description still does not have. */
export function placeUndocumentedAnswers(
  plan: OperationPlan,
  { undocumented_answers = [] }: OperationFile,
  timeAt: (index: TimeIndex | undefined) => number,
): UndocumentedAnswer[] {
  const { method, responses } = plan.model;
  return undocumented_answers.map(([status, mediaType, hits, first]) => ({
    status,
    mediaType,
    hits,
    firstAt: timeAt(first),
  })).filter(({ status, mediaType }) => {
    const index = documentedResponse(responses, Number(status));
    if (index < 0 || !mayHaveBody(method, status)) return false;
    const types = plan.response(index)?.mediaTypes.flatMap(({ model }) =>
      model.mediaType ?? model.consumes ?? "*/*"
    ) ?? [];
    return selectMediaType(mediaType, types) < 0;
  });
}
