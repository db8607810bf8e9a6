import type { TwinPolicy } from '../tasks/game-settings.ts';

/** Whether a Blue also looks at the clean twin. One that may ask a model, which costs money, does so only if asked to. */
export function looksAtTwin(policy: TwinPolicy, mayAskModel: boolean): boolean {
  return policy === 'always' || (policy === 'scanners' && !mayAskModel);
}
