import type { XmlHints } from "../http/shape.ts";
import { localName } from "../http/xml_body.ts";
import { isObject, type SchemaNode } from "../schema/schema_node.ts";
import { pointerTokens } from "../values/json_pointer.ts";

/** Collects the XML hints of schemas that apply to one instance. Each hint comes from the nearest schema with it. */
export function readXmlHints<R extends { readonly node: SchemaNode }>(
  schemas: readonly R[],
  listMembers: (schema: R) => readonly R[],
  listTargets: (schema: R) => readonly R[],
): XmlHints | undefined {
  const visited = new Set<SchemaNode>();
  let name: string | undefined;
  let referredName: string | undefined;
  let component: string | undefined;
  let node: XmlHints["node"] | undefined;
  let wrapped: boolean | undefined;
  let namespaceSource: Readonly<Record<string, unknown>> = {};
  let isReferred = false;
  for (let level = [...schemas]; level.length > 0; isReferred = true) {
    const next: R[] = [];
    for (let batch = level; batch.length > 0;) {
      const members: R[] = [];
      for (const schema of batch) {
        const { node: current } = schema;
        if (visited.has(current)) continue;
        visited.add(current);
        next.push(...listTargets(schema));
        if (isReferred) component ??= componentName(current);
        if (current.isReferenceOnly) continue;
        members.push(...listMembers(schema));
        const { xml } = current.schema;
        if (!isObject(xml)) continue;
        const xmlName = nonEmptyText(xml["name"]);
        if (xmlName !== undefined && isReferred) referredName ??= localName(xmlName);
        else if (xmlName !== undefined) name ??= localName(xmlName);
        node ??= xmlNode(xml, xmlName);
        if (namespaceSource["namespace"] === undefined) namespaceSource = xml;
        wrapped ??= isWrapped(xml);
      }
      batch = members;
    }
    // Since OpenAPI 3.2, the name of a component is the default name of what refers to it.
    if (isReferred && component !== undefined && is32(schemas[0]?.node)) referredName ??= component;
    level = next;
  }
  const isEmpty = name === undefined && referredName === undefined && component === undefined &&
    node === undefined && wrapped === undefined && namespaceSource["namespace"] === undefined;
  if (isEmpty) return undefined;
  return {
    name,
    referredName,
    component,
    node: node ?? "element",
    wrapped,
    namespace: nonEmptyText(namespaceSource["namespace"]),
    prefix: nonEmptyText(namespaceSource["prefix"]),
  };
}

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function xmlNode(
  { nodeType, attribute }: Readonly<Record<string, unknown>>,
  name: string | undefined,
): XmlHints["node"] | undefined {
  // The namespace of `xsi:type` has no elements.
  if (attribute === true || nodeType === "attribute" || name?.startsWith("xsi:")) {
    return "attribute";
  }
  if (nodeType === "text" || nodeType === "cdata") return "text";
  return nodeType === "element" ? "element" : undefined;
}

function isWrapped({ nodeType, wrapped }: Readonly<Record<string, unknown>>): boolean | undefined {
  if (nodeType === "element") return true;
  if (nodeType === "none") return false;
  return typeof wrapped === "boolean" ? wrapped : undefined;
}

function componentName({ pointer }: SchemaNode): string | undefined {
  const tokens = pointerTokens(pointer);
  const isComponent = (tokens.length === 3 && tokens[0] === "components") ||
    (tokens.length === 2 && tokens[0] === "definitions");
  return isComponent ? tokens.at(-1) : undefined;
}

function is32(schema: SchemaNode | undefined): boolean {
  const root = schema?.document.value;
  return isObject(root) && typeof root["openapi"] === "string" && root["openapi"].startsWith("3.2");
}
