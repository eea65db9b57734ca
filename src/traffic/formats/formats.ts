import { isHar, readHar } from "./har/har.ts";
import { isNewman, readNewman } from "./newman/newman.ts";
import { isNock, readNock } from "./nock/nock.ts";
import { isPostman, readPostman } from "./postman/postman.ts";
import type { PostmanValues } from "./postman/postman_variables.ts";
import type { Recording } from "../read/recording.ts";
import {
  type Resemblance,
  resemblesCassette,
  resemblesHar,
  resemblesNewman,
  resemblesNock,
  resemblesPostman,
  resemblesTraffic,
} from "../read/resemblances.ts";
import { isRubyVcr, readRubyVcr } from "./ruby_vcr/ruby_vcr.ts";
import { isSchemathesis, readSchemathesis } from "./schemathesis/schemathesis.ts";
import {
  isSchemathesisEvents,
  readSchemathesisEvents,
} from "./schemathesis/schemathesis_events.ts";
import { isTraffic, readTraffic } from "./traffic_file/traffic.ts";
import { isVcrpy, readVcrpy } from "./vcrpy/vcrpy.ts";

/** A format of recordings, as it stands once it is parsed. */
export interface RecordingFormat {
  /** What people call it. */
  readonly name: string;
  /** What people call the tool or the format, for a list of all. */
  readonly family: string;
  /** Why a document that none of the formats fits is not of this one, where it resembles it. */
  readonly resembles?: Resemblance;
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
  family: "traffic files",
  resembles: resemblesTraffic,
  recognize: isTraffic,
  read: readTraffic,
};

/** HTTP Archives, those of Polly.js included. */
export const HAR: RecordingFormat = {
  name: "a HAR",
  family: "HAR",
  resembles: resemblesHar,
  recognize: isHar,
  read: readHar,
};

/** Formats of HTTP Archives. */
export const ARCHIVES: readonly RecordingFormat[] = [HAR];

/**
 * Formats of Postman.
 *
 * @param values Values of variables that are not in the collections.
 */
export function collectionFormats(values?: PostmanValues): readonly RecordingFormat[] {
  return [
    {
      name: "a Postman collection",
      family: "Postman",
      resembles: resemblesPostman,
      recognize: isPostman,
      read: (value, location) => readPostman(value, location, { values }),
    },
    {
      name: "an export of Newman",
      family: "Newman",
      resembles: resemblesNewman,
      recognize: isNewman,
      read: readNewman,
    },
  ];
}

/** Formats of cassettes. */
export const CASSETTES: readonly RecordingFormat[] = [
  {
    name: "a cassette of Schemathesis",
    family: "Schemathesis",
    recognize: isSchemathesis,
    read: readSchemathesis,
  },
  {
    name: "events of Schemathesis",
    family: "Schemathesis",
    recognize: isSchemathesisEvents,
    read: readSchemathesisEvents,
  },
  {
    name: "a cassette of VCR",
    family: "VCR",
    resembles: resemblesCassette,
    recognize: isRubyVcr,
    read: readRubyVcr,
  },
  {
    name: "a cassette of vcrpy",
    family: "vcrpy",
    recognize: isVcrpy,
    read: readVcrpy,
  },
  {
    name: "a recording of nock",
    family: "nock",
    resembles: resemblesNock,
    recognize: isNock,
    read: readNock,
  },
];

/**
 * Every format. Those that are stricter about what they recognize come first.
 *
 * @param values Values of variables that are not in Postman's collections.
 */
export function allFormats(values?: PostmanValues): readonly RecordingFormat[] {
  return [...ARCHIVES, ...collectionFormats(values), ...CASSETTES, TRAFFIC];
}

/** Every format, with nothing but what is in the recordings. */
export const FORMATS: readonly RecordingFormat[] = allFormats();
