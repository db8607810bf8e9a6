import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../test/hostile-texts.ts';
import { harmlessJson } from './plain-text.ts';
import { withoutWorkflowCommands, workflowCommand } from './workflow-command.ts';

/** Whether the runner of GitHub Actions reads a line as a command (`ActionCommand.TryParseV2` and `TryParse`). */
const isCommand = (line: string) => line.trimStart().startsWith('::') || line.includes('##[');
const linesOf = (text: string) => text.split(/[\r\n]/);

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(':', '::', ' ', '\t', '\n', '\r\n', '#', '##[', '[', '::error::x', '\u001b[2m', '\u00a0'),
      fc.constantFrom(...HOSTILE_TEXTS),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('withoutWorkflowCommands', () => {
  test('no line of any text is a command', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(linesOf(withoutWorkflowCommands()(text)).filter(isCommand)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  test('no line that arrives in parts begins with the two colons', () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 5 }), (parts) => {
        const inert = withoutWorkflowCommands();
        const written = parts.map((part) => inert(part)).join('');
        expect(linesOf(written).filter((line) => line.trimStart().startsWith('::'))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  test('nothing but blanks is added', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const visible = (from: string) => from.replaceAll(/\s/g, '');
        expect(visible(withoutWorkflowCommands()(text))).toBe(visible(text));
      }),
    );
  });

  test('JSON passes unchanged, in whatever parts', () => {
    fc.assert(
      fc.property(fc.array(hostile), fc.nat(200), (texts, cut) => {
        const json = `${harmlessJson(texts, 2)}\n`;
        const inert = withoutWorkflowCommands();
        expect(inert(json.slice(0, cut)) + inert(json.slice(cut))).toBe(json);
        expect(JSON.parse(json)).toEqual(texts);
      }),
    );
  });

  test('two colons within a line are left alone', () => {
    expect(withoutWorkflowCommands()('aws::s3 :: x\n  ::stop-commands::t\n')).toBe(
      'aws::s3 :: x\n  : :stop-commands::t\n',
    );
  });

  test('a line of megabytes is read once', () => {
    const blanks = ' '.repeat(3_000_000);
    expect(withoutWorkflowCommands()(`${blanks}::`)).toBe(`${blanks}: :`);
  });
});

test('a command of ours cannot be ended by what it quotes', () => {
  const command = workflowCommand({ name: 'error', properties: [['title', 'a::b,c\n']], message: 'x\n::stop::y' });
  expect(command).toBe('::error title=a%3A%3Ab%2Cc%0A::x%0A::stop::y\n');
});
