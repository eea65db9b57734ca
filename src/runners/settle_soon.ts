import type { TrafficCollector } from "./traffic_collector.ts";

/** Enough for what is on its way, and no reason for a runner to lose patience. */
const PATIENCE = 2000;

/** Waits for what is still being read, though not for a body that never ends. */
export async function settleSoon(collector: TrafficCollector): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE);
  });
  await Promise.race([collector.settled(), late]);
  clearTimeout(timer);
}
