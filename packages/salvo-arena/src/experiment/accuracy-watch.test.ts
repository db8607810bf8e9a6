import { expect, test } from 'vitest';
import { createAccuracyWatch } from './accuracy-watch.ts';

const stop = { min_manifest_accuracy: 0.5, after_games: 10 };

function verdictAfter(manifests: readonly (readonly [confirmed: number, phantoms: number])[]): string | null {
  const watch = createAccuracyWatch(stop);
  for (const [index, [confirmed, phantoms]] of manifests.entries()) {
    watch.add({ code_key: `code-${index}`, confirmed, phantoms });
  }
  return watch.stopReason();
}

test('manifests that are mostly wrong stop an experiment', () => {
  expect(verdictAfter(Array.from({ length: 12 }, () => [1, 4]))).toContain('12 of 60 entries of 12 manifests are true');
  expect(verdictAfter(Array.from({ length: 12 }, () => [0, 5]))).not.toBeNull();
});

test('true manifests do not, nor does a share that may be above the bound', () => {
  expect(verdictAfter(Array.from({ length: 40 }, () => [4, 1]))).toBeNull();
  expect(verdictAfter(Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? [3, 2] : [1, 4])))).toBeNull();
});

test('entries of one manifest are not independent: four good manifests of twelve may be chance', () => {
  const together = Array.from({ length: 12 }, (_, index) =>
    index % 3 === 0 ? ([10, 0] as const) : ([0, 10] as const),
  );
  const apart = Array.from({ length: 12 }, () => [3, 7] as const);
  expect(verdictAfter(together)).toBeNull();
  expect(verdictAfter(apart)).not.toBeNull();
});

test('nothing stops before enough games, and a manifest counts once however many Blues saw it', () => {
  expect(verdictAfter(Array.from({ length: 9 }, () => [0, 5]))).toBeNull();
  const watch = createAccuracyWatch(stop);
  for (let game = 0; game < 30; game += 1) watch.add({ code_key: 'the same', confirmed: 0, phantoms: 5 });
  expect(watch.stopReason()).toBeNull();
});

test('without a bound there is nothing to watch', () => {
  const watch = createAccuracyWatch(undefined);
  for (let game = 0; game < 30; game += 1) watch.add({ code_key: `${game}`, confirmed: 0, phantoms: 5 });
  expect(watch.stopReason()).toBeNull();
});
