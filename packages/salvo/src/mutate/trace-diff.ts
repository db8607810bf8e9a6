import { unifiedDiff } from '../text/unified-diff.ts';
import { cutEnd } from '../text/words/cut-text.ts';
import type { Trace } from '../trace/trace.ts';
import { sentencesOf } from './texts/prose.ts';

const LONGEST_LINE = 300;
const LONGEST_DIFF = 6000;

/** What differs between a trace and a mutant of it, as `diff -u` shows it. */
export function traceDiff(before: Trace, after: Trace): string {
  return cutEnd(unifiedDiff(textOf(before), textOf(after)), LONGEST_DIFF, '…');
}

/** A line for each sentence, call and result. */
function textOf({ messages, final_content, finish_reason }: Trace): string {
  const lines = messages.flatMap((message): string[] => {
    if (message.role === 'tool_result') {
      return [`  ${message.name} ${message.is_error ? 'failed' : 'returned'}: ${oneLine(message.content)}`];
    }
    const said = saidLines(message.role, message.content ?? '');
    if (message.role !== 'assistant') return said;
    return [
      ...said,
      ...message.tool_calls.map((call) => `  calls ${call.name} ${oneLine(JSON.stringify(call.arguments))}`),
    ];
  });
  const end = final_content === null ? '(no final answer)' : `(end: ${finish_reason})`;
  return [...lines, end].join('\n');
}

function saidLines(role: string, text: string): string[] {
  const lines = text.split('\n').flatMap((line) => (line === '' ? [''] : sentencesOf(line)));
  return (text === '' ? [] : lines).map((line, index) => `${index === 0 ? `${role}: ` : '  '}${oneLine(line)}`);
}

function oneLine(text: string): string {
  return cutEnd(text.replaceAll('\n', ' '), LONGEST_LINE, '…');
}
