import type { AssistantMessage, Step } from '../message.ts';

/** What is known about one step of a model. Null and missing mean unknown. */
export type StepFigures = { [Name in keyof Step]?: Step[Name] | null };

/** Adds to an answer what its step took, as far as it is known. */
export function addFigures(answer: AssistantMessage, figures: StepFigures): void {
  const known = Object.entries(figures).filter(([, value]) => value !== null && value !== undefined);
  if (known.length > 0) answer.step = { ...answer.step, ...Object.fromEntries(known) };
}
