import { expect, it } from 'vitest';
import { categoryWord } from './category-word.ts';

it('puts what scanners call the same into our words', () => {
  expect(categoryWord('Networking and Firewall')).toBe('network');
  expect(categoryWord('Observability')).toBe('logging');
  expect(categoryWord('Identity and Access Management')).toBe('iam');
  expect(categoryWord('Access Control')).toBe('access_control');
  expect(categoryWord('Encryption & KeyManagement')).toBe('encryption');
});

it('keeps a category of its own as one word', () => {
  expect(categoryWord('Supply-Chain')).toBe('supply_chain');
});

it('is empty for what says nothing', () => {
  for (const nothing of [undefined, '', 'security', 'Infrastructure Security', 'Best Practices', '---'])
    expect(categoryWord(nothing)).toBe('');
  expect(categoryWord('constructor')).toBe('constructor');
});
