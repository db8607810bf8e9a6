import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Whether everything is tried: with `npm run test:measure`. `npm test` takes samples. */
    thorough?: boolean;
  }
}

/** How many random cases are tried. */
export function tried(thoroughly: number): number {
  return isThorough() ? thoroughly : Math.ceil(thoroughly / 10);
}

/** All of them, or every fifth. */
export function triedOf<T>(all: readonly T[]): T[] {
  return all.filter((_, index) => isThorough() || index % 5 === 0);
}

export function isThorough(): boolean {
  return inject('thorough') === true;
}
