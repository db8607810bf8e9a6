import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { criterionKeys } from './criterion-keys.ts';

const keysOf = (...names: string[]) => [...criterionKeys(names.map((name) => ({ name }))).values()];
const criteria = fc
  .uniqueArray(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a b', 'a_b', 'a_b_2', 'A b', 'a  b', '准确', '完整')),
  )
  .map((names) => names.map((name) => ({ name })));

describe('criterionKeys', () => {
  it('keeps a name that every provider accepts', () => {
    expect(keysOf('accuracy', 'Tone-2', 'cites_sources')).toEqual(['accuracy', 'Tone-2', 'cites_sources']);
  });

  it('makes slugs of all others', () => {
    expect(keysOf('Follows the rules', 'says "sorry"', 'Señal útil & más')).toEqual([
      'Follows_the_rules',
      'says_sorry',
      'Senal_util_mas',
    ]);
  });

  it('numbers names without Latin letters', () => {
    expect(keysOf('准确', '完整')).toEqual(['criterion_1', 'criterion_2']);
  });

  it('never gives a key that is the name of another criterion', () => {
    expect(keysOf('a b', 'a_b', 'a  b')).toEqual(['a_b_2', 'a_b', 'a_b_3']);
  });

  it('avoids `__proto__`, which careful parsers refuse', () => {
    expect(keysOf('__proto__', 'constructor')).toEqual(['proto', 'constructor']);
  });

  it('gives safe keys that are all different, and the same ones again', () => {
    fc.assert(
      fc.property(criteria, (list) => {
        const keys = criterionKeys(list);
        expect([...keys.keys()]).toEqual(list.map(({ name }) => name));
        expect(new Set(keys.values()).size).toBe(list.length);
        for (const key of keys.values()) expect(key).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(criterionKeys(list)).toEqual(keys);
      }),
    );
  });
});
