/** The classes of values (semantics, section 16). */
export const VALUE_CLASS_NAMES = [
  "enum",
  "boolean",
  "null",
  "minimum",
  "maximum",
  "between",
  "negative",
  "zero",
  "positive",
  "min_length",
  "max_length",
  "empty",
  "non_ascii",
  "no_items",
  "one_item",
  "several_items",
  "max_items",
  "present",
  "absent",
  "alternative",
  "default_left_out",
] as const;

/** A class of values (semantics, section 16). */
export type ValueClassName = typeof VALUE_CLASS_NAMES[number];
