const { Segmenter } = Intl;

/** A segmenter that is made when it is first needed. */
class LateSegmenter {
  readonly #options: ConstructorParameters<typeof Segmenter>;
  #segmenter: Intl.Segmenter | undefined;

  /** Takes what the platform's takes. */
  constructor(...options: ConstructorParameters<typeof Segmenter>) {
    this.#options = options;
  }

  /** As the platform's. */
  segment(text: string): Intl.Segments {
    this.#segmenter ??= new Segmenter(...this.#options);
    return this.#segmenter.segment(text);
  }
}

/**
 * Loads modules, and leaves the segmenters that they make at once to the time when they are needed. `@optique/core`
 * makes one to align columns of help, which takes a tenth of a short run.
 */
export async function withLateSegmenter<Result>(load: () => Promise<Result>): Promise<Result> {
  const intl = Intl as { Segmenter: unknown };
  intl.Segmenter = LateSegmenter;
  try {
    return await load();
  } finally {
    intl.Segmenter = Segmenter;
  }
}
