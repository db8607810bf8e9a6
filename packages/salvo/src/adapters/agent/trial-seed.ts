import { seededRandom } from '../../stats/seeded-random.ts';
import type { Conversation } from '../adapter.ts';

/** A seed for an agent's own random choices. Each trial has another, and the same one in a run with the same `--seed`. */
export function trialSeed(conversation: Omit<Conversation, 'request'>): number {
  const { seed, scenario = '', case: name = '', trialNumber } = conversation;
  // APIs of models take 31 bits.
  return Math.floor(seededRandom(seed, 'trial', scenario, name, trialNumber)() * 2 ** 31);
}
