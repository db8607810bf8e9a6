import { expect, it } from 'vitest';
import { categoryWord } from './category-word.ts';

it("translates the categories of scanners into Salvo's names", () => {
  expect(categoryWord('Networking and Firewall')).toBe('network');
  expect(categoryWord('Observability')).toBe('logging');
  expect(categoryWord('Identity and Access Management')).toBe('iam');
  expect(categoryWord('Access Control')).toBe('access_control');
  expect(categoryWord('Encryption & KeyManagement')).toBe('encryption');
});

it('writes any other category as one word', () => {
  expect(categoryWord('Supply-Chain')).toBe('supply_chain');
});

it('is empty for a meaningless category', () => {
  for (const nothing of [undefined, '', 'security', 'Infrastructure Security', 'Best Practices', '---'])
    expect(categoryWord(nothing)).toBe('');
  expect(categoryWord('constructor')).toBe('constructor');
});
