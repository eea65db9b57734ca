import { RecordingError } from "./errors.ts";

/** The error for counts that are too large to stay exact. */
export function tooMany(location = "the traffic"): RecordingError {
  return new RecordingError(
    "The counts add up to more than 9,007,199,254,740,991, up to which numbers are exact. Measure parts of the traffic separately.",
    { code: "too_many", location },
  );
}
