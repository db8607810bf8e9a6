import type { Technique } from './technique.ts';

/** The flaw as an engineer in a hurry would write it: easy to see. */
export const plainEdits: readonly Technique[] = (['terraform', 'cloudformation'] as const).map((language) => ({
  id: 'plain_edit',
  language,
  difficulty: 'easy',
  hide: ({ plain, harmless }) => ({ safe: { edits: harmless ?? [] }, weak: { edits: plain }, carriers: [] }),
}));
