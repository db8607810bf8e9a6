import { z } from 'zod';
import { trialStatusSchema } from '../../evaluators/eval-result.ts';
import type { StoredTrial, TrialHead, TrialOutcome } from '../../run/record/run-record.ts';
import { NO_COST } from '../../stats/cost.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import {
  agentCost,
  agentCostFields,
  atLeastSchema,
  judgeCost,
  judgeCostFields,
  userCost,
  userCostFields,
} from '../../trace/cost-fields.ts';
import { trialResultSchema } from '../../trial/trial-result.ts';
import { storedTrialSchema, trialCostSchema } from '../stored-documents.ts';
import { conforms, type Decoder, unreadable } from './document-codec.ts';

/** Where a trial is, and its trace. */
const placeSchema = storedTrialSchema.omit({ run_id: true, result: true, earlier_cost: true });

/** A row as a database returns it; the result in it is still text. */
const trialRowSchema = storedTrialSchema.extend({
  result: z.string().nullable(),
  earlier_cost: z.string().nullable(),
});

const headSchema = placeSchema.extend({ status: trialStatusSchema.nullable() });

const outcomeSchema = headSchema.extend({
  score: z.number().nullable(),
  latency_seconds: z.number().nullable(),
  cost_usd: z.number().nullable(),
  cost_at_least: atLeastSchema.nullish(),
  judge_cost_usd: z.number().nullable(),
  judge_cost_at_least: atLeastSchema.nullish(),
  user_cost_usd: z.number().nullish(),
  user_cost_at_least: atLeastSchema.nullish(),
  retries: z.int().nullable(),
  assertions: z.array(z.object({ id: z.string(), score: z.number(), passed: z.boolean(), status: z.string() })),
});

/** Reads rows of trials, of whichever database. */
export function trialRows(database: string, decode: Decoder) {
  return {
    readTrial(row: unknown): StoredTrial {
      if (!conforms(trialRowSchema, row)) throw unreadable(database, 'A trial');
      const what = `Trial ${row.trial_number} of run ${row.run_id}`;
      return {
        ...row,
        result: row.result === null ? null : decode(what, trialResultSchema, row.result),
        earlier_cost: row.earlier_cost === null ? null : decode(what, trialCostSchema, row.earlier_cost),
      };
    },
    readHead(row: unknown): TrialHead {
      if (!conforms(headSchema, row)) throw unreadable(database, 'A trial');
      return row;
    },
    /** `outcome` is the document that `outcomeDocument` makes, or the database itself. */
    readOutcome(runId: string, outcome: string): TrialOutcome {
      const { assertions, retries, cost_at_least, judge_cost_at_least, user_cost_usd, user_cost_at_least, ...rest } =
        decode(`A trial of run ${runId}`, outcomeSchema, outcome);
      return {
        ...rest,
        ...(cost_at_least && { cost_at_least }),
        ...(judge_cost_at_least && { judge_cost_at_least }),
        // Both are null where no simulated user cost anything.
        ...((user_cost_usd ?? user_cost_at_least ?? null) !== null && { user_cost_usd: user_cost_usd ?? null }),
        ...(user_cost_at_least && { user_cost_at_least }),
        retries: retries ?? 0,
        assertions: assertions.map(({ id, score, passed, status }) => ({
          id,
          score: status === 'scored' ? score : null,
          passed,
        })),
      };
    },
  };
}

/** What is kept beside a trial, so that lists need not read its result. */
export function outcomeDocument({ result, ...trial }: StoredTrial): z.infer<typeof outcomeSchema> {
  const { scenario_index, case_index, case: caseName, trial_number, trace_id } = trial;
  return {
    ...{ scenario_index, case_index, case: caseName, trial_number, trace_id },
    status: result?.status ?? null,
    score: result?.score ?? null,
    latency_seconds: result?.latency_seconds ?? null,
    ...agentCostFields(result ? agentCost(result) : { usd: null }),
    ...judgeCostFields(result ? judgeCost(result) : { usd: null }),
    ...userCostFields(result ? userCost(result) : NO_COST),
    retries: result?.retries ?? null,
    assertions: (result?.eval_results ?? []).map(({ assertion_id: id, score, passed, status }) => ({
      ...{ id, score, passed, status },
    })),
  };
}

export function danglingTrial(
  at: Pick<StoredTrial, 'run_id' | 'scenario_index' | 'trace_id'>,
  cause: unknown,
): SalvoError {
  return new SalvoError(
    'RUN_UNKNOWN',
    `A trial can't be stored: run ${at.run_id} has no scenario ${at.scenario_index}, or there is no trace ${at.trace_id}.`,
    { cause },
  );
}
