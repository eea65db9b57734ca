import type { Shape } from "../../http/shape.ts";
import {
  decodeXml,
  undeclaredContent,
  xmlItemName,
  xmlNames,
  xmlRootName,
} from "../../http/xml_body.ts";
import { equal } from "../../schema/equal.ts";
import { isJsonObject } from "../../schema/keywords/objects.ts";
import type { Json } from "../../values/json.ts";
import { OBJECT } from "../../values/json_type.ts";
import { scalarText } from "./write_style.ts";

/** Thrown for a value that XML can't express, and caught in this file. */
class Unwritable extends Error {}

/** Writes a document; undefined if `decodeXml` would read another value from it, as for some empty lists. */
export function writeXml(shape: Shape, value: Json): string | undefined {
  try {
    const text = writeRoot(shape, value);
    const read = decodeXml(text, shape);
    return read !== undefined && equal(read.value, value) ? text : undefined;
  } catch (error) {
    if (error instanceof Unwritable) return undefined;
    throw error;
  }
}

function writeRoot(shape: Shape, value: Json): string {
  const name = xmlRootName(shape);
  const [single, ...others] = shape.propertyNames;
  if (name === undefined && single !== undefined && others.length === 0 && isJsonObject(value)) {
    // The schema describes the document, with the root element in it.
    const form = xmlNames(shape).forms.get(single);
    const isRoot = form?.node === "element" && shape.property(single).types === OBJECT &&
      Object.keys(value).join() === single;
    if (isRoot) return element(form.name, shape.property(single), value[single] as Json);
  }
  return element(name ?? "root", shape, value);
}

/** Writes a value as one element; a list as an element that contains all items. */
function element(name: string, shape: Shape, value: Json): string {
  const { namespace, prefix } = shape.xml ?? {};
  const namespaceText = namespace === undefined ? "" : declareNamespace(prefix, namespace);
  const tag = namespace === undefined || prefix === undefined ? name : `${prefix}:${name}`;
  if (value === null) {
    const nilNamespace = declareNamespace("xsi", "http://www.w3.org/2001/XMLSchema-instance");
    return `<${tag}${namespaceText}${nilNamespace} xsi:nil="true"/>`;
  }
  const [attributes, content] = writeContent(name, shape, value);
  return content === ""
    ? `<${tag}${namespaceText}${attributes}/>`
    : `<${tag}${namespaceText}${attributes}>${content}</${tag}>`;
}

function declareNamespace(prefix: string | undefined, namespace: string): string {
  return attribute(prefix === undefined ? "xmlns" : `xmlns:${prefix}`, namespace);
}

function writeContent(
  name: string,
  shape: Shape,
  value: Json,
): readonly [attributes: string, content: string] {
  const text = scalarText(value);
  if (text !== undefined) return ["", escapeText(text)];
  if (Array.isArray(value)) return ["", items(xmlItemName(shape.item(0)) ?? name, shape, value)];
  const names = xmlNames(shape);
  let attributes = "";
  let content = "";
  for (const [key, member] of Object.entries(value as { [name: string]: Json })) {
    const property = shape.property(key);
    const form = shape.propertyNames.has(key)
      ? names.forms.get(key)
      : { node: "element", name: key, content: undeclaredContent(property) } as const;
    switch (form?.node) {
      case "attribute":
        attributes += writeAttribute(form.name, property, member);
        break;
      case "text":
        content += escapeText(writeText(member));
        break;
      case "element":
        content += form.content !== "item" || !Array.isArray(member)
          ? element(form.name, property, member)
          : member.length === 0 && form.wrapper !== undefined
          ? element(form.wrapper, property, member)
          : items(form.name, property, member);
        break;
      default:
        throw new Unwritable();
    }
  }
  return [attributes, content];
}

function items(name: string, shape: Shape, values: readonly Json[]): string {
  return values.map((value, index) => element(name, shape.item(index), value)).join("");
}

function writeAttribute(name: string, { xml }: Shape, value: Json): string {
  const { namespace, prefix } = xml ?? {};
  if (namespace === undefined || prefix === undefined) return attribute(name, writeText(value));
  return declareNamespace(prefix, namespace) + attribute(`${prefix}:${name}`, writeText(value));
}

function attribute(name: string, text: string): string {
  return ` ${name}="${escapeText(text).replace(/["\t\n]/g, characterReference)}"`;
}

function writeText(value: Json): string {
  const text = value === null ? undefined : scalarText(value);
  if (text === undefined) throw new Unwritable();
  return text;
}

function escapeText(text: string): string {
  return text.replace(/[&<>\r]/g, characterReference);
}

function characterReference(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
