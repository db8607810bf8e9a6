import type { ScenarioUser } from '../../scenario/schema/user-schema.ts';
import { compilePattern } from '../../text/pattern.ts';
import type { UserVoice } from './trial-user.ts';

/** A user without a model: each of its texts is said once, and the first that fits the agent's last answer is next. */
export function scriptedUser(script: NonNullable<ScenarioUser['script']>): UserVoice {
  const left = script.map((entry) => (typeof entry === 'string' ? { text: entry, when: undefined } : entry));
  return {
    async next(said) {
      const answer = said.findLast(({ by }) => by === 'agent')?.text ?? '';
      const index = left.findIndex(({ when }) => when === undefined || compilePattern(when).test(answer));
      const [entry] = index === -1 ? [] : left.splice(index, 1);
      return entry ? { text: entry.text } : { done: 'script', text: '' };
    },
    facts: () => ({ cached: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 }),
  };
}
