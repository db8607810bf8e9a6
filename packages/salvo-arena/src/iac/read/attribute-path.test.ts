import { describe, expect, it } from 'vitest';
import type { Json } from '../evaluate/value.ts';
import { isAttributePath, pathSteps, plainPath, readPath } from './attribute-path.ts';
import { jsonNode } from './code-node.ts';

const read = (json: Json, path: string) =>
  readPath(jsonNode(json, { file: 'a.tf', line: 1, end_line: 1, text: '' }, false), path).map(({ state, node }) =>
    state === 'known' ? node.json : state,
  );

describe('a path', () => {
  it('goes through maps and all elements of lists', () => {
    expect(read({ a: [{ b: 1 }, { b: 2 }] }, 'a.b')).toEqual([1, 2]);
    expect(read({ a: { b: [1, 2] } }, 'a.b')).toEqual([[1, 2]]);
  });

  it('reports what is missing, unless the step is optional', () => {
    expect(read({ a: {} }, 'a.b')).toEqual(['missing']);
    expect(read({}, 'a.b')).toEqual(['missing']);
    expect(read({}, 'a?.b')).toEqual([]);
    expect(read({ a: {} }, 'a?.b')).toEqual(['missing']);
  });

  it('chooses an element by a key, whose value may have dots', () => {
    const json = {
      p: [
        { n: 'x.y', v: 1 },
        { n: 'z', v: 2 },
      ],
    };
    expect(read(json, 'p[n=x.y].v')).toEqual([1]);
    expect(read(json, 'p[n=q].v')).toEqual(['missing']);
    expect(read(json, 'p[n=q]?.v')).toEqual([]);
  });

  it('ends at an unknown value', () => {
    expect(read({ a: `\${var.x}` }, 'a.b.c')).toEqual(['unknown']);
    expect(read({ p: `\${var.x}` }, 'p[n=q].v')).toEqual(['unknown']);
  });

  it('reads JSON in a text', () => {
    expect(read({ a: `[{"b": "\${x}"}]` }, 'a.b')).toEqual(['unknown']);
    expect(read({ a: '{"b": true}' }, 'a.b')).toEqual([true]);
  });

  it('has no inherited names', () => {
    expect(read({ a: 1 }, 'constructor')).toEqual(['missing']);
    expect(read({ a: 1 }, '__proto__')).toEqual(['missing']);
  });

  it('is written without what selects', () => {
    expect(plainPath('a?.p[n=x.y].v')).toBe('a.p.v');
    expect(() => plainPath('a..b')).toThrow('a..b is not an attribute path');
  });

  it('takes a name in quotes as one step', () => {
    expect(pathSteps('Parameters."rds.force_ssl"').map(({ name }) => name)).toEqual(['Parameters', 'rds.force_ssl']);
    expect(read({ P: { 'rds.force_ssl': 1 } }, 'P."rds.force_ssl"')).toEqual([1]);
  });

  it.each(['', '.', 'a.', '.a', 'a b', 'a[b]', 'a[b=]', 'a:b', '"a'])('is never %j', (text) => {
    expect(isAttributePath(text)).toBe(false);
  });

  it('reports an element of a list that lacks the name, as it does for a block', () => {
    expect(read({ a: [{ b: 1 }, {}] }, 'a.b')).toEqual([1, 'missing']);
    expect(read({ a: [] }, 'a.b')).toEqual(['missing']);
  });

  it('has the holder of the last name, unless the way ends before', () => {
    const holders = (json: Json, path: string) =>
      readPath(jsonNode(json, { file: 'a.tf', line: 1, end_line: 1, text: '' }, false), path).map(
        ({ holder }) => holder?.json ?? null,
      );
    expect(holders({ a: { b: 1 } }, 'a.b')).toEqual([{ b: 1 }]);
    expect(holders({ a: { c: 1 } }, 'a.b')).toEqual([{ c: 1 }]);
    expect(holders({}, 'a.b')).toEqual([null]);
    expect(holders({ a: `\${var.x}` }, 'a.b')).toEqual([null]);
  });
});
