import type { DelimitedLayout } from "./delimited.ts";
import type { EncodedLocation, ParameterStyle, StyleEncoding } from "./encoding.ts";
import type { Separator } from "./percent.ts";

/** The form of a value in a style: text with delimiters, separate pairs, or names with brackets. */
export type StylePlan =
  | { readonly kind: "deep" }
  | { readonly kind: "exploded" }
  | { readonly kind: "delimited"; readonly layout: DelimitedLayout };

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

/** Returns the style in effect: the default of the location if the location doesn't allow the given one. */
export function effectiveStyle(location: EncodedLocation, style: ParameterStyle): ParameterStyle {
  const styles = STYLES[location];
  // No list in STYLES is empty.
  return styles.includes(style) ? style : styles[0]!;
}

/** Returns the form of lists and objects in a style (OpenAPI 3.2, section 4.12.7). */
export function stylePlan(
  { location, style, explode }: Pick<StyleEncoding, "location" | "style" | "explode">,
): StylePlan {
  switch (effectiveStyle(location, style)) {
    case "deepObject":
      return { kind: "deep" };
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
