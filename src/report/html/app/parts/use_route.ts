/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import {
  changedLink,
  parseRoute,
  parseSpot,
  type QueryChanges,
  type Route,
  type Spot,
} from "../model/route.ts";

const listeners = new Set<() => void>();

const positions = new Map<string, number>();
let current = "";
let followed = false;

function onHashChange(): void {
  // The old view is still drawn, so this is its position.
  positions.set(current, scrollY);
  current = location.hash;
  for (const listener of listeners) listener();
}

export function startRouting(): void {
  current = location.hash;
  history.scrollRestoration = "manual";
  addEventListener("hashchange", onHashChange);
  addEventListener("click", (event) => {
    followed = event.target instanceof Element && event.target.closest("a[href^='#']") !== null;
  });
}

/** The scroll position for the view just drawn: the top after a link, else the last one. */
export function scrollForView(): void {
  scrollTo(0, followed ? 0 : positions.get(current) ?? 0);
  followed = false;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const listener = (): void => setRoute(parseRoute(location.hash));
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return route;
}

/** An entry of the address's query; empty where there is none. */
export function useQuery(name: string): string {
  return useRoute().query.get(name) ?? "";
}

/** The place that the address leads to within its view. */
export function useSpot(): Spot | null {
  return parseSpot(useQuery("at"));
}

/** Changes the query of the address in place: filtering makes no steps to go back through. */
export function changeQuery(changes: QueryChanges): void {
  history.replaceState(null, "", changedLink(parseRoute(location.hash), changes));
  current = location.hash;
  for (const listener of listeners) listener();
}
