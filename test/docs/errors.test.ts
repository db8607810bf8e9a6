import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERROR_CODES } from '../../packages/salvo/src/text/errors/error-codes.ts';

const docs = new URL('../../docs/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, docs), 'utf8');
const sections = read('errors.md').split(/^### /m).slice(1);

test('each code has exactly one section in docs/errors.md, and each section is about a code', () => {
  const described = sections.map((section) => section.split('\n')[0]);
  expect(described.sort()).toEqual([...ERROR_CODES]);
});

test('each section says in a sentence or two what to do', () => {
  const texts = sections.map((section) => section.split(/^## /m)[0]?.split('\n').slice(1).join(' ').trim() ?? '');
  for (const text of texts) expect(text).toMatch(/^[A-Z`][^\n]{30,250}\.$/);
});

/** The names in the documentation that look like codes and are not. */
const OTHER_NAMES =
  /^(?:CANARY_RUBRIC|EVALUATOR_REGISTRY|FINDINGS_FORMATS|JUDGE_(?:SYSTEM|USER)_TEMPLATE|HARD_FAIL|NO_COLOR|TRIVY_PATH|(?:SALVO|OPENAI|AZURE|ANTHROPIC|GOOGLE|LANGFUSE|OTEL|BITBUCKET|BUILDKITE|CIRCLE|CI|SYSTEM|CKV_AWS)_\w+)$/;

test.each(readdirSync(docs).filter((name) => name.endsWith('.md')))('docs/%s names only codes that exist', (name) => {
  const codes = new Set<string>(ERROR_CODES);
  const named = [...read(name).matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`/g)].map(([, word = '']) => word);
  expect(named.filter((word) => !codes.has(word) && !OTHER_NAMES.test(word))).toEqual([]);
});
