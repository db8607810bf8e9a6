import type { Technique } from './technique.ts';

/** The flaw in a form that few engineers write and some scanners overlook: the operator knows which. */
export const unusualForms: readonly Technique[] = (['terraform', 'cloudformation'] as const).map((language) => ({
  id: 'unusual_form',
  language,
  difficulty: 'medium',
  hide: ({ project, operator, target, choice }) => {
    const edits = choice.one(operator.unusual(project, target));
    return edits ? { safe: { edits: [] }, weak: { edits }, carriers: [] } : null;
  },
}));
