import type { CodeEdit } from '../../operators/operator.ts';
import { narrowed } from '../site/weak-spot.ts';
import type { Technique } from './technique.ts';

/** The flaw in a form that few engineers write and some scanners overlook: the operator knows which. */
export const unusualForms: readonly Technique[] = (['terraform', 'cloudformation'] as const).map((language) => ({
  id: 'unusual_form',
  language,
  difficulty: 'medium',
  hide: ({ project, operator, target, choice }) => {
    const edits = choice.one(operator.unusual(project, target));
    return edits ? { safe: { edits: safeForm(edits) }, weak: { edits }, carriers: [] } : null;
  },
}));

/** An unusual address range is as unusual when it is private. Other forms have no safe counterpart. */
function safeForm(edits: readonly CodeEdit[]): readonly CodeEdit[] {
  const safe = edits.map((one) => ({
    ...one,
    edits: one.edits.map((edit) => ({ ...edit, text: narrowed(edit.text) })),
  }));
  const isRange = edits.every((one, at) => one.edits.every(({ text }, index) => safe[at]?.edits[index]?.text !== text));
  return isRange ? safe : [];
}
