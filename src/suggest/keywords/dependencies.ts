import { isNameList } from "../../schema/keywords/objects.ts";
import type { SchemaNode, Subschema } from "../../schema/schema_node.ts";
import { OBJECT } from "../../values/json_type.ts";
import type { Gathering, KeywordMaker } from "./keyword_maker.ts";

/** The demand of a property on the object that has it. */
interface Dependency {
  readonly name: string;
  /** The names that it asks for. */
  readonly needs: readonly string[];
  /** The schema that it asks for. */
  readonly schema: Subschema | undefined;
}

function dependenciesOf(keyword: string, value: unknown, node: SchemaNode): Dependency[] {
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
function dependent(keyword: string): KeywordMaker {
  /** One for each name or schema that can be missed. */
  const waysOf = (value: unknown, node: SchemaNode): [Dependency, string | undefined][] =>
    dependenciesOf(keyword, value, node).flatMap((dependency): [Dependency, string | undefined][] =>
      dependency.schema === undefined
        ? dependency.needs.map((needed) => [dependency, needed])
        : [[dependency, undefined]]
    );
  return {
    hold(value, node, gathering) {
      for (const dependency of dependenciesOf(keyword, value, node)) {
        holdDependency(keyword, node, dependency, gathering);
      }
    },
    ways: (value, node) => waysOf(value, node).length,
    fail(value, node, gathering, way) {
      const { facts } = gathering;
      const [broken, missed] = waysOf(value, node)[way] ?? [];
      if (broken === undefined) return;
      facts.aims |= OBJECT;
      facts.required.add(broken.name);
      for (const dependency of dependenciesOf(keyword, value, node)) {
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

/** `dependentRequired`: names that a property asks for. */
export const dependentRequired: KeywordMaker = dependent("dependentRequired");
/** `dependentSchemas`: schemas that a property asks for. */
export const dependentSchemas: KeywordMaker = dependent("dependentSchemas");
/** `dependencies` (drafts 4 to 7): either of the two. */
export const dependencies: KeywordMaker = dependent("dependencies");
