import { type BasePath, prefixSegments } from "./base_path.ts";
import { decodedSegment, type SplitPath } from "./split_path.ts";

/** Options for the prefixes of paths. */
export interface PrefixOptions {
  /** The paths of the servers, each of which holds for every operation; the empty prefix need not be among them. */
  readonly basePaths?: readonly string[] | undefined;
  /** True to try the empty prefix before the servers' paths (the proxy), not after them. */
  readonly emptyPrefixFirst?: boolean | undefined;
}

/** A tree of the segments of prefixes. */
interface PrefixNode {
  readonly depth: number;
  children: Map<string, PrefixNode> | null;
  /** True if a prefix ends here. */
  isPrefix: boolean;
}

/** The prefixes that come before documented paths. */
export class PathPrefixes {
  readonly #root: PrefixNode = { depth: 0, children: null, isPrefix: false };
  readonly #emptyFirst: boolean;

  /** @param base The only prefix; null for those of the options, and the empty one. */
  constructor(base: BasePath | null, { basePaths = [], emptyPrefixFirst }: PrefixOptions) {
    this.#emptyFirst = emptyPrefixFirst === true;
    this.#add(base?.segments ?? []);
    if (base !== null) return;
    for (const path of basePaths) this.#add(prefixSegments(path));
  }

  #add(segments: readonly string[]): void {
    let node = this.#root;
    for (const segment of segments) {
      node.children ??= new Map();
      let child = node.children.get(segment);
      if (child === undefined) {
        child = { depth: node.depth + 1, children: null, isPrefix: false };
        node.children.set(segment, child);
      }
      node = child;
    }
    node.isPrefix = true;
  }

  /** The lengths, in segments, of the prefixes that the path begins with, in the order in which they are tried. */
  depthsOf(path: SplitPath): number[] {
    const root = this.#root;
    const found: number[] = [];
    let node: PrefixNode | undefined = root.children === null ? undefined : root;
    while (node?.children) {
      node = node.children.get(decodedSegment(path, node.depth));
      if (node?.isPrefix) found.push(node.depth);
    }
    found.reverse();
    if (root.isPrefix) {
      if (this.#emptyFirst) found.unshift(0);
      else found.push(0);
    }
    return found;
  }
}
