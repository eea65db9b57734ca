import { isHar, readHar } from "./har.ts";
import { isNewman, readNewman } from "./newman.ts";
import { isNock, readNock } from "./nock.ts";
import { isPostman, readPostman } from "./postman.ts";
import type { Recording } from "./recording.ts";
import { isRubyVcr, readRubyVcr } from "./ruby_vcr.ts";
import { isSchemathesis, readSchemathesis } from "./schemathesis.ts";
import { isSchemathesisEvents, readSchemathesisEvents } from "./schemathesis_events.ts";
import { isTraffic, readTraffic } from "./traffic.ts";
import { isVcrpy, readVcrpy } from "./vcrpy.ts";

/** A format of recordings, as it stands once it is parsed. */
export interface RecordingFormat {
  /** What people call it. */
  readonly name: string;
  /** What a document of this format has and others have not, for the error where none fits. */
  readonly expects: string;
  /** Whether a parsed document is of this format. */
  recognize(value: unknown): boolean;
  /**
   * Reads a parsed document that was recognized.
   *
   * @param location What errors and warnings call the recording.
   * @throws {RecordingError} where nothing in it can be used.
   */
  read(value: unknown, location: string): Recording;
}

/** The format of covtool's own. */
export const TRAFFIC: RecordingFormat = {
  name: "a traffic file",
  expects: "a list `interactions`, each with a `request` that has `method` and `url`",
  recognize: isTraffic,
  read: readTraffic,
};

/** HTTP Archives, those of Polly.js included. */
export const HAR: RecordingFormat = {
  name: "a HAR",
  expects: "an object `log` with a list `entries`",
  recognize: isHar,
  read: readHar,
};

/** Formats of HTTP Archives. */
export const ARCHIVES: readonly RecordingFormat[] = [HAR];

/** Formats of Postman. */
export const COLLECTIONS: readonly RecordingFormat[] = [
  {
    name: "a Postman collection",
    expects: "`info` with a list `item`, or before version 2 a list `requests`",
    recognize: isPostman,
    read: readPostman,
  },
  {
    name: "an export of Newman",
    expects: "an object `run` with a list `executions`",
    recognize: isNewman,
    read: readNewman,
  },
];

/** Formats of cassettes. */
export const CASSETTES: readonly RecordingFormat[] = [
  {
    name: "a cassette of Schemathesis",
    expects: "a list `http_interactions`, as YAML or JSON",
    recognize: isSchemathesis,
    read: readSchemathesis,
  },
  {
    name: "events of Schemathesis",
    expects: "one on each line, the first `Initialize`",
    recognize: isSchemathesisEvents,
    read: readSchemathesisEvents,
  },
  {
    name: "a cassette of VCR",
    expects: "a list `http_interactions`, as YAML or JSON",
    recognize: isRubyVcr,
    read: readRubyVcr,
  },
  {
    name: "a cassette of vcrpy",
    expects: "a list `interactions`, each with a `request` that has `uri`",
    recognize: isVcrpy,
    read: readVcrpy,
  },
  {
    name: "a recording of nock",
    expects: "a list of objects with `scope` and `path`",
    recognize: isNock,
    read: readNock,
  },
];

/** Every format. Those that are stricter about what they recognize come first. */
export const FORMATS: readonly RecordingFormat[] = [
  ...ARCHIVES,
  ...COLLECTIONS,
  ...CASSETTES,
  TRAFFIC,
];
