import type { EvalResult } from '../evaluators/eval-result.ts';
import type { Budget } from '../models/budget/budget.ts';
import { runPool } from '../queue/run-pool.ts';
import { seededRandom } from '../stats/seeded-random.ts';
import { contentHash } from '../text/json/canonical-json.ts';
import type { Trace } from '../trace/trace.ts';
import { type PlannedMutant, possibleMutants, type Skipped } from './draw-mutants.ts';
import { isSameState } from './judged-case.ts';
import type { Original } from './originals.ts';

/** noticed and survived: it must fail; accepted and wrongly_failed: it must pass. */
export type Outcome = 'noticed' | 'survived' | 'accepted' | 'wrongly_failed' | 'unscored';

export interface TriedMutant extends PlannedMutant {
  outcome: Outcome;
  trace: Trace;
  results: readonly EvalResult[];
}

export interface TryOptions {
  seed: number;
  /** How many are tried at most. */
  most: number;
  concurrency: number;
  budget: Budget;
  /** True: models are asked. */
  asksJudges: boolean;
  stop?: AbortSignal | undefined;
  /** How many will be tried at most. */
  onDrawn?: ((total: number) => void) | undefined;
  onTried?: ((mutant: TriedMutant) => void) | undefined;
}

export interface Tried {
  mutants: TriedMutant[];
  /** How many could have been made. */
  possible: number;
  /** Mutants of the same trace that are the same. */
  same: number;
  /** Mutants whose changed calls lead to the same state, or to another one although they must pass. */
  equivalent: number;
  skipped: Skipped[];
  stopped: boolean;
}

const SAME_STATE = 'the changed calls lead to the same state';

/** Makes mutants of traces and applies the assertions to them. */
export async function tryMutants(originals: readonly Original[], options: TryOptions): Promise<Tried> {
  const possible = possibleMutants(originals, options.seed);
  const skipped = new Map(possible.skipped.map((each) => [`${each.operator} ${each.reason}`, each]));
  const seen = new Set<string>();
  const mutants: TriedMutant[] = [];
  let [same, equivalent] = [0, 0];
  let started = 0;
  options.onDrawn?.(Math.min(options.most, possible.mutants.length));
  const waiting = possible.mutants.values();
  function* jobs(): Generator<PlannedMutant> {
    for (const planned of waiting) {
      if (started >= options.most) return;
      started += 1;
      yield planned;
    }
  }
  await runPool({
    jobs: jobs(),
    concurrency: options.concurrency,
    stop: options.stop,
    async perform(planned) {
      const made = await makeMutant(planned, options.seed);
      if (made === null) {
        // Another one takes its place.
        started -= 1;
        equivalent += 1;
        const { name } = planned.operator;
        const known = skipped.get(`${name} ${SAME_STATE}`) ?? { operator: name, reason: SAME_STATE, traces: 0 };
        known.traces += 1;
        skipped.set(`${name} ${SAME_STATE}`, known);
        return;
      }
      const id = mutantId(planned, made);
      if (seen.has(id)) {
        started -= 1;
        same += 1;
        return;
      }
      seen.add(id);
      const mutant = { ...planned, ...(await judgeMutant(planned, made, { ...options, id })) };
      mutants.push(mutant);
      options.onTried?.(mutant);
    },
  });
  return {
    mutants,
    possible: possible.mutants.length,
    same,
    equivalent,
    skipped: [...skipped.values()],
    stopped: options.stop?.aborted ?? false,
  };
}

/** Null if the mutant is no other than its original, as far as the state of the scenario shows. */
async function makeMutant({ original, operator, site, key }: PlannedMutant, seed: number): Promise<Trace | null> {
  const mutated = site.make(seededRandom(seed, key, original.trialNumber));
  if (!mutated.changesCalls || original.judged.scenario.state === undefined) return mutated.trace;
  const played = await original.judged.play(mutated);
  const isSame = isSameState(played, original.trace);
  // What was looked up before an answer leaves no trace in the state.
  if (operator.name === 'lookup_dropped') return isSame ? played : null;
  return isSame === (operator.must === 'pass') ? played : null;
}

async function judgeMutant(
  { original, operator }: PlannedMutant,
  trace: Trace,
  { budget, id, asksJudges }: Pick<TryOptions, 'budget' | 'asksJudges'> & { id: string },
): Promise<Pick<TriedMutant, 'outcome' | 'trace' | 'results'>> {
  const { judged, replayed, scenario } = original;
  const reservation = asksJudges ? await budget.reserve(scenario) : null;
  if (asksJudges && !reservation) return { outcome: 'unscored', trace, results: [] };
  try {
    const paid = reservation ? { budget: reservation } : {};
    const { status, results } = await judged.judge(trace, { replayed, traceId: `mutant ${id}`, ...paid });
    const fails = operator.must === 'fail';
    if (status === 'unscored') return { outcome: 'unscored', trace, results };
    if (status === 'passed') return { outcome: fails ? 'survived' : 'accepted', trace, results };
    return { outcome: fails ? 'noticed' : 'wrongly_failed', trace, results };
  } finally {
    reservation?.release();
  }
}

/** The same for two mutants of a case that say and do the same. */
function mutantId(
  { original }: PlannedMutant,
  { messages, tool_calls_made, final_content, finish_reason }: Trace,
): string {
  const calls = tool_calls_made.map(({ name, arguments: args, result, is_error }) => [name, args, result, is_error]);
  const said = messages.map(({ role, content }) => [role, content]);
  return contentHash([original.scenario, original.case, said, calls, final_content, finish_reason]).slice(0, 32);
}
