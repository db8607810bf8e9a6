import { maskSourceLine } from '../src/secrets/mask-secrets.ts';
import { createRedactor } from '../src/secrets/redactor.ts';
import { secretShapeIn } from '../src/secrets/secret-in-code.ts';
import { SECRET_BEGINNINGS } from '../test/secret-beginnings.ts';

const CHARACTERS = 1_000_000;
const ROUNDS = 3;
/** Below this, a ratio is noise. */
const SHORTEST_MS = 20;

/** Whether searching for secrets takes linear time: twice the text should take about twice as long. */
export async function benchHostileText(): Promise<string[]> {
  // A redactor remembers short texts only, so each round searches again.
  const { text: redact } = createRedactor({ customPatterns: [], secrets: [] });
  const searches = { redact, 'mask a line': maskSourceLine, 'find in code': secretShapeIn };
  return Object.entries(searches).map(([name, search]) => {
    const slowest = SECRET_BEGINNINGS.map((beginning) => {
      const [once, twice] = [timeOf(search, beginning, CHARACTERS), timeOf(search, beginning, 2 * CHARACTERS)];
      return { beginning, once, ratio: once < SHORTEST_MS ? 0 : twice / once };
    }).toSorted((a, b) => b.ratio - a.ratio)[0];
    if (slowest === undefined) return `${name}: nothing to measure`;
    const { beginning, once, ratio } = slowest;
    return `${name}: 2 MB take at most ${ratio.toFixed(1)} times as long as 1 MB (${JSON.stringify(beginning)}, ${once.toFixed(0)} ms)`;
  });
}

/** The fastest of a few rounds, in milliseconds. */
function timeOf(search: (text: string) => unknown, beginning: string, characters: number): number {
  const text = `${beginning.repeat(Math.ceil(characters / beginning.length))}(`;
  const times = Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    search(text);
    return performance.now() - started;
  });
  return Math.min(...times);
}
