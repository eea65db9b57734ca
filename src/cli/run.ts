import process from "node:process";
import { recordFolder } from "../run/record_folder.ts";
import { TRAFFIC_VARIABLE, TrafficFolder } from "../run/traffic_folder.ts";
import { CommandError } from "../run/command_error.ts";
import { exitAfterCommand } from "../run/exit_line.ts";
import type { Host } from "../run/host.ts";
import { loadMaps } from "../run/load_apis.ts";
import { OutputGuard } from "../files/output_guard.ts";
import { chooseOutputs, guardedReports } from "../run/outputs.ts";
import { runChildToEnd } from "./run_child.ts";
import { preparePublish } from "../run/publish.ts";
import type { RunCommandOptions } from "./run_command_options.ts";

const NOTHING_RECORDED =
  "No traffic was recorded. Load covtool in the tests, with node --import covtool/node-test, deno test --preload=jsr:@covtool/covtool/deno, or the collector of covtool/collect.";

/**
 * `covtool run`: runs the tests, whose processes collect what they send, and makes the reports when they are done.
 *
 * @returns the exit code: the command's, else 1 where a threshold is not met or a condition fails the run.
 * @throws {CommandError} and the errors of loading, each with a sentence for the user.
 */
export async function run(options: RunCommandOptions, host: Host): Promise<number> {
  const { command } = options;
  if (command.length === 0) {
    throw new CommandError(
      `No test command given. Put it after --: covtool run ${options.schema} -- npm test`,
    );
  }
  const outputs = chooseOutputs(options.formats, options.output);
  const guard = new OutputGuard(guardedReports(outputs));
  const publish = await preparePublish(outputs, options, [], host, guard);
  const map = await loadMaps(options); // a description that is wrong costs no run of the tests
  await guard.check(map.documentUrls());
  const folder = TrafficFolder.create();
  if (options.responseBodies === false) folder.leaveOutResponseBodies();
  const remove = (): void => folder.remove();
  process.once("exit", remove);
  try {
    const code = await runChildToEnd(command, { [TRAFFIC_VARIABLE]: folder.path });
    const measured = await recordFolder(folder, map);
    const unmet = await publish({ ...measured, nothingRecorded: NOTHING_RECORDED });
    return await exitAfterCommand(code, unmet, host);
  } finally {
    process.off("exit", remove);
    remove();
  }
}
