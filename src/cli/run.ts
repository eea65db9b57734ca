import { constants } from "node:os";
import process from "node:process";
import { OutputGuard } from "../files/output_guard.ts";
import { usageError } from "../run/command_error.ts";
import { exitAfterCommand } from "../run/exit_code.ts";
import type { Host } from "../run/host.ts";
import { loadMaps } from "../run/load_apis.ts";
import { chooseOutputs, guardedReports } from "../run/outputs.ts";
import { preparePublish } from "../run/publish.ts";
import { recordFolder } from "../run/record_folder.ts";
import { outerRunFolder, TRAFFIC_VARIABLE, TrafficFolder } from "../run/traffic_folder.ts";
import type { Configured } from "./command_groups.ts";
import { runChildToEnd } from "./run_child.ts";
import { unrecordedSentence } from "./test_setups.ts";

const INTERRUPTED =
  "The command was interrupted, so this is what it had sent by then: run it to its end for the coverage of all tests.";
const NOTHING_SENT =
  "No traffic was recorded. covtool was loaded in the tests, but they sent no request by a client that it records. The page of the manual about your tests lists these clients, and what to add for others.";

export async function run(options: Configured<"run">, host: Host): Promise<number> {
  const { command } = options;
  if (command.length === 0) {
    throw usageError(
      `No test command given. Put it after --: covtool run ${options.schema} -- npm test`,
    );
  }
  if (outerRunFolder() !== undefined) return await runChildToEnd(command, {});
  const outputs = chooseOutputs(options.formats, options.output);
  const guard = new OutputGuard(guardedReports(outputs));
  const publish = await preparePublish(outputs, options, [], host, guard);
  const map = await loadMaps(options); // before the tests run, so that an error in the description is reported at once
  await guard.check(map.documentUrls());
  const folder = TrafficFolder.create();
  if (options.responseBodies === false) folder.leaveOutResponseBodies();
  try {
    let isSignalled = false;
    const variables = { [TRAFFIC_VARIABLE]: folder.path };
    const code = await runChildToEnd(command, variables, () => isSignalled = true);
    // The signal may have come from elsewhere, and the command may have run to its end all the same.
    const isInterrupted = isSignalled && code !== 0 ||
      Object.values(constants.signals).some((signal) => code === 128 + signal);
    const measured = await recordFolder(folder, map);
    const warnings = isInterrupted ? [INTERRUPTED, ...measured.warnings] : measured.warnings;
    // A recorder's own warning, or an interruption, explains missing traffic better than a guess at the test setup.
    const nothingRecorded = warnings.length > 0
      ? "No traffic was recorded, for the reason below."
      : folder.hasRecorder()
      ? NOTHING_SENT
      : unrecordedSentence(command, process.cwd());
    const unmet = await publish({ ...measured, warnings, nothingRecorded });
    return await exitAfterCommand(code, unmet, host);
  } finally {
    folder.remove();
  }
}
