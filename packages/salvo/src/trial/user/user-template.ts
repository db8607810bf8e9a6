import type { ScenarioUser } from '../../scenario/schema/scenario-schema.ts';
import { contentHash } from '../../text/json/canonical-json.ts';
import { once } from '../../text/memo.ts';
import { dataFile } from '../../text/modules/data-file.ts';

export type PlayedUser = Pick<ScenarioUser, 'goal' | 'facts' | 'persona' | 'stop'>;

/** What a model that plays a user is told, with places for its goal and its facts. */
export const userTemplate = once(() => dataFile(import.meta.url, './user-system.md').trim());

/** Identifies what the model is told to play: the same for equal users, and another when Salvo's own instructions change. */
export function userPromptHash({ goal, facts, persona, stop }: PlayedUser): string {
  return contentHash({ template: userTemplate(), goal, facts, persona, stop }).slice(0, 12);
}
