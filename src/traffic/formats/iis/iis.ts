import { textLog } from "../../logs/text_log.ts";
import { w3cEntryReader, w3cReader } from "../../logs/w3c_log.ts";
import type { RecordingFormat } from "../recording_format.ts";

const readEntry = w3cEntryReader(0.001);

/** W3C Extended Log File Format as IIS writes it, and others whose fields have the same names. */
export const IIS: RecordingFormat = textLog({
  name: "a log of IIS",
  title: "access logs",
  isLine: (line) => /^#Fields:.*\scs-method(?:\s|$)/.test(line) && !line.includes("x-edge-"),
  begin: () => w3cReader(readEntry),
  isOrdered: true,
});
