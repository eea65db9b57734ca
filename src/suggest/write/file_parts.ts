import { referenced } from "../../schema/scope.ts";
import type { PropertyEncodings } from "../../http/encoding.ts";
import { mediaEssence, mediaKind } from "../../http/media_type.ts";
import { ALL_OF, ANY_OF, memberSchemas } from "../../schema/in_place_schemas.ts";
import { isObject, type SchemaNode, type Subschema } from "../../schema/schema_node.ts";

/** Returns the media type of the file in a property of a multipart form; undefined if the property isn't a file. */
export type FileTypes = (name: string) => string | undefined;

export const ANY_FILE = "application/octet-stream";

const MAX_SCHEMAS = 500;

/**
 * Finds the files in a multipart form: properties whose `encoding` names a media type that is neither text nor JSON,
 * and strings with `format: binary` or with an unencoded `contentMediaType` (OpenAPI 3.1, section 4.8.14.4).
 */
export function fileTypes(schema: Subschema | undefined, encodings: PropertyEncodings): FileTypes {
  return (name) => findFileType(schema, name, encodings);
}

function findFileType(
  schema: Subschema | undefined,
  name: string,
  encodings: PropertyEncodings,
): string | undefined {
  const encoding = Object.hasOwn(encodings, name) ? encodings[name] : undefined;
  const [named = ""] = (encoding?.contentType ?? "").split(",");
  const mediaType = named.trim();
  if (mediaType !== "") {
    if (!isFileType(mediaType)) return undefined;
    return mediaType.includes("*") ? ANY_FILE : mediaType;
  }
  for (const node of schemasInPlace(schema)) {
    if (!isObject(node.schema["properties"])) continue;
    const declared = node.schema["properties"];
    if (!Object.hasOwn(declared, name)) continue;
    const property = node.member("properties", name, declared[name], false);
    for (const own of schemasInPlace(property)) {
      for (const one of [own, ...schemasInPlace(own.child("items", false))]) {
        const found = readFileType(one);
        if (found !== undefined) return found;
      }
    }
  }
  return undefined;
}

function readFileType({ schema }: SchemaNode): string | undefined {
  const { format, contentMediaType, contentEncoding } = schema;
  if (format === "binary") return ANY_FILE;
  if (contentEncoding !== undefined || typeof contentMediaType !== "string") return undefined;
  return isFileType(contentMediaType) ? contentMediaType : undefined;
}

function isFileType(mediaType: string): boolean {
  const essence = mediaEssence(mediaType);
  return !essence.startsWith("text/") && mediaKind(essence) !== "json";
}

function schemasInPlace(start: Subschema | undefined): ReadonlySet<SchemaNode> {
  const found = new Set<SchemaNode>();
  const open: (Subschema | undefined)[] = [start];
  while (open.length > 0 && found.size < MAX_SCHEMAS) {
    const node = open.pop();
    if (typeof node !== "object" || found.has(node)) continue;
    found.add(node);
    open.push(...referenced(node));
    if (node.isReferenceOnly) continue;
    for (const keyword of [...ALL_OF, ...ANY_OF]) open.push(...memberSchemas(node, keyword));
  }
  return found;
}
