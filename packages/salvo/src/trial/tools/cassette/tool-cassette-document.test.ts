import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorMessage } from '../../../text/errors/salvo-error.ts';
import { parseToolCassette } from './read-tool-cassette.ts';
import {
  outcomeOfCall,
  type RecordedToolCall,
  recordedAnswer,
  type ToolCassetteContents,
} from './tool-cassette-document.ts';
import { toolCassetteText } from './write-tool-cassette.ts';

const FILE = 'shop.cassette.yaml';

function contents(calls: RecordedToolCall[], name = 'search'): ToolCassetteContents {
  return { servers: new Map(), prompts: new Map(), tools: new Map([[name, { calls }]]) };
}

function problemIn(text: string): string {
  try {
    parseToolCassette(text, FILE);
    return 'none';
  } catch (error) {
    return errorMessage(error);
  }
}

describe('the file', () => {
  test('is YAML that people can read, in an order that does not depend on when answers came', () => {
    const calls: RecordedToolCall[] = [
      { arguments: { q: 'tea' }, answer: 'none' },
      { arguments: { q: 'kettle' }, occurrence: 2, error: 'slow down' },
      { arguments: { q: 'kettle' }, answer: [{ id: 1 }] },
    ];
    const text = toolCassetteText(contents(calls));
    expect(text).toBe(toolCassetteText(contents(calls.toReversed())));
    expect(text).toMatchInlineSnapshot(`
      "# Answers of real tools, recorded by Salvo. Read this file before you commit it.

      version: 1
      tools:
        search:
          calls:
            - arguments:
                q: kettle
              answer:
                - id: 1
            - arguments:
                q: kettle
              occurrence: 2
              error: slow down
            - arguments:
                q: tea
              answer: none
      "
    `);
  });

  test.each([
    'two\nlines\n\n  indented\n',
    'ends with a blank \nand\ttabs',
    '\r\nfor Windows\r',
    'bell \u0007, delete \u007f, next line \u0085, \u2028, \ufeff and \u0000',
    'half of a character: \ud83d',
    '# no comment',
    '- no: list',
    'true',
    '~',
    '',
    '&anchor *alias !tag',
    '{{template}}',
    '"quoted"',
    '---\n...\n',
    'x'.repeat(5000),
    '{"a":1,"b":[{"c":null}]}',
    '{ "spaced": 1 }',
    '{"__proto__":{"polluted":true}}',
    '{"1":"a","b":2}',
    '{"b":2,"1":"a"}',
    `${'['.repeat(90)}${']'.repeat(90)}`,
    '[1e21,-0.5,12345678901234567890]',
    '"text"',
    'null',
  ])('gives an answer back to the letter: %j', (text) => {
    const call = { arguments: { text }, ...recordedAnswer({ content: text, is_error: false, problem: null }) };
    const read = parseToolCassette(toolCassetteText(contents([call])), FILE).tools.get('search')?.calls[0];
    expect(read && outcomeOfCall(read).content).toBe(text);
    expect(read?.arguments).toEqual({ text });
  });

  test('gives back any answer, argument and name', () => {
    const json = fc.json({ maxDepth: 5 });
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), json);
    const name = fc.string({ minLength: 1 }).filter((each) => each !== '__proto__' && each !== '<<');
    fc.assert(
      fc.property(text, name, fc.boolean(), (content, key, is_error) => {
        const problem = is_error ? { kind: 'tool_failed' as const, message: content } : null;
        const outcome = { content, is_error, problem };
        const call = { arguments: { [key]: content }, ...recordedAnswer(outcome) };
        const read = parseToolCassette(toolCassetteText(contents([call], key)), FILE).tools.get(key)?.calls[0];
        expect(read && outcomeOfCall(read)).toEqual(outcome);
        expect(read?.arguments).toEqual({ [key]: content });
      }),
    );
  });

  test('keeps images', () => {
    const files = [{ media_type: 'image/png', base64: 'iVBORw0KGgo=' }];
    const outcome = { content: 'A photo:', files, is_error: false, problem: null };
    const text = toolCassetteText(contents([{ arguments: {}, ...recordedAnswer(outcome) }]));
    const [call] = parseToolCassette(text, FILE).tools.get('search')?.calls ?? [];
    expect(call && outcomeOfCall(call)).toEqual(outcome);
  });
});

describe('names the place of', () => {
  const call = 'tools:\n  search:\n    calls:\n';
  test.each([
    ['an empty file', '', '1:1', 'empty'],
    ['another file', 'prompt: Hi\n', '1:1', 'prompt'],
    ['a list', '- 1\n', '1:1', 'should be a map'],
    ['a version that is missing', 'tools: {}\n', '1:1', '"version" is missing'],
    ['a newer version', 'version: 9\n', '1:10', 'a newer Salvo wrote it'],
    ['a call without an answer', `version: 1\n${call}      - arguments: {}\n`, '5:9', 'either "answer" or "error"'],
    ['a call with both', `version: 1\n${call}      - { answer: 1, error: no }\n`, '5:9', 'either "answer" or "error"'],
    ['the same call twice', `version: 1\n${call}      - answer: 1\n      - answer: 2\n`, '6:9', 'twice'],
    ['a key that it does not know', `version: 1\n${call}      - { answers: 1 }\n`, '5:11', 'did you mean "answer"'],
    ['a wrong type', `version: 1\n${call}      - { arguments: [], answer: 1 }\n`, '5:22', 'should be a map'],
    ['a merge conflict', 'version: 1\n<<<<<<< ours\ntools: {}\n', '2:', ''],
    ['a file that was cut off', 'version: 1\ntools:\n  search: "a\n', '3:', 'quote'],
    ['an include', 'version: 1\ntools: !include other.yaml\n', '2:17', 'includes no other file'],
    ['deep nesting', `version: 1\ntools: ${'['.repeat(200)}`, '2:', 'nested'],
    [
      'a billion laughs',
      `a: &a [${'x,'.repeat(50)}x]\nb: &b [${'*a,'.repeat(50)}*a]\nc: &c [${'*b,'.repeat(50)}*b]\nd: [${'*c,'.repeat(50)}*c]\n`,
      '',
      '',
    ],
  ])('%s', (_, text, place, words) => {
    const problem = problemIn(text);
    expect(problem).toContain(`${FILE}:${place}`);
    expect(problem).toContain(words);
  });
});

test('no file breaks the reader, whatever was changed in it', () => {
  const text = toolCassetteText(contents([{ arguments: { q: 'tea', n: [1, { a: null }] }, answer: 'none\nat all' }]));
  const place = fc.nat(text.length - 1);
  fc.assert(
    fc.property(place, fc.string({ maxLength: 5 }), place, (at, inserted, length) => {
      const changed = text.slice(0, at) + inserted + text.slice(at + (length % 7));
      expect(problemIn(changed)).toMatch(/^(none$|shop\.cassette\.yaml:\d+:\d+ )/);
    }),
  );
});
