import { readFile } from "node:fs/promises";
import process from "node:process";
import { ApiMaps } from "../coverage_map/api_maps.ts";
import type { MeasuredApi } from "../coverage_map/measured_api.ts";
import { errorCode, fileErrorSentence } from "../files/files.ts";
import { OutputGuard } from "../files/output_guard.ts";
import { openPrivateFolder } from "../proxy/private_folder.ts";
import { CommandError, usageError } from "../run/command_error.ts";
import { exitCodeFor, printExitReason } from "../run/exit_code.ts";
import type { Host } from "../run/host.ts";
import { loadMap } from "../run/load_apis.ts";
import { chooseOutputs, guardedFile, guardedReports } from "../run/outputs.ts";
import { preparePublish } from "../run/publish.ts";
import { RecordingError } from "../values/errors.ts";
import type { Configured } from "./command_groups.ts";
import { MutateSession } from "./mutate_session.ts";

const INTERRUPTED = 130;

/** `covtool mutate`: runs tests with changed responses, reports which they notice. Exits with 130 after Ctrl+C. */
export async function mutate(options: Configured<"mutate">, host: Host): Promise<number> {
  const { command, schema } = options;
  if (command.length === 0) {
    throw usageError(
      `No test command given. Put it after --: covtool mutate ${schema} -- npm test`,
    );
  }
  const outputs = chooseOutputs(options.formats, options.output);
  const guard = new OutputGuard([
    ...guardedReports(outputs),
    ...guardedFile("The file of --resume", options.resume),
  ]);
  const publish = await preparePublish(outputs, options, [], host, guard);
  const api = await loadMap(options, { emptyPrefixFirst: true });
  await guard.check(api.documentUrls);
  if (options.resume !== undefined) await resumeFrom(api, options.resume);
  const folder = await openPrivateFolder(host.variables);
  process.once("exit", folder.close);
  const session = new MutateSession(api, options, host, folder);
  try {
    const end = await session.run();
    if (end === "dry_run") return 0;
    if (end === "interrupted_plainly") {
      return await printExitReason(INTERRUPTED, "interrupted; nothing is known yet", host);
    }
    session.keepResults();
    const unmet = await publish({ map: ApiMaps.single(api), warnings: session.warnings });
    if (end !== "interrupted") return await exitCodeFor(unmet, host);
    return await printExitReason(INTERRUPTED, "interrupted; reports have what is known", host);
  } finally {
    process.off("exit", folder.close);
    folder.close();
  }
}

async function resumeFrom(api: MeasuredApi, path: string): Promise<void> {
  try {
    api.mergeHits(await readFile(path), { location: path });
  } catch (error) {
    if (!(error instanceof RecordingError)) {
      if (errorCode(error) === "ENOENT") return;
      throw new CommandError(`Cannot read ${path}: ${fileErrorSentence(error)}`, error);
    }
    if (error.code !== "other_description") throw error;
    throw new CommandError(
      `${path} has results of another version of the description. Delete it to begin anew, or carry them over with covtool merge --carry.`,
      error,
    );
  }
}
