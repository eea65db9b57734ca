import { getOrAdd } from "../values/collections.ts";
import { ARRAY, NULL, OBJECT } from "../values/json_type.ts";
import {
  type Decoded,
  decodedArray,
  decodedObject,
  decodeText,
  type Member,
  SCALARS,
} from "./decoded.ts";
import type { Shape } from "./shape.ts";
import { SaxesParser } from "saxes";

/** An attribute other than a namespace declaration. */
interface XmlAttribute {
  readonly name: string;
  readonly value: string;
  /** True for attributes such as `xsi:type`, which are allowed on any element. */
  readonly isInstance: boolean;
}

interface XmlElement {
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: XmlElement[];
  /** The text of the element, with CDATA sections, and without the text of its children. */
  text: string;
  /** True if the element has `xsi:nil="true"`. */
  readonly isNil: boolean;
}

/** Deeper elements are skipped; evaluation doesn't go this deep, so that no skipped element would be evaluated. */
const MAX_LEVELS = 1_250;

const XSI = "http://www.w3.org/2001/XMLSchema-instance";

export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Parses a document; undefined if it isn't well-formed, or has a document type declaration. */
function parseXml(text: string): XmlElement | undefined {
  const parser = new SaxesParser({ position: false, xmlns: false as const });
  const instancePrefixes = new Set(["xsi"]);
  const openElements: XmlElement[] = [];
  let root: XmlElement | undefined;
  let skippedLevels = 0;

  parser.on("doctype", () => parser.fail("a document type declaration"));
  parser.on("opentag", (tag) => {
    if (skippedLevels > 0 || openElements.length === MAX_LEVELS) {
      skippedLevels++;
      return;
    }
    const attributes = readAttributes(tag.attributes, instancePrefixes);
    const isNil = attributes.some(({ name, value, isInstance }) =>
      isInstance && name === "nil" && /^\s*(?:true|1)\s*$/.test(value)
    );
    const element = { name: localName(tag.name), attributes, children: [], text: "", isNil };
    openElements.at(-1)?.children.push(element);
    openElements.push(element);
    root ??= element;
  });
  parser.on("closetag", () => {
    if (skippedLevels > 0) skippedLevels--;
    else openElements.pop();
  });
  const addText = (text: string): void => {
    const element = openElements.at(-1);
    if (element !== undefined && skippedLevels === 0) element.text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  try {
    parser.write(text).close();
    return root;
  } catch {
    return undefined;
  }
}

function readAttributes(
  fields: Readonly<Record<string, string>>,
  instancePrefixes: Set<string>,
): readonly XmlAttribute[] {
  const attributes: XmlAttribute[] = [];
  const entries = Object.entries(fields);
  for (const [name, value] of entries) {
    if (name.startsWith("xmlns:") && value === XSI) instancePrefixes.add(localName(name));
  }
  for (const [name, value] of entries) {
    if (name === "xmlns" || name.startsWith("xmlns:")) continue;
    const prefix = name.slice(0, Math.max(0, name.indexOf(":")));
    const isInstance = instancePrefixes.has(prefix);
    attributes.push({ name: localName(name), value, isInstance });
  }
  return attributes;
}

const ENCODING = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.-]+)["']/;

/** Returns the encoding declared by a document or its byte order mark; undefined for UTF-8. */
export function xmlEncoding(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  const declared = ENCODING.exec(String.fromCharCode(...bytes.subarray(0, 200)))?.[1];
  // A declaration that is readable byte by byte isn't UTF-16, even if it declares UTF-16.
  return declared === undefined || /^utf-?16/i.test(declared) ? undefined : declared;
}

/** The content of elements with a property's name; `either`: all items if every child has the item name, else one. */
type XmlContent = "value" | "item" | "items" | "either";

interface XmlProperty {
  readonly name: string;
  readonly shape: Shape;
  readonly content: XmlContent;
}

export type XmlForm =
  | {
    readonly node: "element";
    readonly name: string;
    readonly content: XmlContent;
    /** The name of the element that can enclose all items. */
    readonly wrapper?: string;
  }
  | { readonly node: "attribute"; readonly name: string }
  | { readonly node: "text" };

/** The declared properties of a shape, by the names of elements and attributes, and the one that is text. */
interface XmlNames {
  readonly elements: ReadonlyMap<string, XmlProperty>;
  readonly attributes: ReadonlyMap<string, string>;
  readonly text: string | undefined;
  /** The XML form of each property; a property is absent if its name belongs to another one. */
  readonly forms: ReadonlyMap<string, XmlForm>;
}

const namesByShape = new WeakMap<Shape, XmlNames>();

export function xmlNames(shape: Shape): XmlNames {
  return getOrAdd(namesByShape, shape, () => readNames(shape));
}

function readNames(shape: Shape): XmlNames {
  const elements = new Map<string, XmlProperty>();
  const attributes = new Map<string, string>();
  const forms = new Map<string, XmlForm>();
  const alternatives: (readonly [element: string, property: XmlProperty])[] = [];
  let text: string | undefined;
  for (const name of shape.propertyNames) {
    const property = shape.property(name);
    const ownName = localName(name);
    const { types, xml } = property;
    // Some descriptions declare an object as an attribute.
    const isScalar = (types & (OBJECT | ARRAY)) === 0 || (types & SCALARS) !== 0;
    if (isScalar && xml?.node === "text") {
      if (text !== undefined) continue;
      text = name;
      forms.set(name, { node: "text" });
    } else if (isScalar && xml?.node === "attribute") {
      const attribute = xml.name ?? xml.referredName ?? ownName;
      if (attributes.has(attribute)) continue;
      attributes.set(attribute, name);
      forms.set(name, { node: "attribute", name: attribute });
    } else {
      const [[element, content], ...alternativeNames] = elementNames(ownName, property);
      for (const [other, content] of alternativeNames) {
        alternatives.push([other, { name, shape: property, content }]);
      }
      if (elements.has(element)) continue;
      elements.set(element, { name, shape: property, content });
      forms.set(name, { node: "element", name: element, content });
    }
  }
  // The first name of a property has precedence over the other names of another property.
  for (const [element, property] of alternatives) {
    const form = forms.get(property.name);
    if (elements.has(element) || form?.node !== "element") continue;
    elements.set(element, property);
    if (property.content === "either") {
      forms.set(property.name, { wrapper: element, ...form });
    }
  }
  for (const [name, { node }] of forms) {
    const isNamed = shape.property(name).xml?.name !== undefined;
    const ownName = localName(name);
    if (node === "attribute" && !isNamed && !attributes.has(ownName)) attributes.set(ownName, name);
  }
  return { elements, attributes, text, forms };
}

/** Returns the elements for a property, first the one to write; descriptions use a list's name in two ways. */
function elementNames(
  name: string,
  shape: Shape,
): [readonly [string, XmlContent], ...(readonly [string, XmlContent])[]] {
  const { types, xml } = shape;
  const mainName = xml?.name ?? xml?.referredName ?? name;
  const alternative = xml?.name === undefined ? name : mainName;
  if ((types & ARRAY) === 0) return [[mainName, "value"], [alternative, "value"]];
  if (xml?.wrapped === true) return [[mainName, "items"], [alternative, "items"]];
  const itemName = xmlItemName(shape.item(0));
  if (itemName === undefined) return [[mainName, "item"], [alternative, "item"], [name, "item"]];
  if (xml?.wrapped === false || itemName === mainName) return [[itemName, "item"]];
  return [[itemName, "item"], [mainName, "either"], [alternative, "either"]];
}

export function xmlItemName({ xml }: Shape): string | undefined {
  return xml?.name ?? xml?.referredName;
}

export function xmlRootName(shape: Shape): string | undefined {
  return xmlItemName(shape) ?? shape.xml?.component;
}

export function undeclaredContent({ types, xml }: Shape): XmlContent {
  if ((types & ARRAY) === 0) return "value";
  return xml?.wrapped === true ? "items" : "item";
}

const NIL: Decoded = { value: null, raw: { text: undefined, parts: undefined } };

/** Decodes a document by a schema's `xml` objects (semantics, section 3); undefined if it isn't well-formed. */
export function decodeXml(text: string, shape: Shape): Decoded | undefined {
  const root = parseXml(text);
  if (root === undefined) return undefined;
  const outer = { name: "", attributes: [], children: [root], text: "", isNil: false };
  return decodeElement(isProperty(root, shape) ? outer : root, shape);
}

/** True if the root is the object's only property: some generators describe the document including its root. */
function isProperty({ name, children }: XmlElement, shape: Shape): boolean {
  if (shape.propertyNames.size !== 1 || xmlRootName(shape) !== undefined) return false;
  const { elements } = xmlNames(shape);
  const property = elements.get(name);
  if (property === undefined || property.content !== "value") return false;
  return property.shape.types === OBJECT && !children.some((child) => elements.has(child.name));
}

function decodeElement(element: XmlElement, shape: Shape): Decoded {
  const { types } = shape;
  if (element.isNil && (types & NULL) !== 0) return NIL;
  const mayBeObject = types === 0 || (types & OBJECT) !== 0;
  const hasText = isText(element.text);
  if (hasText && !(mayBeObject && xmlNames(shape).text !== undefined)) {
    return decodeText(element.text, types);
  }
  const isEmpty = element.children.length === 0 && !hasText &&
    !(mayBeObject && hasAttributes(element, shape));
  if (isEmpty && ((types & SCALARS) !== 0 || (types & (OBJECT | ARRAY)) === 0)) {
    return decodeText(element.text, types);
  }
  if ((types & ARRAY) !== 0 && !(mayBeObject && isObject(element, shape))) {
    return decodeItems(element.children, shape);
  }
  return decodeObject(element, shape);
}

/** False for white space, which is ignored between elements. */
function isText(text: string): boolean {
  return /[^ \t\r\n]/.test(text);
}

/** True if an element that could be a list of its children is an object. */
function isObject(element: XmlElement, shape: Shape): boolean {
  if (element.children.length === 0 || hasAttributes(element, shape)) return true;
  const { elements } = xmlNames(shape);
  return element.children.some(({ name }) => elements.has(name));
}

function hasAttributes({ attributes }: XmlElement, shape: Shape): boolean {
  return attributes.some(({ name, isInstance }) =>
    !isInstance || xmlNames(shape).attributes.has(name)
  );
}

function hasContent(element: XmlElement, shape: Shape): boolean {
  return element.children.length > 0 || hasAttributes(element, shape);
}

function decodeItems(elements: readonly XmlElement[], shape: Shape): Decoded {
  const items = elements.map((element, index) => decodeElement(element, shape.item(index)));
  return decodedArray(items, undefined);
}

interface ChildGroup extends XmlProperty {
  readonly elements: [XmlElement, ...XmlElement[]];
}

function decodeObject(element: XmlElement, shape: Shape): Decoded {
  const names = xmlNames(shape);
  const members: Member[] = [];
  for (const { name, value, isInstance } of element.attributes) {
    const declared = names.attributes.get(name);
    if (declared === undefined && (isInstance || shape.propertyNames.has(name))) continue;
    const property = declared ?? name;
    members.push([property, decodeText(value, shape.property(property).types)]);
  }
  const groups = new Map<string, ChildGroup>();
  for (const child of element.children) {
    const property = names.elements.get(child.name) ?? undeclaredElement(child.name, shape);
    if (property === undefined) continue;
    const group = groups.get(property.name);
    if (group === undefined) groups.set(property.name, { ...property, elements: [child] });
    else if (group.content === property.content) group.elements.push(child);
  }
  for (const property of groups.values()) members.push([property.name, decodeProperty(property)]);
  const { text } = element;
  if (
    names.text !== undefined && (isText(text) || (element.children.length === 0 && text !== ""))
  ) {
    members.push([names.text, decodeText(text, shape.property(names.text).types)]);
  }
  return decodedObject(members, undefined);
}

/** Describes an undeclared element; undefined if its name is that of a property with another XML form. */
function undeclaredElement(name: string, object: Shape): XmlProperty | undefined {
  if (object.propertyNames.has(name)) return undefined;
  const shape = object.property(name);
  return { name, shape, content: undeclaredContent(shape) };
}

function decodeProperty({ content, shape, elements }: ChildGroup): Decoded {
  const [first] = elements;
  if (content === "value" || content === "items") return decodeElement(first, shape);
  if (content === "either" && isWrapper(first, shape)) return decodeElement(first, shape);
  return decodeRepeated(elements, shape);
}

function isWrapper({ children, text, isNil }: XmlElement, shape: Shape): boolean {
  const itemName = xmlItemName(shape.item(0));
  return !isText(text) && !isNil && children.every(({ name }) => name === itemName);
}

/** Decodes elements as a list; a single one as an object or scalar, if the types allow what it contains. */
function decodeRepeated(elements: readonly [XmlElement, ...XmlElement[]], shape: Shape): Decoded {
  const { types } = shape;
  const [only] = elements;
  if (elements.length > 1) return decodeItems(elements, shape);
  if (only.isNil && (types & NULL) !== 0) return NIL;
  const isObject = (types & OBJECT) !== 0 &&
    (isText(only.text) ? xmlNames(shape).text !== undefined : hasContent(only, shape));
  if (isObject) return decodeObject(only, shape);
  if (only.children.length === 0 && (types & SCALARS) !== 0) return decodeText(only.text, types);
  const isEmpty = !isText(only.text) && !hasContent(only, shape);
  return isEmpty && (types & OBJECT) !== 0
    ? decodeObject(only, shape)
    : decodeItems(elements, shape);
}
