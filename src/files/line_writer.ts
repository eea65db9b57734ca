import { builtin } from "../values/builtin.ts";
import { concatBytes } from "../values/collections.ts";

const LINE_BREAK = 0x0a;

/** Appends lines to a file. If the disk is full, the beginning of a line is removed, or ended with a line break. */
export class LineWriter {
  readonly #file: number;
  #isCut: boolean;

  /** @param isCut True if the last line in the file has no line break. */
  constructor(file: number, isCut = false) {
    this.#file = file;
    this.#isCut = isCut;
  }

  write(lines: Uint8Array): void {
    const { fstatSync, writeSync } = builtin("node:fs");
    const bytes = this.#isCut ? concatBytes([Uint8Array.of(LINE_BREAK), lines]) : lines;
    const start = fstatSync(this.#file).size;
    try {
      for (let offset = 0; offset < bytes.length;) {
        offset += writeSync(this.#file, bytes, offset, bytes.length - offset);
      }
      this.#isCut = false;
    } catch (error) {
      this.#removeCutLine(start, bytes);
      throw error;
    }
  }

  #removeCutLine(start: number, bytes: Uint8Array): void {
    const { fstatSync, ftruncateSync, readSync } = builtin("node:fs");
    try {
      const written = new Uint8Array(fstatSync(this.#file).size - start);
      if (written.length === 0) return;
      readSync(this.#file, written, 0, written.length, start);
      const completeLength = written.lastIndexOf(LINE_BREAK) + 1;
      this.#isCut = completeLength < written.length;
      // Another process that appends to the file may have written first.
      if (!this.#isCut || written.some((byte, index) => byte !== bytes[index])) return;
      ftruncateSync(this.#file, start + completeLength);
      this.#isCut = false;
    } catch {
      // A pipe or a device, or a disk that is no longer there.
    }
  }
}
