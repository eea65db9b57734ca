import { appendTo, compareText, getOrAdd } from "./collections.ts";

const MEMBER = /\/allOf\/\d+(?=\/|$)/g;

/** What is said at a place in a schema, such as a keyword with the hash of its value. */
export interface Said {
  readonly pointer: string;
  readonly says: string;
}

type Name = (said: Said) => string;

/**
 * Keys of what two versions of a schema say, for `pairUpInTurn()`: the same where no more than the order of an `allOf`
 * has changed, which means nothing. Its members are known by what they say instead.
 *
 * @returns The most exact keys first; none where no schema has an `allOf`.
 */
export function memberKeys<First, Second>(
  first: readonly First[],
  second: readonly Second[],
  read: (item: First | Second) => Said,
): (readonly [keyOf: (item: First) => string, otherKeyOf: (item: Second) => string])[] {
  const lists = [first.map(read), second.map(read)] as const;
  const hasMembers = (list: readonly Said[]) =>
    list.some(({ pointer }) => /\/allOf\//.test(pointer));
  if (!lists.every(hasMembers)) return [];
  const contents = new Map<string, number>();
  const [own, other] = [nameMembers(lists[0], contents), nameMembers(lists[1], contents)];
  const inPlace = (name: Name) => (said: Said) => `${name(said)} ${said.pointer}`;
  return [[inPlace(own), inPlace(other)], [own, other]].map(([one, two]) => [
    (item) => one?.(read(item)) ?? "",
    (item) => two?.(read(item)) ?? "",
  ]);
}

/**
 * Names what a schema says by its pointer, in which members of an `allOf` have numbers by what they say.
 *
 * @param contents The numbers so far: what says the same has the same one.
 */
function nameMembers(places: readonly Said[], contents: Map<string, number>): Name {
  const within = new Map<string, Said[]>();
  for (const place of places) {
    for (const member of membersAround(place.pointer)) appendTo(within, member, place);
  }
  const numbers = new Map<string, number>();
  const rename = (pointer: string, from = 0): string => {
    let text = "";
    let end = from;
    for (const member of membersAround(pointer)) {
      if (member.length <= from) continue;
      const number = getOrAdd(numbers, member, () => numberOf(member));
      text += `${pointer.slice(end, member.lastIndexOf("/"))}=${number}`;
      end = member.length;
    }
    return text + pointer.slice(end);
  };
  const numberOf = (member: string): number => {
    const content = (within.get(member) ?? [])
      .map(({ pointer, says }) => `${rename(pointer, member.length)} ${says}`)
      .sort(compareText).join("\n");
    return getOrAdd(contents, content, () => contents.size);
  };
  return ({ pointer, says }) => `${rename(pointer)} ${says}`;
}

/** The pointers of the members of an `allOf` that a place is in, the outermost first. */
function membersAround(pointer: string): string[] {
  return Array.from(
    pointer.matchAll(MEMBER),
    ({ 0: step, index }) => pointer.slice(0, index + step.length),
  );
}
