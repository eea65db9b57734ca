import { heldSchema } from "../../schema/keywords/keyword.ts";
import { isNameList, requiredNames } from "../../schema/keywords/objects.ts";
import { isUnsent } from "../../schema/read_only_write_only.ts";
import type { SchemaNode, Subschema } from "../../schema/schema_node.ts";
import { OBJECT } from "../../values/json_type.ts";
import { match, mismatch } from "../values/facts.ts";
import { applicator } from "./applicator.ts";
import type { Gathering, KeywordMaker } from "./keyword_maker.ts";

const declared = applicator("properties", OBJECT);

/** `properties`: those that clients don't send, as they are readOnly, are left out. */
export const properties: KeywordMaker = {
  ...declared,
  hold(value, node, gathering) {
    declared.hold(value, node, gathering);
    const schemas = value as Readonly<Record<string, unknown>>;
    for (const name in schemas) {
      const schema = node.member("properties", name, schemas[name], false);
      if (schema !== undefined && isUnsent(schema)) gathering.facts.forbidden.add(name);
    }
  },
};

/** `unevaluatedProperties`: broken by a property that no other schema of the place declares. */
export const unevaluatedProperties: KeywordMaker = {
  hold(_value, node, { facts }) {
    const schema = heldSchema("unevaluatedProperties", node);
    if (!isUnsent(schema)) facts.otherProperties.push(match(schema));
  },
  fail(_value, node, { facts }) {
    const schema = heldSchema("unevaluatedProperties", node);
    facts.aims |= OBJECT;
    const applies = (name: string) => !facts.properties.has(name);
    facts.wanted.push({ applies, pattern: undefined, demand: mismatch(schema) });
  },
};

/** `required`: broken by an object without one of the names. */
export const required: KeywordMaker = {
  hold(value, node, { facts }) {
    for (const name of requiredNames(value, node)) facts.required.add(name);
    facts.aims |= OBJECT;
  },
  ways: (value, node) => requiredNames(value, node).length,
  fail(value, node, { facts }, way) {
    facts.aims |= OBJECT;
    requiredNames(value, node).forEach((name, index) => {
      if (index === way) facts.forbidden.add(name);
      else facts.required.add(name);
    });
  },
};

/** The demand of a property on the object that has it. */
interface Dependency {
  readonly name: string;
  readonly needs: readonly string[];
  readonly schema: Subschema | undefined;
}

function listDependencies(keyword: string, value: unknown, node: SchemaNode): Dependency[] {
  const found: Dependency[] = [];
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) {
    const member = members[name];
    if (keyword !== "dependentSchemas" && isNameList(member)) {
      found.push({ name, needs: member, schema: undefined });
    } else if (keyword !== "dependentRequired") {
      const schema = node.member(keyword, name, member, true);
      if (schema !== undefined) found.push({ name, needs: [], schema });
    }
  }
  return found;
}

function holdDependency(
  keyword: string,
  node: SchemaNode,
  { name, needs, schema }: Dependency,
  gathering: Gathering,
): void {
  const { facts } = gathering;
  if (schema === undefined) {
    facts.needs.set(name, [...facts.needs.get(name) ?? [], ...needs]);
    return;
  }
  const first = gathering.isFull ? 0 : 1;
  if (gathering.choose(node, `${keyword} ${name}`, 2, first) === 0) {
    facts.required.add(name);
    gathering.hold(schema);
  } else facts.forbidden.add(name);
}

/** `dependentRequired`, `dependentSchemas` and `dependencies`: broken by a property without what it asks for. */
export function dependent(keyword: string): KeywordMaker {
  const listWays = (value: unknown, node: SchemaNode): [Dependency, string | undefined][] =>
    listDependencies(keyword, value, node).flatMap((
      dependency,
    ): [Dependency, string | undefined][] =>
      dependency.schema === undefined
        ? dependency.needs.map((needed) => [dependency, needed])
        : [[dependency, undefined]]
    );
  return {
    hold(value, node, gathering) {
      for (const dependency of listDependencies(keyword, value, node)) {
        holdDependency(keyword, node, dependency, gathering);
      }
    },
    ways: (value, node) => listWays(value, node).length,
    fail(value, node, gathering, way) {
      const { facts } = gathering;
      const [broken, missed] = listWays(value, node)[way] ?? [];
      if (broken === undefined) return;
      facts.aims |= OBJECT;
      facts.required.add(broken.name);
      for (const dependency of listDependencies(keyword, value, node)) {
        if (dependency.name !== broken.name) {
          holdDependency(keyword, node, dependency, gathering);
        } else if (dependency.schema !== undefined) gathering.refuse(dependency.schema);
        else {
          for (const name of dependency.needs) {
            if (name === missed) facts.forbidden.add(name);
            else facts.required.add(name);
          }
        }
      }
    },
  };
}
