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
  "this is what it had sent by then: run it to its end for the coverage of all tests.";
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
    // The command may have run to its end all the same. A signal may have come from elsewhere, which shells tell by
    // a code that test runners use to count failures, too.
    const interruption = isSignalled && code !== 0
      ? "was interrupted, so"
      : Object.values(constants.signals).some((signal) => code === 128 + signal)
      ? "may have been interrupted; if so,"
      : undefined;
    const measured = await recordFolder(folder, map);
    const warnings = interruption === undefined
      ? measured.warnings
      : [`The command ${interruption} ${INTERRUPTED}`, ...measured.warnings];
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
