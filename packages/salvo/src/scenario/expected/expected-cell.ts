/** An assertion of promptfoo, as it is written in a config. */
export interface PromptfooAssertion {
  type: string;
  value?: unknown;
  threshold?: number;
}

/** The types that a cell may begin with, and what stands for them. */
const SHORT_FORMS: Readonly<Record<string, string>> = { fn: 'javascript', eval: 'javascript', grade: 'llm-rubric' };
const LISTS = new Set(['contains-all', 'contains-any', 'icontains-all', 'icontains-any']);
const WITH_THRESHOLD = new Set([
  ...[
    'answer-relevance',
    'classifier',
    'context-faithfulness',
    'context-recall',
    'context-relevance',
    'cost',
    'latency',
  ],
  ...['levenshtein', 'perplexity-score', 'perplexity', 'rouge-n', 'similar', 'starts-with'],
]);
const DEFAULT_THRESHOLD = 0.75;

const KNOWN = new Set([
  ...['answer-relevance', 'bleu', 'classifier', 'contains', 'contains-all', 'contains-any', 'contains-html'],
  ...['contains-json', 'contains-sql', 'contains-xml', 'context-faithfulness', 'context-recall', 'context-relevance'],
  ...['conversation-relevance', 'cost', 'equals', 'factuality', 'finish-reason', 'g-eval', 'gleu', 'guardrails'],
  ...['icontains', 'icontains-all', 'icontains-any', 'is-html', 'is-json', 'is-refusal', 'is-sql'],
  ...['is-valid-function-call', 'is-valid-openai-function-call', 'is-valid-openai-tools-call', 'is-xml', 'javascript'],
  ...['latency', 'levenshtein', 'llm-rubric', 'meteor', 'model-graded-closedqa', 'model-graded-factuality'],
  ...['moderation', 'perplexity', 'perplexity-score', 'pi', 'python', 'regex', 'rouge-n', 'ruby', 'search-rubric'],
  ...['similar', 'similar:cosine', 'similar:dot', 'similar:euclidean', 'starts-with', 'tool-call-f1', 'webhook'],
  ...['word-count', 'agent-rubric', 'skill-used', 'trace-error-spans', 'trace-span-count', 'trace-span-duration'],
  ...['trajectory:goal-success', 'trajectory:step-count', 'trajectory:tool-args-match', 'trajectory:tool-sequence'],
  ...['trajectory:tool-used', 'select-best', 'human', 'max-score', 'assert-set'],
]);

/** Whether promptfoo has such a type; `not-` before it counts. */
export function isPromptfooType(type: string): boolean {
  return KNOWN.has(type.replace(/^not-/, ''));
}

/**
 * A cell of the column `__expected` of a table of promptfoo: `contains: x`, `similar(0.8): x`, `not-icontains: x`,
 * `llm-rubric: x`, a file of code. Any other text is the whole expected answer.
 */
export function readExpectedCell(cell: string): PromptfooAssertion {
  const text = cell.trim();
  if (text.startsWith('file://')) {
    const type = /\.py(?::|$)/.test(text) ? 'python' : /\.[cm]?[jt]s(?::|$)/.test(text) ? 'javascript' : 'equals';
    return { type, value: text };
  }
  const [, negation = '', name = '', threshold, rest] =
    /^(not-)?([a-z][a-z0-9:-]*?)(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$/.exec(text) ?? [];
  const base = SHORT_FORMS[name] ?? name;
  if (!KNOWN.has(base)) return { type: 'equals', value: text };
  const value = rest?.trim();
  const type = `${negation}${base}`;
  if (LISTS.has(base)) return { type, value: splitExpected(value ?? '') };
  if (WITH_THRESHOLD.has(base)) {
    return { type, value, threshold: threshold === undefined ? DEFAULT_THRESHOLD : Number(threshold) };
  }
  return value === undefined ? { type } : { type, value };
}

/** `a, "b, c"` to its parts. */
export function splitExpected(text: string): string[] {
  const parts: string[] = [];
  const PART = /\s*(?:"((?:[^"\\]|\\.|"")*)"|([^,]*))\s*(?:,|$)/y;
  while (PART.lastIndex < text.length) {
    const found = PART.exec(text);
    if (!found) break;
    const part =
      found[1]?.replaceAll(/\\(["\\])|""/g, (_, escaped: string | undefined) => escaped ?? '"') ?? found[2]?.trim();
    if (part !== undefined && (part !== '' || found[1] !== undefined)) parts.push(part);
    if (found[0] === '') break;
  }
  return parts;
}
