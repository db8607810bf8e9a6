import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRemovableList } from './removable-list.ts';

test('has what was added and not removed, however often it is removed', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ remove: fc.boolean(), place: fc.nat(20) })), (steps) => {
      const list = createRemovableList<number>();
      const removers: (() => void)[] = [];
      const expected = new Set<number>();
      for (const { remove, place } of steps) {
        if (remove) {
          removers[place]?.();
          expected.delete(place);
        } else {
          expected.add(removers.length);
          removers.push(list.add(removers.length));
        }
      }
      expect(list.items().sort((a, b) => a - b)).toEqual([...expected].sort((a, b) => a - b));
    }),
  );
});
