import { hash } from 'node:crypto';

/**
 * A generator of numbers in [0, 1) that depends only on its parts, their order and their types. The parts are hashed
 * first, so that consecutive trial numbers give unrelated streams.
 */
export function seededRandom(...parts: (number | string)[]): () => number {
  const digest = digestOf(JSON.stringify(parts));
  return sfc32(uint32(digest, 0), uint32(digest, 4), uint32(digest, 8), uint32(digest, 12));
}

/** The trials of a scenario, and the turns of a trial, ask for the same seed again and again. */
const remembered = new Map<string, string>();
const MOST_REMEMBERED = 256;

/** As a text with a character for each byte, which is made faster than a buffer. */
function digestOf(seed: string): string {
  const known = remembered.get(seed);
  if (known) return known;
  const digest = hash('sha256', seed, 'binary');
  if (remembered.size === MOST_REMEMBERED) remembered.clear();
  remembered.set(seed, digest);
  return digest;
}

function uint32(bytes: string, at: number): number {
  const byte = (offset: number): number => bytes.charCodeAt(at + offset);
  return (byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24)) >>> 0;
}

/** Chris Doty-Humphrey's Small Fast Counter: passes PractRand, and needs no 64-bit arithmetic. */
function sfc32(a: number, b: number, c: number, counter: number): () => number {
  const next32 = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  return () => ((next32() >>> 5) * 2 ** 26 + (next32() >>> 6)) / 2 ** 53;
}
