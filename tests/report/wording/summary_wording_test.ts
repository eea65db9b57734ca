import assert from "node:assert/strict";
import { operationCredentialsText } from "../../../src/report/wording/summary_wording.ts";

Deno.test("requests without credentials are called so in every combination", () => {
  const none = {
    with_credentials_succeeded: 0,
    without_credentials_refused: 0,
    without_credentials_succeeded: 0,
    without_credentials_unknown: 0,
  };
  assert.equal(
    operationCredentialsText({ ...none, without_credentials_unknown: 5 }),
    "5 requests without credentials prove nothing, because their recordings show no credentials.",
  );
  assert.equal(
    operationCredentialsText({
      ...none,
      with_credentials_succeeded: 2,
      without_credentials_refused: 1,
    }),
    "2 requests with credentials succeeded and 1 request without was refused.",
  );
});
