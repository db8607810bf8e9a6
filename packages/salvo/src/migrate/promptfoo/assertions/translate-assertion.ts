import type { LocatedValue } from '../../../scenario/diagnostics/located-value.ts';
import { isPromptfooType } from '../../../scenario/expected/expected-cell.ts';
import { isRecord } from '../../../text/json/is-record.ts';
import { MigrationGap } from '../../notes.ts';
import { childOf, entriesOf, itemsOf, numberOf, textOf } from '../../source/located.ts';
import { judgeOf } from '../judge-provider.ts';
import { functionBody, javascriptAssertion, pythonAssertion } from './code-assertions.ts';
import { JUDGED_TYPES, judgedAssertion } from './judged-assertions.ts';
import { OTHER_ASSERTIONS } from './other-assertions.ts';
import { scoredSet } from './scored-set.ts';
import { type AssertionSurroundings, SourceAssertion, type WrittenAssertion } from './source-assertion.ts';
import { TEXT_ASSERTIONS } from './text-assertions.ts';

/** What to do instead of a type that is not translated. */
const WITHOUT: Readonly<Record<string, string>> = {
  'select-best': 'it compares the answers of providers: use a judge with `against`, or `salvo rank`',
  'max-score': 'it compares the answers of providers: compare their pass rates in the matrix',
  human: 'people judge in `salvo view`',
  webhook: 'write a `custom` assertion that asks the server',
  ruby: 'write it as JavaScript',
  moderation: 'write a judge, or a `custom` assertion that asks a moderation model',
  guardrails: 'what a provider blocked is not in the answer: write a `custom` assertion',
  classifier: 'write a judge with the class as its criterion',
  'is-sql': 'write a `custom` assertion with a parser of SQL',
  'contains-sql': 'write a `custom` assertion with a parser of SQL',
  perplexity: 'the probabilities of tokens are not in a trace',
  'perplexity-score': 'the probabilities of tokens are not in a trace',
  meteor: 'use rouge-n or bleu',
  pi: 'write a judge',
  'search-rubric': 'a judge of Salvo does not search: write a judge with what is true as its reference',
  'agent-rubric': 'a judge of Salvo runs no tools: write a judge',
  'skill-used': 'use tool_called',
};
const OF_SPANS = 'spans of a trace are not compared: use tool_called, step_latency or latency_limit';

const KEYS = new Set([
  'type',
  'value',
  'threshold',
  'weight',
  'metric',
  'provider',
  'transform',
  'config',
  'rubricPrompt',
  'contextTransform',
  'assert',
  'description',
]);

/** One assertion of promptfoo as assertions of a scenario. Throws a `MigrationGap` if it is not translated. */
export function translateAssertion(node: LocatedValue, around: AssertionSurroundings): WrittenAssertion[] {
  const assertion = new SourceAssertion(node, around);
  for (const [key, value] of entriesOf(node)) {
    if (!KEYS.has(key)) around.notes.changed(`assert.${key}`, 'this key of an assertion is not known', value);
  }
  if (assertion.type === 'assert-set') return translateSet(assertion);
  const found = [written(assertion)].flat();
  const own = [...sharedFields(assertion)];
  const fields = Object.fromEntries(own);
  const all = found.map((each) => withTransform({ ...each, ...fields }, assertion));
  for (const each of all) around.notes.translated(assertion.type, nameOfType(each));
  return all;
}

function nameOfType({ type, path, judge }: WrittenAssertion): string {
  return typeof type === 'string' ? type : path === undefined && judge !== undefined ? 'judge' : 'path';
}

function written(assertion: SourceAssertion): WrittenAssertion | WrittenAssertion[] {
  const { base } = assertion;
  if (base === 'javascript') return javascriptAssertion(assertion);
  if (base === 'python') return pythonAssertion(assertion);
  const translate = Object.hasOwn(TEXT_ASSERTIONS, base)
    ? TEXT_ASSERTIONS[base]
    : Object.hasOwn(OTHER_ASSERTIONS, base)
      ? OTHER_ASSERTIONS[base]
      : undefined;
  if (translate) return translate(assertion);
  if (JUDGED_TYPES.has(base)) return judgedAssertion(assertion);
  if (base === '') throw new MigrationGap('assert', 'it has no type', assertion.node);
  if (!isPromptfooType(base)) throw assertion.gap('there is no such type');
  throw assertion.gap(WITHOUT[base] ?? (base.startsWith('trace-') ? OF_SPANS : 'it is not translated'));
}

function* sharedFields(assertion: SourceAssertion): Generator<[string, unknown]> {
  const { node, around, base } = assertion;
  yield* Object.entries(assertion.shared());
  const provider = childOf(node, 'provider');
  if (provider && JUDGED_TYPES.has(base)) {
    const judge = judgeOf(provider);
    if (judge) yield* Object.entries(judge);
    else
      around.notes.changed(
        assertion.type,
        'its own judge is not translated: the judge of salvo.yaml is asked',
        provider,
      );
  }
  const rubric = childOf(node, 'rubricPrompt');
  if (rubric)
    around.notes.changed('rubricPrompt', 'the prompt of the judge is that of Salvo: see custom_prompt', rubric);
  const context = childOf(node, 'contextTransform');
  if (context) throw assertion.gap('the context that it reads from the answer by code is not translated');
}

/** Code that changes the answer, for this assertion: of the provider, of the test, then its own. */
function withTransform(each: WrittenAssertion, { node, around }: SourceAssertion): WrittenAssertion {
  const own = childOf(node, 'transform');
  const steps = [...around.transforms, ...(own ? [own] : [])];
  if (steps.length === 0 || each.type === 'latency_limit' || each.type === 'cost_limit') return each;
  const isText =
    /^(?:output_|is_|javascript$)/.test(String(each.type)) || each.judge !== undefined || each.type === 'judge';
  if (!isText || each.transform !== undefined)
    throw new MigrationGap('transform', `it cannot be used with ${nameOfType(each)}`, own ?? node);
  return { ...each, transform: { javascript: transformCode(steps) } };
}

/** The code of all steps, one after the other. */
function transformCode(steps: readonly LocatedValue[]): string {
  const codes = steps.map((step) => {
    const text = textOf(step) ?? textOf(childOf(step, '$function'));
    if (text === undefined || text.startsWith('file://')) {
      throw new MigrationGap('transform', 'a transform in a file is not translated: write its code', step);
    }
    return text.trim();
  });
  const [only] = codes;
  if (codes.length === 1 && only !== undefined && !/[\n;]/.test(only)) return only;
  const bodies = codes.map((code) =>
    /^(?:async\s+)?(?:function\b|\([^)]*\)\s*=>|\w+\s*=>)/.test(code)
      ? `return (${code})(output, context);`
      : functionBody(code),
  );
  const calls = bodies.map((body) => `  output = await (async () => {\n${body}\n  })();`);
  return `async (output, context) => {\n${calls.join('\n')}\n  return output;\n}`;
}

/** All assertions of a set have to pass; with a threshold, its score counts. */
function translateSet(assertion: SourceAssertion): WrittenAssertion[] {
  const { node, around } = assertion;
  const parts = itemsOf(childOf(node, 'assert'));
  if (parts.length === 0) throw assertion.gap('it has no assertions');
  const threshold = numberOf(childOf(node, 'threshold'));
  const [only] = parts;
  if (threshold === undefined || (parts.length === 1 && only && isRecord(only.value))) {
    if (around.isScored)
      around.notes.changed('assert-set', 'its assertions count one by one in the score of the test', node);
    const weight = numberOf(childOf(node, 'weight'));
    return parts
      .flatMap((part) => translateAssertion(part, around))
      .map((each) => (weight === undefined ? each : { ...each, weight: weight / parts.length }));
  }
  const code = scoredSet(
    parts.map((part) => new SourceAssertion(part, around)),
    threshold,
  );
  around.notes.translated('assert-set', 'javascript');
  return [{ type: 'javascript', code, ...assertion.shared() }];
}
