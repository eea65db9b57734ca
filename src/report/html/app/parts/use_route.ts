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

/** Called when the address has changed. */
let listener = (): void => {};

const positions = new Map<string, number>();
let current = "";
let followed = false;

function onHashChange(): void {
  // The old view is still drawn, so this is its position.
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

/** Gives the view just drawn the focus, and its scroll position: the top after a link, else the last one. */
export function enterView(main: HTMLElement | null): void {
  main?.focus({ preventScroll: true });
  scrollTo(0, followed ? 0 : positions.get(current) ?? 0);
  followed = false;
}

/** The route as the whole page has it: its parts never differ in it. */
export const RouteContext: Context<Route | null> = createContext<Route | null>(null);

/** The route of the address, for what is around all of the page. */
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
  listener();
}
