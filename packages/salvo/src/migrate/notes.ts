import type { LocatedValue } from '../scenario/diagnostics/located-value.ts';
import { maskSecrets } from '../secrets/mask-secrets.ts';
import type { Place } from '../text/errors/error-place.ts';
import { placeOf } from './source/located.ts';

/** Something of the other tool's files, where it is, and what became of it. */
export interface MigrationNote {
  /** As it is called there, such as `similar`. */
  what: string;
  why: string;
  place: Place;
  /** How often the same is the case; the place is the first one. */
  count: number;
}

/** What was translated, by its name there and here. */
export interface TranslatedType {
  what: string;
  to: string;
  count: number;
}

/** Collects what became of each part of a config, so that nothing is dropped without a word. */
export class MigrationNotes {
  readonly #translated = new Map<string, TranslatedType>();
  readonly #changed = new Map<string, MigrationNote>();
  readonly #leftOut = new Map<string, MigrationNote>();
  readonly #unneeded = new Map<string, MigrationNote>();

  translated(what: string, to: string): void {
    const known = this.#translated.get(`${what}\n${to}`);
    if (known) known.count += 1;
    else this.#translated.set(`${what}\n${to}`, { what, to, count: 1 });
  }

  /** It is there, but does not mean exactly the same. */
  changed(what: string, why: string, at: LocatedValue): void {
    count(this.#changed, { what, why, at });
  }

  /** It is missing in what was written. */
  leftOut(what: string, why: string, at: LocatedValue): void {
    count(this.#leftOut, { what, why, at });
  }

  /** A setting that no verdict depends on. */
  unneeded(what: string, why: string, at: LocatedValue): void {
    count(this.#unneeded, { what, why, at });
  }

  lists() {
    const sorted = (notes: Map<string, MigrationNote>) => [...notes.values()];
    return {
      translated: [...this.#translated.values()].toSorted((a, b) => b.count - a.count),
      changed: sorted(this.#changed),
      left_out: sorted(this.#leftOut),
      unneeded: sorted(this.#unneeded),
    };
  }
}

function count(
  notes: Map<string, MigrationNote>,
  { what, why, at }: { what: string; why: string; at: LocatedValue },
): void {
  const known = notes.get(`${what}\n${why}`);
  if (known) known.count += 1;
  else notes.set(`${what}\n${why}`, { what: maskSecrets(what), why: maskSecrets(why), place: placeOf(at), count: 1 });
}

/** Why a part of a config cannot be written. */
export class MigrationGap extends Error {
  readonly what: string;
  readonly at: LocatedValue;

  constructor(what: string, why: string, at: LocatedValue) {
    super(why);
    this.what = what;
    this.at = at;
  }
}
