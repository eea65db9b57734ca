import { isObject, type SchemaNode, type Subschema } from "../../schema/schema_node.ts";
import { pointerTokens } from "../../values/json_pointer.ts";
import type { Gathering } from "./keyword_maker.ts";

/** Prefers the value of `discriminator` that names an alternative: servers choose by it (OpenAPI 3.1.1, section 4.8.25). */
export function preferDiscriminator(
  node: SchemaNode,
  alternative: Subschema | undefined,
  { facts }: Gathering,
): void {
  const discriminator = node.schema["discriminator"];
  if (!isObject(discriminator) || typeof alternative !== "object") return;
  const { propertyName, mapping } = discriminator;
  const reference = alternative.schema["$ref"];
  if (typeof propertyName !== "string" || typeof reference !== "string") return;
  const mapped = isObject(mapping)
    ? Object.keys(mapping).find((name) => mapping[name] === reference)
    : undefined;
  const name = mapped ?? [...pointerTokens(reference.slice(reference.indexOf("#") + 1))].at(-1);
  if (name !== undefined) facts.preferred.set(propertyName, name);
}
