import type { openAgainst } from './against.ts';

/** Loaded only for a run that is compared with a baseline; null for any other. */
export async function openBaseline(...given: Parameters<typeof openAgainst>) {
  const [{ against, maxDrop, undecided }, { earlier }] = given;
  const isAsked = [against, maxDrop, undecided].some((each) => each !== undefined) || earlier?.options.against;
  return isAsked ? await (await import('./against.ts')).openAgainst(...given) : null;
}
