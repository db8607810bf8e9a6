import { z } from 'zod';
import { errorMessage } from '../../text/errors/salvo-error.ts';
import { compileExpression } from '../../text/json/expression.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { suggestionSentence } from '../../text/words/did-you-mean.ts';

/** `request` of a server. */
export function requestTemplate() {
  return z
    .record(z.string(), z.unknown())
    .superRefine((template, context) => {
      for (const { path, message } of templateProblems(template)) context.addIssue({ code: 'custom', path, message });
    })
    .optional()
    .describe(
      'The body of a request, with placeholders such as {{message}}. Default: the document of Salvo. Of GET: the query.',
    );
}

/** What `{{...}}` in the `request` of a server may name; a dot leads into the value. */
const REQUEST_VALUES = [
  'message',
  'messages',
  'system',
  'tools',
  'tool_results',
  'session',
  'row',
  'share',
  'model',
  'config',
  'conversation',
] as const;

export type RequestValue = (typeof REQUEST_VALUES)[number];

export const PLACEHOLDER = /\{\{\s{0,10}([\w.-]{1,200})\s{0,10}\}\}/g;

/** What is wrong with a template, and where in it. */
function templateProblems(template: unknown): { path: (string | number)[]; message: string }[] {
  if (Array.isArray(template)) {
    return template.flatMap((part: unknown, index) =>
      templateProblems(part).map(({ path, message }) => ({ path: [index, ...path], message })),
    );
  }
  if (isRecord(template)) {
    return Object.entries(template).flatMap(([key, part]) =>
      templateProblems(part).map(({ path, message }) => ({ path: [key, ...path], message })),
    );
  }
  if (typeof template !== 'string') return [];
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name.split('.', 1)[0] ?? '');
  const unknown = names.find((name) => !REQUEST_VALUES.some((value) => value === name));
  if (unknown !== undefined) {
    const guess = suggestionSentence(unknown, [...REQUEST_VALUES]);
    return [
      { path: [], message: `unknown placeholder {{${unknown}}}.${guess} It can be ${REQUEST_VALUES.join(', ')}` },
    ];
  }
  const rest = template.replaceAll(PLACEHOLDER, '');
  return rest.includes('{{') ? [{ path: [], message: '"{{" begins no placeholder such as {{message}}' }] : [];
}

/** `response` of a server. */
export function responseExpressions() {
  const expression = z.string().min(1).superRefine(checkExpression);
  const paths = z.strictObject({
    text: expression.optional().describe('The answer.'),
    tool_calls: expression.optional().describe('Calls: those with a `result` were made, the others Salvo answers.'),
    messages: expression.optional().describe('Messages, in any form that Salvo knows.'),
    session: expression.optional().describe('What the next request of the conversation sends as {{session}}.'),
    input_tokens: expression.optional().describe('Tokens of the request.'),
    output_tokens: expression.optional().describe('Tokens of the answer.'),
    cost_usd: expression.optional().describe('What the answer cost.'),
    model: expression.optional().describe('The model that answered.'),
    error: expression.optional().describe('An error that the server reports in an answer.'),
  });
  return z
    .union([expression, paths])
    .optional()
    .describe('Where the answer has what: JMESPath for its text, or for several fields. Of a stream: for each event.');
}

function checkExpression(expression: string, context: z.RefinementCtx): void {
  try {
    compileExpression(expression);
  } catch (error) {
    context.addIssue({ code: 'custom', message: errorMessage(error) });
  }
}
