import { SalvoError } from '../../text/salvo-error.ts';
import { type Label, readLabelLine } from './label-line.ts';

/** One line of a label file. */
export interface LabelledItem extends Label {
  /** From 1. */
  line: number;
}

interface Problem {
  line: number;
  message: string;
}

const MOST_PROBLEMS = 20;

/**
 * The labels of a JSONL file, one object a line:
 * `{"trace": {...} | "response": "...", "task"?, "criteria"?, "labels": {"criterion": 0..1} and/or "passed": true}`.
 * Throws with every problem of the file at once, each with its line.
 */
export function readLabels(
  text: string,
  options: {
    /** Name of the file in messages. */
    file: string;
    /** The criteria that labels may name; any when missing. A line with its own criteria may name those instead. */
    criteria?: readonly string[] | undefined;
  },
): LabelledItem[] {
  const { file, criteria = null } = options;
  const items: LabelledItem[] = [];
  const problems: Problem[] = [];
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  for (const [index, content] of lines.entries()) {
    if (content.trim() === '') continue;
    const line = index + 1;
    const parsed = parseLine(content, { isLast: index === lines.length - 1 });
    if ('problem' in parsed) {
      problems.push({ line, message: parsed.problem });
      continue;
    }
    const label = readLabelLine(parsed, criteria, (message) => problems.push({ line, message }));
    if (label) items.push({ line, ...label });
  }
  if (problems.length > 0) throw labelError(file, problems);
  if (items.length === 0) {
    throw new SalvoError('LABELS_EMPTY', `${file} holds no labels. Write one JSON object a line.`, {
      location: { file },
    });
  }
  return items;
}

function parseLine(
  content: string,
  { isLast }: { isLast: boolean },
): { json: string; value: unknown } | { problem: string } {
  try {
    return { json: content, value: JSON.parse(content) };
  } catch {
    const start = content.trim();
    if (start === '[' || start === '{') {
      return { problem: 'is only the beginning of JSON: write every object on one line' };
    }
    // A complete file ends with a line break, so a last line without one may have been cut off.
    if (isLast && start.startsWith('{') && !start.endsWith('}')) {
      return { problem: 'breaks off: the file is not complete' };
    }
    return { problem: `is not JSON: ${beginning(start)}` };
  }
}

function labelError(file: string, problems: readonly Problem[]): SalvoError {
  const shown = problems.slice(0, MOST_PROBLEMS).map(({ line, message }) => `${file}:${line}: ${message}`);
  const rest = problems.length - shown.length;
  if (rest > 0) shown.push(`and ${rest} more ${rest === 1 ? 'problem' : 'problems'}`);
  const [first] = problems;
  return new SalvoError('LABELS_INVALID', shown.join('\n'), {
    location: first ? { file, line: first.line } : { file },
  });
}

function beginning(content: string): string {
  return JSON.stringify(content.length > 60 ? `${content.slice(0, 60)}…` : content);
}
