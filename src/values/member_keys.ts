import { appendTo, compareText, getOrAdd } from "./collections.ts";

const ALL_OF_MEMBER = /\/allOf\/\d+(?=\/|$)/g;

/** A keyword of a schema, or an example: its place and its content, such as its name with the hash of its value. */
export interface Statement {
  readonly pointer: string;
  readonly text: string;
}

type NameStatement = (statement: Statement) => string;

/**
 * Returns keys of statements in two versions of a schema, for `pairByKeys()`. Reordering an `allOf` doesn't change
 * the keys, as it means nothing: members of an `allOf` are identified by their statements.
 *
 * @returns The most exact keys first; none unless both versions have an `allOf`.
 */
export function memberKeys<First, Second>(
  first: readonly First[],
  second: readonly Second[],
  read: (item: First | Second) => Statement,
): (readonly [key: (item: First) => string, otherKey: (item: Second) => string])[] {
  const lists = [first.map(read), second.map(read)] as const;
  const hasMembers = (list: readonly Statement[]) =>
    list.some(({ pointer }) => /\/allOf\//.test(pointer));
  if (!lists.every(hasMembers)) return [];
  const contents = new Map<string, number>();
  const [own, other] = [nameMembers(lists[0], contents), nameMembers(lists[1], contents)];
  const inPlace = (name: NameStatement) => (statement: Statement) =>
    `${name(statement)} ${statement.pointer}`;
  return [[inPlace(own), inPlace(other)], [own, other]].map(([one, two]) => [
    (item) => one?.(read(item)) ?? "",
    (item) => two?.(read(item)) ?? "",
  ]);
}

/**
 * Names statements by their pointers, with numbers in place of the indexes of `allOf` members.
 *
 * @param contents The numbers assigned so far: members with the same statements have the same number.
 */
function nameMembers(list: readonly Statement[], contents: Map<string, number>): NameStatement {
  const byMember = new Map<string, Statement[]>();
  for (const statement of list) {
    for (const member of outerMembers(statement.pointer)) appendTo(byMember, member, statement);
  }
  const numbers = new Map<string, number>();
  const rename = (pointer: string, from = 0): string => {
    let text = "";
    let end = from;
    for (const member of outerMembers(pointer)) {
      if (member.length <= from) continue;
      const number = getOrAdd(numbers, member, () => contentNumber(member));
      text += `${pointer.slice(end, member.lastIndexOf("/"))}=${number}`;
      end = member.length;
    }
    return text + pointer.slice(end);
  };
  const contentNumber = (member: string): number => {
    const content = (byMember.get(member) ?? [])
      .map(({ pointer, text }) => `${rename(pointer, member.length)} ${text}`)
      .sort(compareText).join("\n");
    return getOrAdd(contents, content, () => contents.size);
  };
  return ({ pointer, text }) => `${rename(pointer)} ${text}`;
}

/** Returns the pointers of the `allOf` members that contain a place, the outermost first. */
function outerMembers(pointer: string): string[] {
  return Array.from(
    pointer.matchAll(ALL_OF_MEMBER),
    ({ 0: step, index }) => pointer.slice(0, index + step.length),
  );
}
