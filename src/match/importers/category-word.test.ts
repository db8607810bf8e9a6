import { expect, it } from 'vitest';
import { categoryWord } from './category-word.ts';

it('puts what scanners call the same into our words', () => {
  expect(categoryWord('Networking and Firewall')).toBe('network');
  expect(categoryWord('Observability')).toBe('logging');
  expect(categoryWord('Identity and Access Management')).toBe('iam');
  expect(categoryWord('Access Control')).toBe('access_control');
});

it('keeps a category of its own as one word', () => {
  expect(categoryWord('Insecure Configurations')).toBe('insecure_configurations');
});

it('is empty for what says nothing', () => {
  for (const nothing of [undefined, '', 'security', 'Best Practices', '---']) expect(categoryWord(nothing)).toBe('');
  expect(categoryWord('constructor')).toBe('constructor');
});
