import { expect, test } from 'vitest';
import { candidateLabels, comparedScenarios, isMatrix, scenarioKey } from './candidate-labels.ts';

const entry = (text: string) => {
  const [name = '', adapter = '', model = ''] = text.split(' ');
  return { name, file: `${name}.yaml`, adapter, model };
};

test.each([
  ['the model, if that tells the entries of each scenario apart', ['s x a', 's y b', 't x a'], ['a', 'b', 'a']],
  ['also if other scenarios have other adapters', ['s x a', 's x b', 't y a', 't y b'], ['a', 'b', 'a', 'b']],
  ['the adapter, if the models are the same', ['s x a', 's y a', 't x b', 't y b'], ['x', 'y', 'x', 'y']],
  ['both, if neither does alone', ['s x a', 's x b', 's y a'], ['x=a', 'x=b', 'y=a']],
])('the label is %s', (_, entries, labels) => {
  expect(candidateLabels(entries.map(entry))).toEqual(labels);
});

test('only a scenario with several adapters or models makes a matrix', () => {
  expect(isMatrix(['s x a', 't x b', 'u y a'].map(entry))).toBe(false);
  expect(isMatrix(['s x a', 's x a'].map(entry))).toBe(false);
  const entries = ['s x a', 't x a', 't x b'].map(entry);
  expect(comparedScenarios(entries)).toEqual(new Set([scenarioKey(entry('t x a'))]));
});
