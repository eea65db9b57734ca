import {
  CORE_SCHEMA,
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  floatCoreTag,
  intCoreTag,
  loadAll,
  mapTag,
  mergeTag,
  NOT_RESOLVED,
  type ScalarTagDefinition,
  type Schema,
  YAMLException,
} from "js-yaml";
import { RecordingError } from "../../values/errors.ts";
import { indentYaml } from "../../values/indent_yaml.ts";
import { decodeBase64 } from "../../http/body_text.ts";

const MAX_DEPTH = 1_000;

/** The beginnings of tags that aren't YAML's own: Ruby's `!ruby/…`, Python's `!!python/…`, anybody's. */
const FOREIGN_TAGS = ["!", "tag:"] as const;

/** Ruby and Python put no quotes around texts that are numbers in YAML 1.2 alone: `123e4567`, `0o17`. */
function asWritten(tag: ScalarTagDefinition<number>): ScalarTagDefinition<number> {
  return {
    ...tag,
    resolve: (source, isExplicit, tagName) => {
      const number = tag.resolve(source, isExplicit, tagName);
      return isExplicit || String(number) === source ? number : NOT_RESOLVED;
    },
  };
}

const SCHEMA: Schema = CORE_SCHEMA.withTags(
  mergeTag,
  asWritten(intCoreTag),
  asWritten(floatCoreTag),
  // Ruby's YAML library writes `!binary`, everyone else `!!binary`.
  ["!binary", "tag:yaml.org,2002:binary"].map((name) =>
    defineScalarTag<unknown>(name, {
      // What is broken stays recognizable as such: one broken body does not lose the file.
      resolve: (source) => decodeBase64(source) ?? { base64_string: source },
      identify: () => false,
    })
  ),
  // A tag names a class of some language: what is written stays, the class does not.
  FOREIGN_TAGS.flatMap((prefix) => [
    defineScalarTag<string>(prefix, {
      matchByTagPrefix: true,
      resolve: (source) => source,
      identify: () => false,
    }),
    defineSequenceTag<unknown[]>(prefix, {
      matchByTagPrefix: true,
      create: () => [],
      addItem: (list, item) => {
        list.push(item);
      },
      identify: () => false,
    }),
    defineMappingTag<Record<string, unknown>>(prefix, {
      ...mapTag,
      matchByTagPrefix: true,
      identify: () => false,
    }),
  ]),
);

/** Parses the documents of YAML of Ruby VCR, vcrpy and Schemathesis: binary as bytes, other tags ignored. */
export function parseYamlRecording(text: string, location: string): readonly unknown[] {
  let documents: unknown[];
  try {
    documents = parseDocuments(text);
  } catch (error) {
    // Where only spaces are missing, that is mended; the lines stay, and so does what an error says of them.
    const indented = error instanceof YAMLException ? indentYaml(text) : undefined;
    if (indented === undefined) throw recordingError(error, location);
    try {
      documents = parseDocuments(indented.text);
    } catch (error) {
      throw recordingError(error, location);
    }
  }
  const used = documents.filter((document) => document !== null && document !== undefined);
  return used.length === 0 ? [null] : used;
}

function parseDocuments(text: string): unknown[] {
  return loadAll(text, { schema: SCHEMA, json: true, maxDepth: MAX_DEPTH });
}

function recordingError(error: unknown, location: string): unknown {
  if (error instanceof YAMLException) {
    const { mark, reason } = error;
    return new RecordingError(`The YAML is broken: ${reason}.`, {
      code: "syntax",
      location,
      line: mark && mark.line + 1,
      column: mark && mark.column + 1,
      cause: error,
    });
  }
  if (error instanceof RangeError) {
    return new RecordingError("The YAML is nested too deeply.", {
      code: "syntax",
      location,
      cause: error,
    });
  }
  return error;
}
