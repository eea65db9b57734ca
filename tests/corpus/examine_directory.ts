import type { Examination } from "./examine_description.ts";
import { descriptionsIn } from "./openapi_directory.ts";

/** The result for one description. */
export interface Examined {
  /** Path in the folder. */
  readonly name: string;
  /** Result of the examination; undefined if it threw. */
  readonly examination?: Examination;
  /** Stack of the error. */
  readonly exception?: string;
}

const WORKERS = 2;

/** Examines the descriptions of a folder with these ranks by size (largest first), with as many threads as allowed. */
export async function examineDirectory(
  folder: string,
  takes: (rank: number) => boolean,
): Promise<readonly Examined[]> {
  const waiting = [...descriptionsIn(folder)].sort((left, right) => right.size - left.size)
    .filter((_, rank) => takes(rank));
  const examined: Examined[] = [];
  const work = (): Promise<void> => {
    const url = new URL("./examine_worker.ts", import.meta.url);
    const worker = new Worker(url, { type: "module" });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const next = (): void => {
      const description = waiting.shift();
      if (description === undefined) resolve();
      else worker.postMessage({ folder, name: description.name });
    };
    worker.onmessage = ({ data }: MessageEvent<Examined>) => {
      examined.push(data);
      next();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    next();
    return promise.finally(() => worker.terminate());
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return examined.sort((left, right) => left.name < right.name ? -1 : 1);
}
