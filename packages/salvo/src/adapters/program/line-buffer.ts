/** Collects what a program writes, and gives back whole lines. */
export class LineBuffer {
  #parts: string[] = [];
  #length = 0;

  /** The lines that are whole by now, without their ends. */
  push(text: string): string[] {
    const [first = '', ...others] = text.split('\n');
    this.#parts.push(first);
    this.#length += first.length;
    const rest = others.pop();
    if (rest === undefined) return [];
    const lines = [this.rest, ...others];
    this.#parts = [rest];
    this.#length = rest.length;
    return lines;
  }

  /** What has no line end yet. */
  get rest(): string {
    return this.#parts.join('');
  }

  /** Of `rest`. */
  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#parts = [];
    this.#length = 0;
  }
}
