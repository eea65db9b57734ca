import { GapVerification } from "../coverage_map/verify_gaps.ts";
import { OutputGuard } from "../files/output_guard.ts";
import { usableWidth } from "../report/blocks/text_blocks.ts";
import { withoutCommands } from "../report/text/plain_text.ts";
import { type VerifiedGap, verifiedJson, verifiedText } from "../report/verified_gaps.ts";
import { formatAmount } from "../report/wording/amounts.ts";
import { usageError } from "../run/command_error.ts";
import { printExitReason } from "../run/exit_code.ts";
import type { Host } from "../run/host.ts";
import { measureKeepingRequests } from "../run/measure.ts";
import { printSentences } from "../run/error_sentences.ts";
import type { Configured } from "./command_groups.ts";

/** `covtool verify`: checks if traffic closes gaps. Exits with 1 if a gap is open or unknown. */
export async function verify(options: Configured<"verify">, host: Host): Promise<number> {
  const { gap, verifyFormat } = options;
  if (gap.length === 0) {
    throw usageError(
      "Say which gap to verify: --gap g-7f3k2p0c. covtool gaps lists gaps with their ids.",
    );
  }
  const verifications: GapVerification[] = [];
  const { warnings } = await measureKeepingRequests(
    { ...options, onLoaded: (map) => verifications.push(new GapVerification(map, gap)) },
    host,
    new OutputGuard([]),
  );
  const verified = verifications.flatMap((one) => one.result());
  const width = usableWidth(host.stdout.columns ?? 80);
  await host.stdout.write(
    verifyFormat === "json"
      ? verifiedJson(verified)
      : withoutCommands(verifiedText(verified, width)),
  );
  await printSentences(host, warnings.map((warning) => `Warning: ${warning}`));
  const reason = openReason(verified);
  return reason === undefined ? 0 : await printExitReason(1, reason, host);
}

function openReason(verified: readonly VerifiedGap[]): string | undefined {
  const count = (state: VerifiedGap["state"]): number =>
    verified.filter((one) => one.state === state).length;
  const [open, unknown] = [count("open"), count("unknown")];
  const parts = [
    ...(open === 0 ? [] : [`${formatAmount(open, "gap")} open`]),
    ...(unknown === 0 ? [] : [`${formatAmount(unknown, "gap")} unknown`]),
  ];
  return parts.length === 0 ? undefined : parts.join(", ");
}
