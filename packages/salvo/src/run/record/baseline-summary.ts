import { z } from 'zod';

/** What the comparison with a baseline says about a scenario. */
export const baselineSummarySchema = z.object({
  /**
   * `not_worse`: by no more than `margin`. `undecided`: neither this nor `worse` is shown. `not_comparable`, or `new`, if
   * the baseline does not have the scenario: it is judged as without a baseline.
   */
  answer: z.enum(['worse', 'not_worse', 'undecided', 'not_comparable', 'new']),
  /** The drop of the pass rate that has to be ruled out. */
  margin: z.number(),
  /** The pass rates over the cases that both have, and the 95% interval of their difference. Null if there are none. */
  before: z.number().nullable(),
  now: z.number().nullable(),
  interval: z.tuple([z.number(), z.number()]).nullable(),
  /** About how many trials of each run would decide; null if it is decided, or if no number can be given. */
  trials_to_decide: z.int().nullable(),
  /** Cases that the baseline does not have, and how many of them failed: every trial of them must pass. */
  new_cases: z.int(),
  new_cases_failed: z.int(),
  /** The undecided scenarios together, if what was observed makes them fail. */
  observed: z
    .object({
      scenarios: z.int(),
      /** The means of their pass rates. */
      before: z.number(),
      now: z.number(),
      /** The mean fell by more than the margin; or a scenario that used to pass now passed in no trial. */
      why: z.enum(['mean_fell', 'one_died']),
      /** How often an unchanged agent would fail like this, and the `--trials` that bring it to 5%; null: none does. */
      false_reds: z.number(),
      trials_each: z.int().nullable(),
    })
    .nullable(),
});

export type BaselineSummary = z.infer<typeof baselineSummarySchema>;
