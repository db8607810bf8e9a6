import { doubledKey } from '../../../text/json/doubled-keys.ts';
import { jsonOrUndefined } from '../../../text/json/json-in-text.ts';
import { jsonSyntaxError } from '../../../text/json/json-syntax-error.ts';
import { showValue } from '../../show-value.ts';

type Parsed = { value: unknown } | { problem: string };

/** The JSON of an answer that is JSON, as a whole or in one fenced block; or why it is not. */
export function answerAsJson(content: string): Parsed {
  // Some models begin with a byte order mark, which JSON.parse rejects and trim() removes.
  const text = content.trim();
  if (text === '') return { problem: 'the answer is empty, not JSON' };
  const blocks = fencedBlocks(text);
  const [block] = blocks;
  // First the whole answer: it may be JSON with a fence inside a string.
  const whole = parse(text);
  if ('value' in whole || block === undefined) return whole;
  if (blocks.length > 1)
    return { problem: `the answer has ${blocks.length} fenced blocks, expected JSON or one block of it` };
  return parse(block);
}

function parse(text: string): Parsed {
  const value = jsonOrUndefined(text);
  if (value === undefined) return { problem: describeError(text) };
  // Readers differ in which of both they take.
  const doubled = doubledKey(text);
  return doubled === null ? { value } : { problem: `the key ${showValue(doubled, 60)} occurs twice in one object` };
}

function describeError(text: string): string {
  const offset = jsonSyntaxError(text)?.offset ?? text.length;
  const lines = text.slice(0, offset).split('\n');
  const place = `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
  if (offset >= text.length) return `the answer is not JSON: it ends too early, at ${place}`;
  return `the answer is not JSON from ${place} on: ${showValue(text.slice(offset), 60)}`;
}

/** The contents of the Markdown code fences. Line by line, because a regular expression could backtrack for minutes. */
function fencedBlocks(text: string): string[] {
  const blocks: string[] = [];
  let current: { fence: string; lines: string[] } | null = null;
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (current) {
      if (trimmed === current.fence) {
        blocks.push(current.lines.join('\n'));
        current = null;
      } else {
        current.lines.push(line);
      }
    } else if (trimmed.startsWith('```') || trimmed.startsWith('~~~')) {
      current = { fence: trimmed.slice(0, 3), lines: [] };
    }
  }
  // An answer that was cut off has an open fence.
  if (current) blocks.push(current.lines.join('\n'));
  return blocks;
}
