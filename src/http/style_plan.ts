import type { DelimitedLayout } from "./delimited.ts";
import type { EncodedLocation, ParameterStyle, StyleEncoding } from "./encoding.ts";
import type { Separator } from "./percent.ts";

/** The form that a style gives to a value: a text with delimiters, pairs of their own, or names in brackets. */
export type StylePlan =
  | { readonly kind: "deep" }
  | { readonly kind: "exploded" }
  | { readonly kind: "delimited"; readonly layout: DelimitedLayout };

const DEEP: StylePlan = { kind: "deep" };
const EXPLODED: StylePlan = { kind: "exploded" };

function delimitedPlan(separator: Separator, keyed: boolean): StylePlan {
  return { kind: "delimited", layout: { separator, keyed, items: undefined } };
}

const STYLES: Readonly<Record<EncodedLocation, readonly ParameterStyle[]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form", "cookie"],
};

/** The style that is in force: the location's default where the location does not have the given one. */
export function styleIn(location: EncodedLocation, style: ParameterStyle): ParameterStyle {
  const styles = STYLES[location];
  // Each location has a style.
  return styles.includes(style) ? style : styles[0]!;
}

/** Tells what a style makes of lists and objects (OpenAPI 3.2, section 4.12.7), for who reads, writes or judges them. */
export function stylePlan(
  { location, style, explode }: Pick<StyleEncoding, "location" | "style" | "explode">,
): StylePlan {
  switch (styleIn(location, style)) {
    case "deepObject":
      return DEEP;
    case "simple":
      return delimitedPlan("comma", explode);
    case "label":
      return delimitedPlan(explode ? "dot" : "comma", explode);
    case "spaceDelimited":
      return explode ? EXPLODED : delimitedPlan("space", false);
    case "pipeDelimited":
      return explode ? EXPLODED : delimitedPlan("pipe", false);
    default:
      return explode ? EXPLODED : delimitedPlan("comma", false);
  }
}
