/// <reference lib="dom" />
import { type Context, createContext } from "preact";
import { useContext, useLayoutEffect, useState } from "preact/hooks";
import {
  changedLink,
  parseRoute,
  parseSpot,
  type QueryChanges,
  type Route,
  type Spot,
} from "../model/route.ts";

/** Called after a change of the address. */
let listener = (): void => {};

const positions = new Map<string, number>();
let current = "";
let followed = false;

function onHashChange(): void {
  // The old view is still drawn, so this is its scroll position.
  positions.set(current, scrollY);
  current = location.hash;
  listener();
}

export function startRouting(): void {
  current = location.hash;
  history.scrollRestoration = "manual";
  addEventListener("hashchange", onHashChange);
  addEventListener("click", (event) => {
    followed = event.target instanceof Element && event.target.closest("a[href^='#']") !== null;
  });
}

/** Focuses the new view and sets its scroll position: the top after a link was clicked, otherwise the previous one. */
export function enterView(main: HTMLElement | null): void {
  main?.focus({ preventScroll: true });
  scrollTo(0, followed ? 0 : positions.get(current) ?? 0);
  followed = false;
}

/** One route for the whole page, so that all its parts show the same state. */
export const RouteContext: Context<Route | null> = createContext<Route | null>(null);

/** The current route, for the provider at the root of the page. */
export function useAddress(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useLayoutEffect(() => {
    listener = () => setRoute(parseRoute(location.hash));
  }, []);
  return route;
}

export function useRoute(): Route {
  const route = useContext(RouteContext);
  if (route === null) throw new Error("There is no route around this component.");
  return route;
}

/** An entry of the query in the address. Empty if it isn't set. */
export function useQuery(name: string): string {
  return useRoute().query.get(name) ?? "";
}

/** The place within the view that the address leads to. Null if there is none. */
export function useSpot(): Spot | null {
  return parseSpot(useQuery("at"));
}

/** Changes the query of the address in place: filtering adds no entries to the browser's history. */
export function changeQuery(changes: QueryChanges): void {
  history.replaceState(null, "", changedLink(parseRoute(location.hash), changes));
  current = location.hash;
  listener();
}
