import { describe, expect, test } from 'vitest';
import { servedTools } from './served-tools.ts';

const options = { label: 'shop', resources: false };
const tool = (name: string, fields: object = {}) => ({ name, inputSchema: { type: 'object' }, ...fields });

describe('the tools of a server', () => {
  test('have names that every provider accepts, each once', () => {
    const odd = ['get.order', 'get/order', 'get order', 'größe', '<script>', 'x'.repeat(200), `${'x'.repeat(199)}y`];
    const names = servedTools(
      odd.map((name) => tool(name)),
      { ...options, prefix: 'shop_' },
    ).map(({ name }) => name);
    expect(new Set(names).size).toBe(odd.length);
    for (const name of names) expect(name).toMatch(/^shop_[A-Za-z0-9_-]{1,59}$/);
    expect(names.slice(0, 2)).toEqual(['shop_get_order', 'shop_get_order_2']);
  });

  test('have the effect that the server hints at, or that the scenario says', () => {
    const listed = [
      tool('a', { annotations: { readOnlyHint: true, destructiveHint: true } }),
      tool('b', { annotations: { readOnlyHint: false } }),
      tool('c', { annotations: { destructiveHint: true } }),
      tool('d', { annotations: { title: 'D' } }),
      tool('e', { annotations: 'none' }),
    ];
    const effects = servedTools(listed, options).map(({ effect }) => effect);
    expect(effects).toEqual(['read', 'write', 'write', undefined, undefined]);
    expect(servedTools(listed, { ...options, effect: 'read' }).every(({ effect }) => effect === 'read')).toBe(true);
  });

  test('can be chosen by their names', () => {
    const listed = [tool('a'), tool('b'), tool('lookup')];
    expect(servedTools(listed, { ...options, only: ['b'] }).map(({ name }) => name)).toEqual(['b']);
    expect(() => servedTools(listed, { ...options, only: ['lookpu'] })).toThrow('did you mean "lookup"');
  });

  test('that are none are left out', () => {
    const listed = [
      null,
      7,
      {},
      { name: '' },
      { name: 5 },
      { name: 'x'.repeat(2000) },
      tool('a', { inputSchema: 'no' }),
    ];
    expect(servedTools(listed, options)).toEqual([
      { name: 'a', description: '', parameters: { type: 'object', properties: {} }, asks: { tool: 'a' } },
    ]);
  });

  test('are refused if a model cannot be given so many', () => {
    const listed = Array.from({ length: 10_000 }, (_, index) => tool(`tool_${index}`));
    expect(() => servedTools(listed, options)).toThrow('has 10000 tools, and a model can be given 200');
    expect(servedTools(listed, { ...options, only: ['tool_9999'] })).toHaveLength(1);
  });

  test('are refused if a schema is a bomb', () => {
    let deep: object = {};
    for (let level = 0; level < 5000; level += 1) deep = { properties: { a: deep } };
    expect(() => servedTools([tool('a', { inputSchema: deep })], options)).toThrow('nested too deeply');
    const huge = { type: 'object', description: 'x'.repeat(1_000_000) };
    expect(() => servedTools([tool('a', { inputSchema: huge })], options)).toThrow('"a" in more than');
  });
});
