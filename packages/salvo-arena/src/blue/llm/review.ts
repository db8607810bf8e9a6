import type { ToolDefinition } from 'salvo/kit/adapters';
import { createFence, type Fence, newNonce, type Reading, readToolAnswer } from 'salvo/kit/models';
import type { Message } from 'salvo/kit/trace';
import type { Finding } from '../../match/claims/finding.ts';
import { type Analyst, askModel, prompt } from './ask-model.ts';
import { cleanFindings, type DroppedFindings } from './clean-findings.ts';
import type { CodePart } from './code-parts.ts';
import { REPORT_FINDINGS, readReport } from './report-findings.ts';

/** One reviewer of one part of the code. */
export interface Review {
  analyst: Analyst;
  /** From `prompts/assignments.yaml`. */
  assignment: string;
  part: CodePart;
  /** Which part it is, from 1, and of how many. */
  number: number;
  count: number;
  dropped: DroppedFindings;
}

/** The messages to a reviewer: its assignment, the code in its fences, and the question about the findings so far. */
function reviewMessages(
  { assignment, part, number, count }: Review,
  ask: { known?: readonly Finding[] | undefined; words: (known: string, fence: Fence) => string },
): Message[] {
  const fence = createFence(newNonce());
  const known = fence.wrap('findings so far', (ask.known ?? []).map(findingLine).join('\n') || '(none)');
  const partly = count > 1 ? `\n\n${prompt('part', { number: String(number), count: String(count) })}` : '';
  return [
    { role: 'system', content: `${prompt('analyst', { assignment })}\n\n${prompt('fence', { nonce: fence.nonce })}` },
    {
      role: 'user',
      content: `${prompt('code', { code: numberedCode(part, fence) })}${partly}\n\n${ask.words(known, fence)}`,
    },
  ];
}

/** A part of the code for the prompt: every piece in its own fence, every line with its number. */
function numberedCode({ pieces }: CodePart, fence: Fence): string {
  return pieces
    .map(({ file, firstLine, text, isContext }) => {
      const lines = text.split('\n');
      const width = String(firstLine + lines.length - 1).length;
      const numbered = lines.map((line, index) => `${String(firstLine + index).padStart(width)} | ${line}`);
      return fence.wrap(`${isContext ? 'context of' : 'file'} ${file}`, numbered.join('\n'));
    })
    .join('\n\n');
}

/** What a reviewer finds beside the findings that are known already. */
export async function reviewOnce(review: Review, known?: readonly Finding[]): Promise<Finding[]> {
  const words = (list: string) => `${known ? `${prompt('known', { known: list })}\n\n` : ''}${prompt('report')}`;
  const messages = reviewMessages(review, { known, words });
  const found = await askModel(review.analyst, { messages, tool: REPORT_FINDINGS, read: readReport });
  return cleanFindings(found, { ...review, model: review.analyst.model });
}

/** Asks a reviewer about each of the findings by its number. Undefined where it gave no answer. */
export async function askAboutEach<T extends { number: number }>(
  review: Review,
  findings: readonly Finding[],
  question: {
    words: (known: string, fence: Fence) => string;
    tool: ToolDefinition;
    read: (value: unknown) => Reading<T[]>;
  },
): Promise<(T | undefined)[]> {
  const { words, tool, read } = question;
  const answers = await askModel(review.analyst, {
    messages: reviewMessages(review, { known: findings, words }),
    tool,
    read: (result) => readToolAnswer(result, tool.name, read),
  });
  const byNumber = new Map(answers.map((answer) => [answer.number, answer]));
  return findings.map((_, index) => byNumber.get(index + 1));
}

/** On one line, so that no description can pass for further findings. */
function findingLine(finding: Finding, index: number): string {
  const { severity, title, type, description, resource, file, line } = finding;
  const place = [file, line].filter((each) => each !== undefined && each !== null).join(':');
  const where = [resource, place]
    .flat()
    .filter((each) => each)
    .join(', ');
  const what = `[${severity ?? 'unrated'}] ${title || type || 'a flaw'} (${where || 'no place'}): ${description ?? ''}`;
  return `${index + 1}. ${what.replaceAll(/\s+/g, ' ')}`;
}
