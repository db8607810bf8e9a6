import { expect, it } from 'vitest';
import { createSeededChoice } from '../../templates/seeded-choice.ts';
import { allTemplates } from '../../templates/templates.ts';
import { flawOrder } from './flaw-order.ts';
import { secureTemplate } from './secure-template.ts';

const SEEDS = Array.from({ length: 300 }, (_, seed) => seed);

async function weaknessesInOrder(id: string): Promise<string[][]> {
  const template = allTemplates().find((one) => one.id === id);
  if (!template) throw new Error(`there is no template ${id}`);
  const secure = await secureTemplate(template);
  return SEEDS.map((seed) => {
    const groups = flawOrder(secure, { strategy: 'balanced' }, createSeededChoice(seed));
    return groups.flat().map(({ weakness }) => weakness.id);
  });
}

it('a weakness that only this template has is tried before one that most templates have', async () => {
  const orders = await weaknessesInOrder('warehouse-search');
  const early = (weakness: string) => orders.filter((order) => order.slice(0, 4).includes(weakness)).length;
  expect(early('opensearch-open-policy')).toBeGreaterThan(5 * early('kms-key-policy-wildcard'));
  expect(early('kms-key-policy-wildcard')).toBeLessThan(SEEDS.length / 20);
});

it('every weakness is tried once before any is tried again', async () => {
  for (const order of await weaknessesInOrder('document-archive')) {
    const all = new Set(order);
    expect(new Set(order.slice(0, all.size))).toEqual(all);
  }
});
