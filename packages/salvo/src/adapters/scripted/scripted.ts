import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../stats/seeded-random.ts';
import { suggestionSentence } from '../../text/words/did-you-mean.ts';
import type { Adapter, AdapterConfig, AdapterTurnResult } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import type { AdapterContext } from '../adapter-factory.ts';
import type { Script, ScriptTurn } from '../script-schema.ts';

/**
 * An agent that answers from a script: for demos, for trying out assertions, for tests. The built-in adapter has none: the
 * scenario then brings its own.
 */
export function createScriptedAdapter(options: { script?: Script | undefined }, context: AdapterContext): Adapter {
  const script = options.script ?? context.script;
  return {
    providerName: () => 'scripted',
    hasIndependentFailures: true,
    async sendTurn(_messages, _tools, config) {
      if (script === undefined) {
        throw new AdapterError(
          'script_exhausted',
          'The scripted adapter has no script. Add "script:" to the scenario, or to the adapter in salvo.yaml.',
        );
      }
      const request = config.conversation?.request ?? 0;
      const turns = chooseTurns(script, config);
      const turn = turns[request];
      if (turn === undefined) throw exhaustedError(turns.length);
      await pause(turn, config.signal);
      if (turn.error) {
        const { adapterErrorFromStatus } = await import('../call/http-status.ts');
        throw adapterErrorFromStatus({ status: turn.error.status, message: turn.error.message });
      }
      return turnResult(turn, request);
    },
  };
}

/** Chosen again for every request of a conversation, always the same: no state is kept between requests. */
function chooseTurns(script: Script, config: AdapterConfig): ScriptTurn[] {
  if (Array.isArray(script)) return script;
  if ('models' in script) return chooseTurns(scriptOfModel(script.models, config.model), config);
  const { conversation, seed } = config;
  const random = seededRandom(
    conversation?.seed ?? seed ?? 0,
    'script variant',
    conversation?.trialNumber ?? 1,
    conversation?.voteNumber ?? 0,
  );
  const total = script.variants.reduce((sum, { weight }) => sum + weight, 0);
  let rest = random() * total;
  const chosen = script.variants.find(({ weight }) => {
    rest -= weight;
    return rest < 0;
  });
  // Rounding can leave a small rest after the last variant.
  return (chosen ?? script.variants.at(-1))?.turns ?? [];
}

/** `hasOwn`, or "constructor" would be a model. */
function scriptOfModel(models: Readonly<Record<string, Script>>, model: string): Script {
  const script = Object.hasOwn(models, model) ? models[model] : undefined;
  if (script !== undefined) return script;
  const known = Object.keys(models);
  throw new AdapterError(
    'not_found',
    `The script has no model "${model}".${suggestionSentence(model, known)} It has ${known.join(', ')}.`,
  );
}

async function pause({ delay_ms }: ScriptTurn, signal: AbortSignal | undefined): Promise<void> {
  try {
    signal?.throwIfAborted();
    if (delay_ms) await sleep(delay_ms, undefined, { signal });
  } catch {
    const { abortedError } = await import('../call/call-deadline.ts');
    throw abortedError('The script', signal);
  }
}

function turnResult(turn: ScriptTurn, request: number): AdapterTurnResult {
  const tool_calls = (turn.tool_calls ?? []).map((call, index) => ({
    id: `call_${request}_${index}`,
    name: call.name,
    // A copy for each trial: one that changes its arguments must not affect the next. They are JSON.
    arguments: JSON.parse(JSON.stringify(call.arguments)),
  }));
  return {
    content: turn.content ?? null,
    tool_calls,
    usage: turn.usage ? { ...turn.usage } : null,
    finish_reason: tool_calls.length > 0 ? 'tool_calls' : 'stop',
    raw_response: turn,
  };
}

function exhaustedError(count: number): AdapterError {
  const turns = count === 1 ? '1 turn' : `${count} turns`;
  return new AdapterError(
    'script_exhausted',
    `The script has ${turns}, but the conversation asked for turn ${count + 1}. Every request takes one turn, a retry included: add a turn at the end, such as "- content: Done.".`,
  );
}
