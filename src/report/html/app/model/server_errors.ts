import type { PageOperation } from "../../page_data.ts";

/** A status of 5xx that an operation answered with. */
export interface ServerError {
  readonly status: string;
  readonly isDocumented: boolean;
  /** The number of answers. */
  readonly hits: number;
}

/** The statuses of 5xx that an operation answered with, undocumented ones first. */
export function serverErrors(
  { responses, undocumented_responses }: PageOperation,
): readonly ServerError[] {
  const errorsIn = (
    list: readonly { readonly status_code: string; readonly hits: number }[],
    isDocumented: boolean,
  ): ServerError[] =>
    list.filter(({ status_code, hits }) => hits > 0 && status_code.startsWith("5"))
      .map(({ status_code, hits }) => ({ status: status_code, isDocumented, hits }));
  return [...errorsIn(undocumented_responses, false), ...errorsIn(responses, true)];
}

/** A server error in words: `500 (undocumented)`. */
export function errorText({ status, isDocumented }: ServerError): string {
  return isDocumented ? status : `${status} (undocumented)`;
}
