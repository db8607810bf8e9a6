import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StateChange } from '../../scenario/schema/tool-schema.ts';
import { changesBetween, copyJson, withChanges } from '../../text/json/json-changes.ts';
import { changeState } from './change-state.ts';

function changed(path: StateChange['path'], args: Record<string, unknown> = {}) {
  const state: Record<string, unknown> = { orders: { 'A-1': { status: 'open' }, '': {}, 'a.b': {} }, log: ['x'] };
  const problem = changeState([{ path, value: 1 }], { state, arguments: args });
  return problem ?? changesBetween({ orders: { 'A-1': { status: 'open' }, '': {}, 'a.b': {} }, log: ['x'] }, state);
}

describe('the path of a change', () => {
  it.each<[StateChange['path'], Record<string, unknown>, string]>([
    ['orders.{arguments.id}.status', { id: 'A-1' }, '/orders/A-1/status'],
    [['orders', '{arguments.id}', 'paid'], { id: 'a.b' }, '/orders/a.b/paid'],
    ['orders.{arguments.id}.paid', { id: 'a.b' }, '/orders/a.b/paid'],
    ['orders.A-{arguments.n}.status', { n: 1 }, '/orders/A-1/status'],
    ['orders..paid', {}, '/orders//paid'],
    ['log.-', {}, '/log/1'],
    ['log.{arguments.n}', { n: 1 }, '/log/1'],
    ['log.00', {}, '/log/0'],
    ['{arguments.key}', { key: '__proto__' }, '/__proto__'],
    ['orders.{arguments.key}', { key: 'constructor' }, '/orders/constructor'],
    ['orders.{arguments.key}', { key: true }, '/orders/true'],
  ])('%j with %j is %s', (path, args, place) => {
    expect(changed(path, args)).toMatchObject([{ path: place, after: 1 }]);
  });

  it.each<[StateChange['path'], Record<string, unknown>, string]>([
    ['orders.{arguments.id}', {}, 'the path orders.{arguments.id} has no value here for {arguments.id}'],
    ['orders.{arguments.id}', { id: { a: 1 } }, 'has no value here for {arguments.id}'],
    ['orders.{length(arguments.id)}', { id: 1 }, 'has no value here'],
    ['orders.B-2.status', {}, 'there is no orders.B-2'],
    ['orders.__proto__.polluted', {}, 'there is no orders.__proto__'],
    ['orders.constructor.prototype.polluted', {}, 'there is no orders.constructor'],
    ['log.length', {}, 'there is no log.length'],
    ['log.{arguments.n}', { n: 4_294_967_295 }, 'there is no log.4294967295'],
    ['log.{arguments.n}', { n: -1 }, 'there is no log.-1'],
    ['log.{arguments.n}', { n: 0.5 }, 'there is no log.0.5'],
    ['log.99999999999999999999999', {}, 'there is no log.9'],
    ['log.0.x', {}, 'there is no log.0'],
  ])('%j with %j is refused', (path, args, problem) => {
    expect(changed(path, args)).toContain(problem);
  });
});

it('no path reaches beyond the state, makes holes in lists, or leaves what a trace could not keep', () => {
  const key = fc.constantFrom(
    'a',
    'list',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'length',
    '-',
    '0',
    '01',
    '9e9',
    '',
  );
  const step = fc.oneof(
    key,
    fc.string().filter((text) => !/[{}]/.test(text)),
    fc.constantFrom('{arguments.x}', '{state.a}', '{arguments}', '{arguments.x}{arguments.x}'),
  );
  const path = fc.oneof(
    fc.array(step, { minLength: 1, maxLength: 5 }).map((steps) => steps.join('.')),
    fc.array(fc.oneof(step, fc.nat()), { minLength: 1, maxLength: 5 }),
  );
  const ownKeys = Reflect.ownKeys(Object.prototype);
  const tried = fc.record({
    path,
    x: fc.jsonValue(),
    value: fc.jsonValue(),
    initial: fc.dictionary(key, fc.jsonValue()),
  });
  fc.assert(
    fc.property(tried, ({ path: at, x, value, initial }) => {
      const state: Record<string, unknown> = copyJson({ a: { a: {} }, list: [[], {}], ...initial });
      const before = copyJson(state);
      const problem = changeState([{ path: at, value }], { state, arguments: { x } });
      const changes = changesBetween(before, state);
      if (problem !== null) expect(changes).toEqual([]);
      expect(changesBetween(withChanges(before, changes), state)).toEqual([]);
      expect(changesBetween(JSON.parse(JSON.stringify(state)), state)).toEqual([]);
    }),
    { numRuns: 500 },
  );
  expect(Reflect.ownKeys(Object.prototype)).toEqual(ownKeys);
});
