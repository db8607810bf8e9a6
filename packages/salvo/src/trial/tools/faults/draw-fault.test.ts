import { expect, test } from 'vitest';
import type { Fault } from '../../../scenario/schema/tool-schema.ts';
import { seededRandom } from '../../../stats/seeded-random.ts';
import { drawFault } from './draw-fault.ts';

const DRAWS = 20_000;

function drawn(faults: Fault[], call = 1): (Fault | null)[] {
  return Array.from({ length: DRAWS }, (_, trial) => drawFault(faults, call, seededRandom('draw', trial)));
}

function shareOf(all: (Fault | null)[], kind: Fault['kind'] | null): number {
  return all.filter((fault) => (fault?.kind ?? null) === kind).length / all.length;
}

test('each fault has its stated chance', () => {
  const all = drawn([
    { kind: 'timeout', rate: 0.1 },
    { kind: 'http_500', rate: 0.25 },
    { kind: 'slow', rate: 0 },
  ]);
  expect(Math.abs(shareOf(all, 'timeout') - 0.1)).toBeLessThan(0.015);
  expect(Math.abs(shareOf(all, 'http_500') - 0.25)).toBeLessThan(0.015);
  expect(shareOf(all, 'slow')).toBe(0);
  expect(Math.abs(shareOf(all, null) - 0.65)).toBeLessThan(0.015);
});

test('a fault at a chosen call happens there, goes before others, and happens nowhere else', () => {
  const faults: Fault[] = [
    { kind: 'http_429', rate: 0.2 },
    { kind: 'timeout', calls: [2, 4] },
  ];
  expect(shareOf(drawn(faults, 2), 'timeout')).toBe(1);
  expect(shareOf(drawn(faults, 4), 'timeout')).toBe(1);
  expect(shareOf(drawn(faults, 3), 'timeout')).toBe(0);
  expect(Math.abs(shareOf(drawn(faults, 3), 'http_429') - 0.2)).toBeLessThan(0.015);
  expect(Math.abs(shareOf(drawn([{ kind: 'timeout', calls: 1, rate: 0.3 }]), 'timeout') - 0.3)).toBeLessThan(0.015);
});

test('the faults of a small dose are among those of a greater one, and of the same kind', () => {
  const dosed = (dose: number): Fault[] => [
    { kind: 'timeout', rate: dose * 0.4 },
    { kind: 'truncated', rate: dose * 0.6 },
  ];
  const [small, great] = [drawn(dosed(0.1)), drawn(dosed(0.5))];
  expect(small.filter((fault) => fault).length).toBeGreaterThan(1000);
  for (const [index, fault] of small.entries()) if (fault) expect(great[index]?.kind).toBe(fault.kind);
});

test('a chance of 1 leaves no call without a fault', () => {
  expect(
    shareOf(
      drawn([
        { kind: 'timeout', rate: 0.7 },
        { kind: 'slow', rate: 0.3 },
      ]),
      null,
    ),
  ).toBe(0);
});
