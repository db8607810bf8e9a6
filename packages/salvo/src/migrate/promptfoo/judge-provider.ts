import type { LocatedValue } from '../../scenario/diagnostics/located-value.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { childOf, textOf } from '../source/located.ts';
import { CHAT_WORDS } from './provider-table.ts';

/** The judge of an assertion: OpenAI and Anthropic, as they are built in; undefined for others. */
export function judgeOf(provider: LocatedValue): { judge_adapter: string; judge_model: string } | undefined {
  const text = childOf(provider, 'text');
  const node = isRecord(provider.value) && text ? text : provider;
  const id = textOf(node) ?? textOf(childOf(node, 'id'));
  const [adapter = '', ...words] = id?.split(':') ?? [];
  const model = (CHAT_WORDS.has(words[0] ?? '') ? words.slice(1) : words).join(':');
  if (!['openai', 'anthropic'].includes(adapter) || model === '' || /^(?:embedding|moderation)/.test(model))
    return undefined;
  return { judge_adapter: adapter, judge_model: model };
}
