import { textLog } from "../../logs/text_log.ts";
import { w3cEntryReader, w3cReader } from "../../logs/w3c_log.ts";
import type { RecordingFormat } from "../recording_format.ts";

const readEntry = w3cEntryReader(1);

/** The fields of lines that were parted from their first, in the order in which CloudFront has them. */
const STANDARD =
  "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end"
    .split(" ");

/** A line of them. */
const LINE = /^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t[A-Z]{3}[\w-]*\t\d+\t[\da-f.:]+\t[A-Z]+\t/;

/** Standard logs of Amazon CloudFront, separated by tabs. */
export const CLOUDFRONT: RecordingFormat = textLog({
  name: "a log of CloudFront",
  title: "access logs",
  isLine: (line) => /^#Fields:.*\sx-edge-/.test(line) || LINE.test(line),
  begin: () => w3cReader(readEntry, STANDARD),
  isOrdered: true,
});
