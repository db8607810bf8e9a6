/**
 * A line of two texts side by side. Numbers start at 1; null where a text does not have the line.
 */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  before: number | null;
  after: number | null;
  text: string;
}

/** More differences than this are not worth the time and the memory: the differing part is shown as replaced. */
const MOST_DIFFERENCES = 1000;

/** The shortest way from one text to the other, line by line (Myers). */
export function lineDiff(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let [endBefore, endAfter] = [before.length, after.length];
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore -= 1;
    endAfter -= 1;
  }
  const lines: DiffLine[] = [];
  const keep = (at: number, shift: number) =>
    lines.push({ kind: 'same', before: at + 1, after: at + shift + 1, text: before[at] ?? '' });
  for (let at = 0; at < start; at += 1) keep(at, 0);
  const steps = shortestEdit(before.slice(start, endBefore), after.slice(start, endAfter));
  let [x, y] = [start, start];
  for (const step of steps) {
    if (step === 'same') keep(x, y - x);
    if (step === 'removed') lines.push({ kind: step, before: x + 1, after: null, text: before[x] ?? '' });
    if (step === 'added') lines.push({ kind: step, before: null, after: y + 1, text: after[y] ?? '' });
    if (step !== 'added') x += 1;
    if (step !== 'removed') y += 1;
  }
  for (let at = endBefore; at < before.length; at += 1) keep(at, endAfter - endBefore);
  return lines;
}

type Step = DiffLine['kind'];

function shortestEdit(before: readonly string[], after: readonly string[]): Step[] {
  const [n, m] = [before.length, after.length];
  const most = Math.min(n + m, MOST_DIFFERENCES);
  // For each number of differences, how far each diagonal reaches: `reach[k + most]` is x on the diagonal x - y = k.
  const rounds: Int32Array[] = [];
  const reach = new Int32Array(2 * most + 3);
  const at = (from: Int32Array, k: number) => from[k + most + 1] ?? 0;
  for (let d = 0; d <= most; d += 1) {
    rounds.push(reach.slice());
    for (let k = -d; k <= d; k += 2) {
      let x = isDown(k, d, (each) => at(reach, each)) ? at(reach, k + 1) : at(reach, k - 1) + 1;
      while (x < n && x - k < m && before[x] === after[x - k]) x += 1;
      reach[k + most + 1] = x;
      if (x >= n && x - k >= m) return walkBack(rounds, { n, m, at });
    }
  }
  return [...before.map((): Step => 'removed'), ...after.map((): Step => 'added')];
}

/** Whether the furthest way to a diagonal comes from the one above it, by a line that was added. */
function isDown(k: number, d: number, at: (k: number) => number): boolean {
  return k === -d || (k !== d && at(k - 1) < at(k + 1));
}

function walkBack(
  rounds: readonly Int32Array[],
  { n, m, at }: { n: number; m: number; at: (from: Int32Array, k: number) => number },
): Step[] {
  const steps: Step[] = [];
  let [x, y] = [n, m];
  for (const [d, reach] of [...rounds.entries()].reverse()) {
    const k = x - y;
    const down = isDown(k, d, (each) => at(reach, each));
    const fromX = d === 0 ? 0 : at(reach, down ? k + 1 : k - 1);
    const fromY = d === 0 ? 0 : fromX - (down ? k + 1 : k - 1);
    while (x > fromX && y > fromY) {
      steps.push('same');
      x -= 1;
      y -= 1;
    }
    if (d > 0) {
      steps.push(down ? 'added' : 'removed');
      [x, y] = [fromX, fromY];
    }
  }
  return steps.reverse();
}
