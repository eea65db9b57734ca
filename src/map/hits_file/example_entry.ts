import type { EvidenceExample } from "../evidence.ts";
import type { Undocumented } from "../undocumented_content.ts";
import type { OperationFile, RequestFile, TimeIndex } from "./hits_format.ts";
import { selectMediaType } from "../../http/media_type.ts";
import type { OperationPlan } from "../coverage_plan.ts";
import { documentedResponse, mayHaveBody } from "../response_plan.ts";

/** Finds a time in the file. */
type TimeAt = (index: TimeIndex | undefined) => number;

export function writeExample(
  { status_code, request }: EvidenceExample,
  numberOf: (time: number) => TimeIndex,
): number | RequestFile {
  if (request === undefined) return status_code;
  const { at, size, text: { url, media_type, shape } } = request;
  return [
    status_code,
    numberOf(at),
    size,
    url,
    ...(media_type === undefined ? [] : shape === undefined ? [media_type] : [media_type, shape]),
  ] as unknown as RequestFile;
}

/** An example from a hits file, without the part of a value. */
export function readExample(saved: number | RequestFile, timeAt: TimeAt): EvidenceExample {
  if (typeof saved === "number") return { status_code: saved };
  const [status_code, at, size, url, media_type, shape] = saved;
  return {
    status_code,
    request: {
      at: timeAt(at),
      size,
      text: {
        url,
        ...(media_type !== undefined && { media_type }),
        ...(shape !== undefined && { shape }),
      },
    },
  };
}

export function readUndocumentedBodies(
  { undocumented_bodies = [] }: OperationFile,
  timeAt: TimeAt,
): Undocumented[] {
  return undocumented_bodies.map(([mediaType, hits, shown]) => {
    const example = shown === undefined ? undefined : readExample(shown, timeAt);
    return { status: "", mediaType, pointer: "", hits, firstAt: Infinity, example };
  });
}

export function readUndocumentedAnswers(
  { undocumented_answers = [] }: OperationFile,
  timeAt: TimeAt,
): Undocumented[] {
  return undocumented_answers.map(([status, mediaType, hits, first, shown]) => {
    const example = readExample(shown ?? Number(status), timeAt);
    return { status, mediaType, pointer: "", hits, firstAt: timeAt(first), example };
  });
}

/** The bodies of answers that the description still does not have. */
export function placeUndocumentedAnswers(
  plan: OperationPlan,
  saved: OperationFile,
  timeAt: TimeAt,
): Undocumented[] {
  const { method, responses } = plan.model;
  return readUndocumentedAnswers(saved, timeAt).filter(({ status, mediaType }) => {
    const index = documentedResponse(responses, Number(status));
    if (index < 0 || !mayHaveBody(method, status)) return false;
    const types = plan.response(index)?.mediaTypes.flatMap(({ model }) =>
      model.mediaType ?? model.consumes ?? "*/*"
    ) ?? [];
    return selectMediaType(mediaType, types) < 0;
  });
}

export function readUndocumentedProperties(
  { undocumented_properties = [] }: OperationFile,
  timeAt: TimeAt,
): Undocumented[] {
  return undocumented_properties.map(([status, mediaType, pointer, hits, first]) => (
    { status, mediaType, pointer, hits, firstAt: timeAt(first), example: undefined }
  ));
}
