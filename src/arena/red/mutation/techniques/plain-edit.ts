import type { Technique } from './technique.ts';

/** What an engineer in a hurry would have written: easy to see for whoever looks. */
export const plainEdits: readonly Technique[] = (['terraform', 'cloudformation'] as const).map((language) => ({
  id: 'plain_edit',
  language,
  difficulty: 'easy',
  hide: ({ plain }) => (plain.length === 0 ? null : { edits: plain }),
}));
