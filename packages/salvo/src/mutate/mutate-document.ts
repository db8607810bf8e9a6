import { z } from 'zod';
import { OPERATOR_NAMES } from '../scenario/schema/shared-fields.ts';
import { projectName, textFree } from '../secrets/text-marks.ts';

const count = z.int().nonnegative();
const operatorName = () => textFree(z.enum(OPERATOR_NAMES));
const assertionId = () => projectName(z.string());

/** A share of mutants with its 95% interval over cases; null without mutants that were scored. */
const shareSchema = z
  .object({ value: z.number(), interval: z.tuple([z.number(), z.number()]), cases: count })
  .nullable();

/** How many mutants had which outcome. */
const tallySchema = z.object({
  noticed: count,
  survived: count,
  accepted: count,
  wrongly_failed: count,
  unscored: count,
});

/** noticed of those that must fail, and wrongly failed of those that must pass. */
const ratesSchema = { score: shareSchema, strictness: shareSchema };

const mutantSchema = z.object({
  /** Scenario, case, operator and what is changed: the same in every run. */
  key: projectName(z.string()),
  scenario: projectName(z.string()),
  case: projectName(z.string()).nullable(),
  trial_number: z.int(),
  operator: operatorName(),
  note: z.string(),
  /** As `diff -u` shows it. */
  diff: z.string(),
});

/** What `salvo mutate` found. Stored as it is, and printed with `--json`. */
export const mutateDocumentSchema = z.object({
  mutation_id: textFree(z.string()),
  /** Whose traces were changed. */
  run_id: textFree(z.string()),
  created_at: textFree(z.string()),
  seed: z.int(),
  /** none: no scenario has a judge. */
  judges: z.enum(['none', 'left_out', 'asked', 'only']),
  traces: z.object({
    stored: count,
    passed: count,
    alike: count,
    fails_now: count,
    unscored_now: count,
    without_text: count,
    used: count,
  }),
  /** `same`: made twice; `equivalent`: the changed calls lead to the same state. Neither is tried. */
  mutants: z.object({ possible: count, tried: count, same: count, equivalent: count, ...tallySchema.shape }),
  ...ratesSchema,
  operators: z.array(
    z.object({
      name: operatorName(),
      must: z.enum(['fail', 'pass']),
      ...ratesSchema,
      ...tallySchema.shape,
      /** Why it does not apply, and to how many traces. */
      skipped: z.array(z.object({ reason: z.string(), traces: count })),
    }),
  ),
  scenarios: z.array(
    z.object({
      name: projectName(z.string()),
      file: projectName(z.string()),
      traces: count,
      ...ratesSchema,
      ...tallySchema.shape,
      ignored: z.array(z.object({ operator: operatorName(), reason: z.string() })),
      /** Tools whose calls were left alone, because nothing says whether they change something. */
      tools_without_effect: z.array(projectName(z.string())),
      /** Judges that were not asked. */
      judges_left_out: z.array(assertionId()),
    }),
  ),
  assertions: z.array(
    z.object({
      scenario: projectName(z.string()),
      id: assertionId(),
      type: projectName(z.string()),
      /** Mutants that must fail, and that it fails; `alone`: no other assertion does. */
      noticed: count,
      alone: count,
      wrongly_failed: count,
      /** False: no operator changes what it looks at, such as the cost, or it was not asked. */
      tried: z.boolean(),
      /** By the operator of the mutants that must fail. */
      operators: z.array(z.object({ name: operatorName(), noticed: count, missed: count, unscored: count })),
    }),
  ),
  survivors: z.array(mutantSchema),
  wrongly_failed: z.array(
    mutantSchema.extend({ failed_by: z.array(z.object({ id: assertionId(), details: z.string() })) }),
  ),
  /** How many of each are not listed above. */
  not_listed: z.object({ survivors: count, wrongly_failed: count }),
  unscored: z.array(z.object({ reason: z.string(), mutants: count })),
  /** Assertions that all passing traces of a scenario pass, and that some surviving mutants fail. */
  suggestions: z.array(
    z.object({
      scenario: projectName(z.string()),
      file: projectName(z.string()),
      assertion: z.record(z.string(), z.unknown()),
      /** As it is written in the file. */
      yaml: z.string(),
      /** The keys of the survivors that it fails. */
      notices: z.array(projectName(z.string())),
    }),
  ),
  /** With the result before, of the same scenarios; null if there is none. */
  compared: z
    .object({
      mutation_id: textFree(z.string()),
      created_at: textFree(z.string()),
      score: z.number().nullable(),
      new_survivors: z.array(projectName(z.string())),
      /** noticed: something fails it now; not_tried: it was not made this time. */
      gone_survivors: z.array(
        z.object({ key: projectName(z.string()), now: z.enum(['noticed', 'not_tried', 'unscored']) }),
      ),
    })
    .nullable(),
  /** `--min-score`; null without it. */
  gate: z.object({ min_score: z.number(), verdict: z.enum(['passed', 'failed', 'undecided']) }).nullable(),
  judge_cost_usd: z.number().nullable(),
  /** Why it ended before all mutants were tried; null if it did not. */
  stopped: z.string().nullable(),
  exit_code: z.union([z.literal(0), z.literal(1), z.literal(3)]),
});

export type MutateDocument = z.infer<typeof mutateDocumentSchema>;
export type MutantTally = z.infer<typeof tallySchema>;
export type MutantShare = z.infer<typeof shareSchema>;
export type ListedMutant = z.infer<typeof mutantSchema>;
export type Suggestion = MutateDocument['suggestions'][number];
