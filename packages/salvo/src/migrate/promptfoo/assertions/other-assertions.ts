import { isRecord } from '../../../text/json/is-record.ts';
import { childOf, itemsOf, numberOf, textOf } from '../../source/located.ts';
import { checkOf } from './code-assertions.ts';
import type { SourceAssertion, WrittenAssertion } from './source-assertion.ts';

type Translate = (assertion: SourceAssertion) => WrittenAssertion | WrittenAssertion[];

const DEFAULT_SCORE = 0.75;
const DEFAULT_BLEU = 0.5;
const DEFAULT_DISTANCE = 5;

/** Types that compute a number, and those on cost, time and tools. */
export const OTHER_ASSERTIONS: Readonly<Record<string, Translate>> = {
  similar: similar,
  'similar:cosine': similar,
  levenshtein: (assertion) => measured(assertion, 'levenshtein', { max: assertion.threshold ?? DEFAULT_DISTANCE }),
  'rouge-n': (assertion) => measured(assertion, 'rougeN', { min: assertion.threshold ?? DEFAULT_SCORE }),
  bleu: (assertion) => measured(assertion, 'bleu', { min: assertion.threshold ?? DEFAULT_BLEU }),
  gleu: (assertion) => measured(assertion, 'gleu', { min: assertion.threshold ?? DEFAULT_BLEU }),
  'is-xml': (assertion) => markup(assertion, 'isXml'),
  'contains-xml': (assertion) => markup(assertion, 'containsXml'),
  'is-html': (assertion) => markup(assertion, 'isHtml'),
  'contains-html': (assertion) => markup(assertion, 'containsHtml'),
  latency(assertion) {
    if (assertion.isNegated || assertion.threshold === undefined) throw assertion.gap('it needs a threshold');
    return { type: 'latency_limit', max_seconds: assertion.threshold / 1000 };
  },
  cost(assertion) {
    if (assertion.isNegated || assertion.threshold === undefined) throw assertion.gap('it needs a threshold');
    return { type: 'cost_limit', max_usd: assertion.threshold };
  },
  'finish-reason': (assertion) => ({
    path: 'response.finish_reason',
    [assertion.isNegated ? 'ne' : 'eq']: assertion.text().toLowerCase(),
  }),
  'is-valid-openai-tools-call': validCalls,
  'is-valid-openai-function-call': validCalls,
  'is-valid-function-call': validCalls,
  'tool-call-f1'(assertion) {
    assertion.around.needsChecks();
    return checkOf('toolCallF1', { tools: assertion.list(), min: assertion.threshold ?? 1, ...negated(assertion) });
  },
  'trajectory:tool-used': toolUsed,
  'trajectory:tool-sequence': toolSequence,
  'trajectory:tool-args-match': toolArguments,
  'trajectory:step-count': stepCount,
};

function similar(assertion: SourceAssertion): WrittenAssertion {
  if (assertion.isNegated) throw assertion.gap('not-similar is not translated');
  const value = Array.isArray(assertion.valueNode?.value) ? assertion.list() : assertion.text();
  const provider = textOf(childOf(assertion.node, 'provider')) ?? textOf(childOf(assertion.node, 'provider', 'id'));
  const [service, kind, model] = provider?.split(':') ?? [];
  if (provider !== undefined && (service !== 'openai' || !/^embeddings?$/.test(kind ?? ''))) {
    assertion.around.notes.changed(
      assertion.type,
      `embeddings come from OpenAI instead of ${provider}: see \`adapter\` of output_similar`,
      assertion.node,
    );
  }
  return {
    ...{ type: 'output_similar', value, min: assertion.threshold ?? DEFAULT_SCORE },
    ...(service === 'openai' && model !== undefined && { model }),
  };
}

function measured(assertion: SourceAssertion, name: string, limit: Record<string, unknown>): WrittenAssertion {
  assertion.around.needsChecks();
  const value = Array.isArray(assertion.valueNode?.value) ? assertion.list() : assertion.text();
  return checkOf(name, { value, ...limit, ...negated(assertion) });
}

function negated({ isNegated }: SourceAssertion): Record<string, unknown> {
  return isNegated ? { negated: true } : {};
}

function markup(assertion: SourceAssertion, name: string): WrittenAssertion {
  const { around, base, node } = assertion;
  around.needsChecks();
  around.notes.changed(
    assertion.type,
    `${base} is decided by a simpler reader, which is in checks/promptfoo.mjs`,
    node,
  );
  const required = assertion.valueNode ? { required: requiredElements(assertion) } : {};
  return checkOf(name, { ...required, ...negated(assertion) });
}

function requiredElements(assertion: SourceAssertion): string[] {
  const node = assertion.valueNode;
  const listed = itemsOf(childOf(node, 'requiredElements')).flatMap((each) => textOf(each) ?? []);
  return listed.length > 0 ? listed : assertion.list();
}

/** Calls whose arguments do not fit their schema are tool errors of the trace. */
function validCalls(assertion: SourceAssertion): WrittenAssertion {
  if (assertion.isNegated) throw assertion.gap('its negation is not translated');
  assertion.around.needsChecks();
  return checkOf('validToolCalls', {});
}

function plainTool(name: unknown, assertion: SourceAssertion): string {
  const tool = isRecord(name) ? name.name : name;
  if (typeof tool !== 'string' || /[*?]/.test(tool)) throw assertion.gap('a tool is named by a pattern');
  return tool;
}

function toolUsed(assertion: SourceAssertion): WrittenAssertion[] {
  const node = assertion.valueNode;
  const type = assertion.isNegated ? 'tool_not_called' : 'tool_called';
  if (!isRecord(node?.value)) return assertion.list().map((tool) => ({ type, tool: plainTool(tool, assertion) }));
  const [min, max] = [numberOf(childOf(node, 'min')), numberOf(childOf(node, 'max'))];
  if (assertion.isNegated && (min ?? max) !== undefined)
    throw assertion.gap('its negation with numbers is not translated');
  const times = (min ?? max) === undefined ? {} : { times: { min: min ?? 1, ...(max !== undefined && { max }) } };
  return [{ type, tool: plainTool(node?.value, assertion), ...times }];
}

function toolSequence(assertion: SourceAssertion): WrittenAssertion {
  if (assertion.isNegated) throw assertion.gap('its negation is not translated');
  const node = assertion.valueNode;
  const steps: unknown = isRecord(node?.value) ? node.value.steps : node?.value;
  if (!Array.isArray(steps)) throw assertion.gap('it has no steps');
  const mode = textOf(childOf(node, 'mode')) ?? 'in_order';
  if (mode !== 'in_order' && mode !== 'exact') throw assertion.gap(`the mode ${mode} is not translated`);
  return { type: 'tool_sequence', mode, sequence: steps.map((step: unknown) => plainTool(step, assertion)) };
}

function toolArguments(assertion: SourceAssertion): WrittenAssertion {
  const node = assertion.valueNode;
  const given = childOf(node, 'args') ?? childOf(node, 'arguments');
  if (!isRecord(given?.value)) throw assertion.gap('it has no arguments');
  if (textOf(childOf(node, 'mode')) === 'exact') {
    assertion.around.notes.changed(assertion.type, 'further arguments of a call are allowed here', assertion.node);
  }
  return {
    type: assertion.isNegated ? 'tool_not_called' : 'tool_called',
    tool: plainTool(node?.value, assertion),
    arguments: given.value,
  };
}

function stepCount(assertion: SourceAssertion): WrittenAssertion[] {
  const node = assertion.valueNode;
  if (assertion.isNegated || textOf(childOf(node, 'type')) !== 'tool')
    throw assertion.gap('only steps of the type tool are translated');
  const [min, max] = [numberOf(childOf(node, 'min')), numberOf(childOf(node, 'max'))];
  const path = 'length(tool_calls)';
  return [...(min === undefined ? [] : [{ path, gte: min }]), ...(max === undefined ? [] : [{ path, lte: max }])];
}
