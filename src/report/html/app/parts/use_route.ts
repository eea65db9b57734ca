/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { changedLink, parseRoute, type QueryChanges, type Route } from "../model/route.ts";

const listeners = new Set<() => void>();

const positions = new Map<string, number>();
let current = location.hash;
let followed = false;

function onHashChange(): void {
  // The old view is still drawn, so this is its position.
  positions.set(current, scrollY);
  current = location.hash;
  for (const listener of listeners) listener();
}

export function startRouting(): void {
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

/** Changes the query of the address in place: filtering makes no steps to go back through. */
export function changeQuery(changes: QueryChanges): void {
  history.replaceState(null, "", changedLink(parseRoute(location.hash), changes));
  current = location.hash;
  for (const listener of listeners) listener();
}
