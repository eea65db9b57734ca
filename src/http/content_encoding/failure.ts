/** The reason why data could not be decoded. */
export type FailureCode = "corrupt" | "truncated" | "too_large";

/** Thrown by the decoders; `decodeContent` says it in a sentence. */
export class DecodingFailure extends Error {
  /** The reason. */
  readonly code: FailureCode;

  /** Makes the failure, with what is wrong with the data where that is known. */
  constructor(code: FailureCode, detail = "") {
    super(detail);
    this.name = "DecodingFailure";
    this.code = code;
  }
}
