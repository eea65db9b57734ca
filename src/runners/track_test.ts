import type { ApiContextLike, PageLike } from "../plugins/playwright_plugin.ts";
import { testName } from "./running_tests.ts";
import { TrafficCollector } from "./traffic_collector.ts";

/** Playwright's `test`, plain or extended, as far as covtool uses it. */
export interface TestLike {
  /** Makes one with further fixtures. */
  extend(fixtures: never): unknown;
}

/** Playwright's `TestInfo`, as far as covtool uses it. */
interface TestInfoLike {
  readonly file: string;
  readonly titlePath: readonly string[];
}

interface BrowserContextLike extends PageLike {
  readonly request: ApiContextLike;
}

/** Hands a fixture to the test; is back when the test is done with it. */
type Use<T> = (value: T) => Promise<void>;

/**
 * A `test` that does what the given one does, and records: what goes through its `request`, its `page` and all pages of
 * its `context`. The given one, which may have fixtures of its own, stays as it is; where no run is under way, it is
 * given back.
 *
 * @param test `test` of `@playwright/test`, or an extended one.
 * @param collector Where it records, by default the one of this process.
 */
export function trackTest<T extends TestLike>(
  test: T,
  collector: TrafficCollector = TrafficCollector.shared(),
): T {
  if (!collector.isActive) return test;
  // Playwright reads from the text of these functions which fixtures they ask for.
  const fixtures = {
    covtool: [
      // deno-lint-ignore no-empty-pattern
      async ({}, use: Use<undefined>, { file, titlePath }: TestInfoLike): Promise<void> => {
        const end = collector.tests.start(testName(file, titlePath.slice(1)));
        await use(undefined);
        await collector.flush();
        end();
      },
      { auto: true, box: true },
    ],
    request: async (
      { request }: { readonly request: ApiContextLike },
      use: Use<ApiContextLike>,
    ): Promise<void> => {
      await use(collector.playwright.trackClient(request));
    },
    context: async (
      { context }: { readonly context: BrowserContextLike },
      use: Use<BrowserContextLike>,
    ): Promise<void> => {
      collector.playwright.trackPage(context);
      collector.playwright.trackClient(context.request);
      await use(context);
      // Requests of pages tell nothing more once these are closed.
      await collector.flush();
    },
  };
  return test.extend(fixtures as never) as T;
}
