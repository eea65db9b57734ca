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

/** Prefixes of tags that aren't defined by YAML: `!ruby/…` of Ruby, `!!python/…` of Python, and others. */
const FOREIGN_TAGS = ["!", "tag:"] as const;

/** Keeps text that only YAML 1.2 reads as a number (`123e4567`, `0o17`): Ruby and Python don't quote it. */
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
  // Ruby's YAML library writes `!binary`, others write `!!binary`.
  ["!binary", "tag:yaml.org,2002:binary"].map((name) =>
    defineScalarTag<unknown>(name, {
      // Invalid base64 remains recognizable, so that one broken body doesn't make the file unreadable.
      resolve: (source) => decodeBase64(source) ?? { base64_string: source },
      identify: () => false,
    })
  ),
  // Tags of classes in a programming language: the value is kept, the class is ignored.
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

/** Parses the YAML documents of Ruby VCR, vcrpy and Schemathesis. Binary becomes bytes, other tags are ignored. */
export function parseYamlRecording(text: string, location: string): readonly unknown[] {
  try {
    const documents = parseDocuments(text)
      .filter((document) => document !== null && document !== undefined);
    return documents.length === 0 ? [null] : documents;
  } catch (error) {
    throw recordingError(error, location);
  }
}

/** Parses YAML. If only indentation is missing, it is added. Lines keep their numbers, so positions stay right. */
function parseDocuments(text: string): unknown[] {
  const options = { schema: SCHEMA, json: true, maxDepth: MAX_DEPTH };
  try {
    return loadAll(text, options);
  } catch (error) {
    const indented = error instanceof YAMLException ? indentYaml(text) : undefined;
    if (indented === undefined) throw error;
    return loadAll(indented.text, options);
  }
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
