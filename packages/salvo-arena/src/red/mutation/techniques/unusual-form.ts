import type { Technique } from './technique.ts';

/** The flaw in a form that few engineers write and some scanners overlook: the operator knows which. */
export const unusualForms: readonly Technique[] = (['terraform', 'cloudformation'] as const).map((language) => ({
  id: 'unusual_form',
  language,
  difficulty: 'medium',
  hide: ({ project, operator, target, choice }) => {
    const form = choice.one(operator.unusual(project, target));
    return form ? { safe: { edits: form.harmless ?? [] }, weak: { edits: form.edits }, carriers: [] } : null;
  },
}));
