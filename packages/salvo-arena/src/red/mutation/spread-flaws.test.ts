import { describe, expect, it } from 'vitest';
import { createSeededChoice } from '../../templates/seeded-choice.ts';
import { allTemplates } from '../../templates/templates.ts';
import { usualCount } from './flaw-order.ts';
import { secureTemplate } from './secure-template.ts';
import { evenTurns, spreadOverResources } from './spread-flaws.ts';

const [template] = allTemplates();
if (!template) throw new Error('There are no templates.');
const secure = await secureTemplate(template);
const resources = [...new Set(secure.sites.map(({ target }) => target.address))];

describe('flaws that are spread over resources', () => {
  it('come first at each resource about equally often, however many flaws it could have', () => {
    const DRAWS = 600;
    const counts = new Map(resources.map((address) => [address, 0]));
    for (let seed = 0; seed < DRAWS; seed += 1) {
      const [first] = spreadOverResources(secure.sites, createSeededChoice(seed), evenTurns(seed))[0] ?? [];
      if (first) counts.set(first.target.address, (counts.get(first.target.address) ?? 0) + 1);
    }
    const fair = DRAWS / resources.length;
    expect(Math.min(...counts.values())).toBeGreaterThan(fair / 2);
    expect(Math.max(...counts.values())).toBeLessThan(fair * 2);
  });

  it('are all there, all of a resource before those of the next', () => {
    const order = spreadOverResources(secure.sites, createSeededChoice(1), evenTurns(1)).flat();
    expect(order.map(({ key }) => key).sort()).toEqual(secure.sites.map(({ key }) => key).sort());
    const changes = order.filter(({ target }, at) => target.address !== order[at - 1]?.target.address);
    expect(changes).toHaveLength(resources.length);
  });
});

it('a resource shows each of its weaknesses within a few games', () => {
  const [own = []] = [...Map.groupBy(secure.sites, ({ target }) => target.address).values()].toSorted(
    (a, b) => b.length - a.length,
  );
  const firsts = Array.from({ length: 3 * own.length }, (_, seed) => {
    const [first] = spreadOverResources(own, createSeededChoice(seed), evenTurns(seed));
    return first?.[0]?.weakness.id;
  });
  expect(new Set(firsts)).toEqual(new Set(own.map(({ weakness }) => weakness.id)));
});

it('gives code with more resources more flaws, and takes the density that is asked for', () => {
  const large = { resources: Array.from({ length: 80 }, (_, at) => ({ address: `a.${at}`, file: 'main.tf' })) };
  const small = { resources: large.resources.slice(0, 8) };
  const drawn = Array.from({ length: 50 }, (_, seed) =>
    usualCount({ strategy: 'balanced' }, large, createSeededChoice(seed)),
  );
  expect(usualCount({ strategy: 'balanced' }, small, createSeededChoice(1))).toBe(2);
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(80 * 0.05);
  expect(Math.max(...drawn)).toBeLessThanOrEqual(80 * 0.15);
  expect(usualCount({ strategy: 'balanced', density: 10 }, large, createSeededChoice(1))).toBe(8);
});
