import type { UndocumentedProperty } from "../undocumented_properties.ts";
import type { OperationFile, TimeIndex } from "./hits_format.ts";

/**
 * The properties of answers that the description of a hits file does not declare.
 *
 * @param timeAt Finds a time in the file.
 */
export function readUndocumentedProperties(
  { undocumented_properties = [] }: OperationFile,
  timeAt: (index: TimeIndex | undefined) => number,
): UndocumentedProperty[] {
  return undocumented_properties.map(([status, mediaType, pointer, hits, first]) => ({
    status,
    mediaType,
    pointer,
    hits,
    firstAt: timeAt(first),
  }));
}
