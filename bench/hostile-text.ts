import { createFence } from '../src/models/fence.ts';

const CHARACTERS = 1_000_000;
const ROUNDS = 7;

const fence = createFence('0123456789abcdef');

/** Functions that read untrusted text, and texts that would be slow for a careless expression. */
const cases: { name: string; read: (text: string) => unknown; units: readonly string[] }[] = [
  {
    name: 'fence',
    read: (text) => fence.wrap('response', text),
    units: ['<', '-', ' ', '<<< ', '< END', '<<<\u200b', '《'],
  },
];

/** How the time grows when a hostile text gets twice as long: about 2 for linear time, 4 for quadratic. */
export async function benchHostileText(): Promise<string[]> {
  return cases.map(({ name, read, units }) => {
    const ratios = units.map((unit) => {
      const short = unit.repeat(CHARACTERS / unit.length);
      const long = unit.repeat((2 * CHARACTERS) / unit.length);
      return { unit, ratio: fastest(read, long) / fastest(read, short) };
    });
    const worst = ratios.reduce((a, b) => (b.ratio > a.ratio ? b : a));
    return `${name}: twice the text takes ${worst.ratio.toFixed(1)}x the time at worst, with ${JSON.stringify(worst.unit)} (aim: at most 3x)`;
  });
}

/** The fastest of some rounds: whatever else runs on the machine can only make one slower. */
function fastest(read: (text: string) => unknown, text: string): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    read(text);
    return performance.now() - started;
  });
  return Math.min(...rounds);
}
