import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLike } from '../../../../../test/json-like.ts';
import { extractJsonFromText } from './json-in-text.ts';

describe('extractJsonFromText', () => {
  it('test_extract_json_from_text_direct: the whole text', () => {
    expect(extractJsonFromText(' \ufeff{"a": 1}\n')).toEqual({ a: 1 });
  });

  it('test_extract_json_from_text_brace: from the first brace to the last', () => {
    expect(extractJsonFromText('My scores: {"a": {"b": 1}}. Done.')).toEqual({ a: { b: 1 } });
  });

  it('test_extract_json_from_text_code_block: with or without a language', () => {
    expect(extractJsonFromText('I use {braces}.\n```json\n{"a": 1}\n```\nand {more}.')).toEqual({ a: 1 });
    expect(extractJsonFromText('Set {x}:\n```\n{"a": "`b`"}\n```\n{y}')).toEqual({ a: '`b`' });
  });

  it('test_extract_json_from_text_invalid: is nothing', () => {
    for (const text of ['', 'no', '{', '}', '{]', '0.8', '"text"', 'null', '{"a": }', '```json\n{\n```']) {
      expect(extractJsonFromText(text)).toBeNull();
    }
  });

  it('finds an object between words with other braces', () => {
    expect(extractJsonFromText('The set {1, 2} gets {"a": "}"} and {"b": 2}')).toEqual({ a: '}' });
  });

  it('returns null for a list', () => {
    expect(extractJsonFromText('[1, 2]')).toBeNull();
  });

  it('refuses what is too large or too deep to be a vote', () => {
    expect(extractJsonFromText(`{"a": "${'x'.repeat(300_000)}"}`)).toBeNull();
    expect(extractJsonFromText(`{"a": ${'['.repeat(1000)}${']'.repeat(1000)}}`)).toBeNull();
    expect(extractJsonFromText('{"a":'.repeat(30_000))).toBeNull();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(jsonLike, (text) => {
        const json = extractJsonFromText(text);
        expect(json === null || typeof json === 'object').toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
