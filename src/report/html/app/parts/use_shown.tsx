/** @jsxImportSource preact */
/// <reference lib="dom" />
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatNumber } from "../../../wording/amounts.ts";

/** Longer lists are printed up to here: more would be hundreds of sheets. */
const PRINT_LIMIT = 2000;

/** How far lists had grown, by name, so that going back leads to the same place. */
const grown = new Map<string, number>();

/** How much of a long list to draw. */
export interface Shown {
  /** Draw this many entries from the first on. */
  readonly count: number;
  /** Stands after the list and makes it grow when it comes into view; null at the list's end. */
  readonly more: JSX.Element | null;
}

/**
 * Draws long lists in portions, as far as one has scrolled.
 *
 * @param name What remembers how far the list had grown; another name begins anew.
 * @param total How many entries there are.
 * @param step How many entries a portion has.
 * @param wanted How many are drawn at least, because the address leads to one of them.
 */
export function useShown(name: string, total: number, step = 80, wanted = 0): Shown {
  const [, redraw] = useState(0);
  const count = Math.min(total, Math.max(wanted, grown.get(name) ?? step));
  const sentinel = useRef<HTMLDivElement>(null);
  const grow = (to: number): void => {
    grown.set(name, to);
    redraw((times) => times + 1);
  };
  useEffect(() => {
    const element = sentinel.current;
    if (element === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) grow(count + step);
    }, { rootMargin: "600px" });
    observer.observe(element);
    return () => observer.disconnect();
  }, [name, count, total, step]);
  useEffect(() => {
    const onPrint = (): void => grow(PRINT_LIMIT);
    addEventListener("beforeprint", onPrint);
    return () => removeEventListener("beforeprint", onPrint);
  }, [name]);
  const more = count >= total ? null : (
    <div class="more" ref={sentinel}>
      <button type="button" class="quiet" onClick={() => grow(count + step)}>
        Show more ({formatNumber(total - count)} left)
      </button>
    </div>
  );
  return { count, more };
}
