import assert from "node:assert/strict";
import { SaxesParser } from "saxes";

/** An element of a parsed document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  /** Its own text, without that of its children. */
  text: string;
}

/** The content that an element may have, copied from a DTD or schema. */
export interface XmlRule {
  /** Names of the children as a regular expression, each followed by a space. */
  readonly children: string;
  readonly required: readonly string[];
  readonly optional?: readonly string[];
  /** Whether text is allowed. */
  readonly text?: boolean;
}

/** Parses a document, which has to be well-formed. */
export function readXml(xml: string): XmlElement {
  const root: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element: XmlElement = { name, attributes, children: [], text: "" };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => {
    open.pop();
  });
  parser.on("text", (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.write(xml).close();
  const [element] = root.children;
  assert.ok(element !== undefined && root.children.length === 1);
  return element;
}

/** All elements with a name, in document order. */
export function elementsIn(element: XmlElement, name: string): XmlElement[] {
  return [
    ...(element.name === name ? [element] : []),
    ...element.children.flatMap((child) => elementsIn(child, name)),
  ];
}

/** Fails if an element breaks its rule, or has none. */
export function assertRules(element: XmlElement, rules: Readonly<Record<string, XmlRule>>): void {
  const rule = Object.hasOwn(rules, element.name) ? rules[element.name] : undefined;
  assert.ok(rule !== undefined, `there is no element ${element.name}`);
  const children = element.children.map(({ name }) => `${name} `).join("");
  assert.match(children, new RegExp(`^(?:${rule.children})$`), `children of ${element.name}`);
  const attributes = Object.keys(element.attributes);
  for (const name of rule.required) {
    assert.ok(attributes.includes(name), `${element.name} lacks ${name}`);
  }
  for (const name of attributes) {
    const known = rule.required.includes(name) || rule.optional?.includes(name) === true;
    assert.ok(known, `${element.name} has ${name}`);
  }
  if (rule.text !== true) assert.equal(element.text.trim(), "", `text in ${element.name}`);
  for (const child of element.children) assertRules(child, rules);
}
