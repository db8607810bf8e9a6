import { expect, test } from 'vitest';
import { parseAgentJson } from './agent-json.ts';

const parse = (text: string) => parseAgentJson(text, { callee: 'The agent', request: 0, asked: [] });

test('one JSON value is the answer, with blanks or a byte order mark around it', () => {
  expect(parse('{"content": "Hi"}\n')).toMatchObject({ content: 'Hi' });
  expect(parse('\uFEFF\r\n {"content": "Hi"} ')).toMatchObject({ content: 'Hi' });
  expect(parse('"Hi"')).toMatchObject({ content: 'Hi' });
});

test.each([
  ['', 'an empty answer'],
  [' \n', 'an empty answer'],
  ['Loading model...\n{"content": "Hi"}', 'not JSON: Loading model...'],
  ['{"content": "Hi"', 'not JSON: {"content"'],
  ['{"content": "Hi"}{"content": "Ho"}', 'not JSON'],
  ['\u0000\u0001', String.raw`\u0000\u0001`],
  ['NaN', 'not JSON'],
])('%j is refused, and its beginning shown', (text, problem) => {
  expect(() => parse(text)).toThrow(problem);
  expect(() => parse(text)).toThrow('logs belong on stderr');
});

test('only the beginning of a long answer is shown', () => {
  expect(() => parse('x'.repeat(10_000_000))).toThrow(/^.{0,450}\n.{0,200}$/);
});

test('an answer of 10 MB is read', () => {
  const content = 'é'.repeat(10_000_000);
  expect(parse(JSON.stringify({ content })).content).toBe(content);
});

test('an answer that is nested too deeply is refused instead of exhausting the stack', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(() => parse(`{"content": "x", "usage": ${deep}}`)).toThrow('nested more than 200 levels');
  expect(() => parse('['.repeat(5_000_000))).toThrow('not JSON');
});

test('arguments that are nested too deeply inside their JSON text stay text', () => {
  const args = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
  const [call] = parse(JSON.stringify({ tool_calls: [{ name: 'f', arguments: args }] })).tool_calls;
  expect(call).toMatchObject({ arguments: {}, raw_arguments: args });
});

test('a lone surrogate or a NUL in the content is accepted', () => {
  expect(parse(String.raw`{"content": "a\ud800b\u0000"}`).content).toBe('a\ud800b\0');
});
