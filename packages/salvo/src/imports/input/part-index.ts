export interface PartPlace {
  offset: number;
  length: number;
  line: number;
}

const FIELDS = 4;
const NONE = -1;

/** Where the parts of each trace are in a file. Takes 32 bytes for each part, whatever the part says. */
export class PartIndex {
  /** The first and the last entry of each key, in the order in which the keys were found. */
  readonly #keys = new Map<string, { first: number; last: number }>();
  /** By entry: offset, length, line, and the next entry of the same key. */
  #entries = new Float64Array(FIELDS * 1024);
  #count = 0;

  add(key: string, { offset, length, line }: PartPlace): void {
    const entry = this.#count;
    const known = this.#keys.get(key);
    if (known && this.#isSame(known.last, offset)) return;
    if (FIELDS * (entry + 1) > this.#entries.length) {
      const longer = new Float64Array(2 * this.#entries.length);
      longer.set(this.#entries);
      this.#entries = longer;
    }
    this.#entries.set([offset, length, line, NONE], FIELDS * entry);
    this.#count += 1;
    if (known) {
      this.#entries[FIELDS * known.last + 3] = entry;
      known.last = entry;
    } else this.#keys.set(key, { first: entry, last: entry });
  }

  /** A record may have several parts of one trace. */
  #isSame(entry: number, offset: number): boolean {
    return this.#entries[FIELDS * entry] === offset;
  }

  keys(): Iterable<string> {
    return this.#keys.keys();
  }

  *placesOf(key: string): Generator<PartPlace> {
    let entry = this.#keys.get(key)?.first ?? NONE;
    while (entry !== NONE) {
      const [offset = 0, length = 0, line = 0, next = NONE] = this.#entries.subarray(
        FIELDS * entry,
        FIELDS * (entry + 1),
      );
      yield { offset, length, line };
      entry = next;
    }
  }
}
