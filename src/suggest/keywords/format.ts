import { formats } from "../../schema/formats.ts";
import type { KeywordMaker } from "./keyword_maker.ts";

/** `format`: broken by a text or a number that doesn't have it. */
export const format: KeywordMaker = {
  hold: (value, _node, { facts }) => void facts.formats.push(value as string),
  ways: (value) => formats.has(value as string) ? 1 : 0,
  fail(value, _node, { facts }) {
    facts.aims |= formats.get(value as string)?.types ?? 0;
    facts.notFormats.push(value as string);
  },
};
