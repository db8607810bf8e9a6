import { type JudgedInput, judgedMaterial } from '../packages/salvo/src/judge/prompt/judged-material.ts';
import type { ShownPart } from '../packages/salvo/src/judge/prompt/shown-part.ts';

/** What a judge sees of a trial that is not too long. */
export function judgedPart(input: Omit<JudgedInput, 'criteria'>): ShownPart {
  const [part, second] = judgedMaterial({ criteria: [], ...input }, 1_000_000).parts;
  if (!part || second) throw new Error('The trial is too long to be judged at once.');
  return part;
}
