import type { Hidden, HidingPlace } from './technique.ts';

/** The flaw as an engineer in a hurry would write it: easy to see. */
export function plainEdit({ plain, harmless }: HidingPlace): Hidden | null {
  return { safe: { edits: harmless ?? [] }, weak: { edits: plain }, carriers: [] };
}

/** The flaw in a form that few engineers write and some scanners overlook: the operator knows which. */
export function unusualForm({ project, operator, target, choice }: HidingPlace): Hidden | null {
  const form = choice.one(operator.unusual(project, target));
  return form ? { safe: { edits: form.harmless ?? [] }, weak: { edits: form.edits }, carriers: [] } : null;
}
