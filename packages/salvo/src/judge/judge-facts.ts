import { z } from 'zod';
import { projectName, textFree } from '../secrets/text-marks.ts';

/** What a judge is, so that two judges can be compared. What is judged does not change it. A document. */
export const judgeFactsSchema = z.object({
  judges: z.array(
    z.object({
      provider: projectName(z.string()),
      /** What answers: the server's address, the command, the module with a hash of its content. */
      server: projectName(z.string()),
      model: projectName(z.string()),
      /** Missing for a chat model, so that a judge has the hash that it had before decision models existed. */
      mode: textFree(z.string()).optional(),
      weight: z.number(),
    }),
  ),
  /** Of a cascade: how each of the judges takes part, then people. Missing for other judges. */
  cascade: z
    .object({
      stages: z.array(z.object({ k: z.int().positive(), sure: z.number().nullable() })),
      people: z.boolean(),
    })
    .optional(),
  k: z.int().positive(),
  threshold: z.number(),
  temperature: z.number(),
  aggregation: textFree(z.string()),
  early_stop: z.boolean(),
  sections: z.array(textFree(z.string())),
  /** Missing for the last answer, so that a judge has the hash that it had before turns existed. */
  turn: textFree(z.string()).optional(),
  /** A hash of what is done with the answers before the judges see them. */
  transform: textFree(z.string()).optional(),
  /** Both are missing where they are the defaults, so that a judge has the hash that it had before they existed. */
  when_too_long: textFree(z.string()).optional(),
  max_context_characters: z.int().positive().optional(),
  /** Hashes. */
  prompt: textFree(z.string()),
  rubric: textFree(z.string()),
});

export type JudgeFacts = z.infer<typeof judgeFactsSchema>;

/**
 * How a judge differs from one that was calibrated, such as "calibrated with k=1, this run uses k=9". One part for each
 * difference; empty when they are the same judge.
 */
export function judgeDifferences(calibrated: JudgeFacts, used: JudgeFacts): string[] {
  const parts = (facts: JudgeFacts): Record<string, string> => ({
    model: facts.judges.map(({ model }) => model).join('+'),
    provider: facts.judges.map(({ provider }) => provider).join('+'),
    server: facts.judges.map(({ server }) => server).join(', '),
    mode: facts.judges.map(({ mode = 'chat' }) => mode).join('+'),
    weights: facts.judges.map(({ weight }) => weight).join(', '),
    cascade: cascadeWords(facts.cascade),
    k: String(facts.k),
    threshold: String(facts.threshold),
    temperature: String(facts.temperature),
    aggregation: facts.aggregation,
    early_stop: String(facts.early_stop),
    context: facts.sections.join(', '),
    turn: facts.turn ?? 'last',
    when_too_long: facts.when_too_long ?? 'parts',
    max_context_characters: String(facts.max_context_characters ?? 'default'),
  });
  const before = parts(calibrated);
  const now = parts(used);
  const named = Object.keys(now)
    .filter((key) => before[key] !== now[key])
    .map((key) => `calibrated with ${key}=${before[key]}, this run uses ${key}=${now[key]}`);
  return [
    ...named,
    ...(calibrated.prompt === used.prompt ? [] : ['calibrated with another prompt']),
    ...(calibrated.transform === used.transform ? [] : ['calibrated with another transform']),
    ...(calibrated.rubric === used.rubric ? [] : ['calibrated with another rubric']),
  ];
}

function cascadeWords(cascade: JudgeFacts['cascade']): string {
  if (!cascade) return 'none';
  const stages = cascade.stages.map(({ k, sure }) => `k ${k}${sure === null ? '' : ` sure ${sure}`}`);
  return [...stages, ...(cascade.people ? ['people'] : [])].join(', ');
}
