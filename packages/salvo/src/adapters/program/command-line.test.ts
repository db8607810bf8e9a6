import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitCommandLine } from './command-line.ts';

test.each([
  ['python agent.py --fast', ['python', 'agent.py', '--fast']],
  ['  two\t  words \n', ['two', 'words']],
  [`run 'a b' "c d"`, ['run', 'a b', 'c d']],
  [`run --name="a b"c`, ['run', '--name=a bc']],
  [`run ''`, ['run', '']],
  [String.raw`run a\ b \"`, ['run', 'a b', '"']],
  [String.raw`run 'a\b'`, ['run', String.raw`a\b`]],
  [String.raw`run "say \"hi\" \n"`, ['run', String.raw`say "hi" \n`]],
  ['echo $HOME | cat *', ['echo', '$HOME', '|', 'cat', '*']],
])('%j is split as a shell would, and nothing in it is expanded', (line, words) => {
  expect(splitCommandLine(line)).toEqual(words);
});

test.each([
  ['', 'is empty'],
  ['   ', 'is empty'],
  [`run "a`, 'has a " without its partner'],
  [`run 'a`, "has a ' without its partner"],
  ['run a\\', 'ends with a lone backslash'],
])('%j is refused, saying that it %s', (line, problem) => {
  expect(() => splitCommandLine(line)).toThrow(problem);
});

test('words in single quotes are unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (words) => {
      const quoted = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
      expect(splitCommandLine(quoted.join(' '))).toEqual(words);
    }),
  );
});
