import { jsonLog } from "../../logs/json_log.ts";
import { w3cEntryReader } from "../../logs/w3c_log.ts";
import type { RecordingFormat } from "../recording_format.ts";

/** Standard logs of Amazon CloudFront in JSON, whose members have the names of the fields. */
export const CLOUDFRONT_JSON: RecordingFormat = jsonLog({
  name: "a log of CloudFront in JSON",
  title: "access logs",
  isEntry: (entry) => "cs-method" in entry && ("cs-uri-stem" in entry || "cs-uri" in entry),
  readEntry: w3cEntryReader(1),
});
