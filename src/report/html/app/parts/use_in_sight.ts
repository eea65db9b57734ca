/// <reference lib="dom" />
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Keeps the chosen one of a row in sight where the row is wider than the screen and scrolls sideways. The page itself
 * stays where it is.
 *
 * @param selector Finds what is chosen in the row.
 * @param chosen Changes when something else is chosen.
 */
export function useInSight<E extends HTMLElement>(
  selector: string,
  chosen: string,
): RefObject<E | null> {
  const row = useRef<E>(null);
  useLayoutEffect(() => {
    const show = (): void => {
      const element = row.current;
      const target = element?.querySelector(selector);
      if (element === null || target === null || target === undefined) return;
      const outer = element.getBoundingClientRect();
      const inner = target.getBoundingClientRect();
      if (inner.left >= outer.left && inner.right <= outer.right) return;
      element.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
    };
    show();
    addEventListener("resize", show);
    return () => removeEventListener("resize", show);
  }, [selector, chosen]);
  return row;
}
