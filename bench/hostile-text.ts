import { createFence } from '../src/models/fence.ts';
import { maskSourceLine } from '../src/secrets/mask-secrets.ts';
import { createRedactor } from '../src/secrets/redactor.ts';
import { secretShapeIn } from '../src/secrets/secret-in-code.ts';
import { SECRET_BEGINNINGS } from '../test/secret-beginnings.ts';

const CHARACTERS = 1_000_000;
const ROUNDS = 3;
/** Below this, a ratio is noise. */
const SHORTEST_MS = 20;

const fence = createFence('0123456789abcdef');
// A redactor remembers short texts only, so each round searches again.
const redactor = createRedactor({ customPatterns: [], secrets: [] });

/** Functions that read untrusted text, and texts that would be slow for a careless expression. */
const cases: { name: string; read: (text: string) => unknown; units: readonly string[] }[] = [
  {
    name: 'fence',
    read: (text) => fence.wrap('response', text),
    units: ['<', '-', ' ', '<<< ', '< END', '<<<\u200b', '《'],
  },
  { name: 'redact', read: redactor.text, units: SECRET_BEGINNINGS },
  { name: 'mask a line', read: maskSourceLine, units: SECRET_BEGINNINGS },
  { name: 'find in code', read: secretShapeIn, units: SECRET_BEGINNINGS },
];

/** How the time grows when a hostile text gets twice as long: about 2 for linear time, 4 for quadratic. */
export async function benchHostileText(): Promise<string[]> {
  return cases.map(({ name, read, units }) => {
    const ratios = units.map((unit) => {
      const [once, twice] = [fastest(read, hostile(unit, CHARACTERS)), fastest(read, hostile(unit, 2 * CHARACTERS))];
      return { unit, once, ratio: once < SHORTEST_MS ? 0 : twice / once };
    });
    const { unit, once, ratio } = ratios.reduce((a, b) => (b.ratio > a.ratio ? b : a));
    return `${name}: 2 MB take at most ${ratio.toFixed(1)} times as long as 1 MB (${JSON.stringify(unit)}, ${once.toFixed(0)} ms; aim: at most 3)`;
  });
}

function hostile(unit: string, characters: number): string {
  return `${unit.repeat(Math.ceil(characters / unit.length))}(`;
}

/** The fastest of a few rounds, in milliseconds: other work of the machine can only make one slower. */
function fastest(read: (text: string) => unknown, text: string): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    read(text);
    return performance.now() - started;
  });
  return Math.min(...rounds);
}
