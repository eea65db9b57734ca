/** Waits until a process's output matches. Returns the first group, or else the whole match. */
export async function firstMatch(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  expression: RegExp,
): Promise<string> {
  let text = "";
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    text += value ?? "";
    const match = expression.exec(text);
    if (match !== null) {
      void (async () => {
        while (!(await reader.read()).done);
      })();
      return match[1] ?? match[0];
    }
    if (done) throw new Error(`It never said ${expression}: ${text}`);
  }
}
