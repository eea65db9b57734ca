import type { Interaction } from "./interaction.ts";

/** An interaction without the body of its response, and without saying that there was one. */
export function withoutResponseBody(interaction: Interaction): Interaction {
  const { response } = interaction;
  if (response === undefined) return interaction;
  const { body: _body, body_truncated: _cut, ...rest } = response;
  return { ...interaction, response: rest };
}
