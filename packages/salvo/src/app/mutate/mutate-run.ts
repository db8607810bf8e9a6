import type { EvalResult } from '../../evaluators/eval-result.ts';
import { scenarioJudges } from '../../judge/scenario-judges.ts';
import { createBudget } from '../../models/budget/create-budget.ts';
import { compareSurvivors } from '../../mutate/compare-survivors.ts';
import type { JudgeUse } from '../../mutate/judged-case.ts';
import type { MutateDocument } from '../../mutate/mutate-document.ts';
import { collectOriginals, type Original, type TraceCounts } from '../../mutate/originals.ts';
import { suggestAssertions } from '../../mutate/suggest.ts';
import {
  assertionLines,
  gateVerdict,
  listedMutants,
  mutantLine,
  operatorLines,
  ratesOf,
  scenarioLines,
  tallyOf,
  unscoredReasons,
} from '../../mutate/tally.ts';
import { type Tried, type TriedMutant, tryMutants } from '../../mutate/try-mutants.ts';
import { newId } from '../../queue/new-id.ts';
import { refuseIfJudgesNotReady, refuseUnreadableFiles } from '../../run/conduct/prepare-scenario.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import { mutationsOf } from '../../store/mutation-tables.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { Stoppable, Workplace } from '../project/open-project.ts';
import { projectEnv } from '../project/project-env.ts';
import { openReevaluation } from '../results/reevaluate.ts';

export interface MutateOptions extends Workplace, Stoppable {
  /** A run, a scenario of it, a trial or a trace, named as for `reevaluateRun`. */
  target: string;
  /** A file to take the assertions from, instead of the files of the run. */
  scenario?: string | undefined;
  seed: number;
  /** How many mutants are tried at most. */
  maxMutants: number;
  /** The least score, from 0 to 1. */
  minScore?: number | undefined;
  /** Judges are asked about mutants. Otherwise no model is called. */
  askJudge: boolean;
  /** Only judges are asked, and nothing else looks at the mutants. */
  judgeMutants: boolean;
  /** For the judges; `budget_usd` of salvo.yaml if not given. */
  budgetUsd?: number | undefined;
  onEvent?: ((event: MutateEvent) => void) | undefined;
}

export type MutateEvent =
  | { type: 'mutants_drawn'; total: number }
  | { type: 'mutant_tried'; judgeCostUsd: number | null };

/** Changes stored traces that passed so that the right verdict is known, and looks whether the assertions notice it. */
export async function mutateRun(options: MutateOptions): Promise<MutateDocument> {
  const { target, scenario, cwd, env = process.env, patience } = options;
  await using opened = await openReevaluation({ target, scenario, cwd, env, patience });
  const { project, store, source, only, scenarios, scenarioOf, services } = opened;
  const judges: JudgeUse = options.judgeMutants ? 'only' : options.askJudge ? 'asked' : 'left_out';
  const asksJudges = judges !== 'left_out';
  const called = scenarios.flatMap(({ scenario: each, relativeFile: file }) =>
    scenarioJudges(each, project.config.judge).flatMap((own) => own.judges.map((judge) => ({ ...judge, file }))),
  );
  const context = { root: project.root, adapters: project.config.adapters, env: projectEnv(project, env) };
  for (const { scenario: each, file, relativeFile } of scenarios) {
    if (asksJudges) await refuseIfJudgesNotReady({ scenario: each, file: relativeFile, project, context });
    await refuseUnreadableFiles({ scenario: each, file, project });
  }
  const budgetUsd = asksJudges ? await services.budgetUsd(options.budgetUsd, called) : null;
  const budget = createBudget(budgetUsd ?? null);
  const { originals, counts, judgements } = await collectOriginals({
    ...{ source, only, scenarioOf, recorder: store, project, judges, budget },
    services: asksJudges ? services : {},
    signal: options.abort,
  });
  refuseWithoutOriginals(originals, counts, { source, judges, refusal: budget.refusal });
  const tried = await tryMutants(originals, {
    ...{ seed: options.seed, most: options.maxMutants, budget, asksJudges, stop: options.stop },
    concurrency: project.config.concurrency,
    onDrawn: (total) => options.onEvent?.({ type: 'mutants_drawn', total }),
    onTried: ({ results }) => options.onEvent?.({ type: 'mutant_tried', judgeCostUsd: costOf(results) }),
  });
  const stopped = budget.refusal ?? (tried.stopped ? 'interrupted' : null);
  const made = await documentOf(
    { originals, counts, judgements, tried, judges, stopped, hasJudges: called.length > 0 },
    source.run_id,
    options,
  );
  const compared = await comparedWithBefore(store, tried.mutants, made);
  return await mutationsOf(store).saveMutation({ ...made, compared });
}

function refuseWithoutOriginals(
  originals: readonly Original[],
  { stored, passed, fails_now, unscored_now, without_text }: TraceCounts,
  { source, judges, refusal }: { source: RunRecord; judges: JudgeUse; refusal: string | null },
): void {
  const refuse = (why: string) => {
    throw new SalvoError('TRACES_MISSING', `No trace of run ${source.run_id} can be changed: ${why}`);
  };
  if (stored === 0) refuse('it has no stored trial.');
  if (passed === 0)
    refuse(
      `none of its ${stored} stored trials passed. Only of a trace that passed is it known what a change breaks.${source.options.imported ? ` Judge them first: \`salvo reeval ${source.run_id} --scenario FILE\`.` : ''}`,
    );
  if (originals.length === 0) {
    if (without_text > 0)
      refuse('its traces were recorded without their texts (`recording: { mode: metadata_only }`).');
    if (fails_now > 0) refuse('those that passed fail the assertions of today. `salvo reeval` shows why.');
    if (refusal !== null) refuse(`the judges could not be asked about one (${refusal}).`);
    if (unscored_now > 0)
      refuse('those that passed cannot be scored by the assertions of today. `salvo reeval` shows why.');
    refuse('its cases are no longer in the scenarios.');
  }
  const types = originals.flatMap(({ judged }) => judged.scenario.assertions.map(({ type }) => type));
  if (types.length === 0) refuse(judges === 'only' ? 'no scenario has a judge.' : 'no scenario has an assertion.');
  if (types.every((type) => type === 'given')) {
    refuse(
      'their outcomes were given by others, and no assertion looks at them. Name a file with assertions (`scenario`).',
    );
  }
}

interface Measured {
  originals: readonly Original[];
  counts: TraceCounts;
  judgements: readonly EvalResult[];
  tried: Tried;
  judges: JudgeUse;
  hasJudges: boolean;
  stopped: string | null;
}

async function documentOf(
  { originals, counts, judgements, tried, judges, hasJudges, stopped }: Measured,
  runId: string,
  { seed, minScore }: Pick<MutateOptions, 'seed' | 'minScore'>,
): Promise<Omit<MutateDocument, 'compared'>> {
  const { mutants } = tried;
  const asksJudges = judges !== 'left_out';
  const tally = tallyOf(mutants);
  const survivors = listedMutants(mutants, 'survived');
  const wrong = listedMutants(mutants, 'wrongly_failed');
  const open = mutants.filter(({ outcome, operator }) => outcome === 'unscored' && operator.must === 'fail').length;
  const verdict = minScore === undefined ? null : gateVerdict(tally, open, minScore);
  const isMeasured = tally.noticed + tally.survived + tally.accepted + tally.wrongly_failed > 0;
  const codes = { passed: 0, failed: 1, undecided: 3 } as const;
  return {
    ...{ mutation_id: newId(), run_id: runId, created_at: new Date().toISOString(), seed },
    judges: hasJudges ? judges : 'none',
    traces: counts,
    mutants: {
      possible: tried.possible,
      tried: mutants.length,
      same: tried.same,
      equivalent: tried.equivalent,
      ...tally,
    },
    ...ratesOf(mutants),
    operators: operatorLines(mutants, tried.skipped),
    scenarios: scenarioLines(mutants, originals, asksJudges),
    assertions: assertionLines(mutants, originals, asksJudges),
    survivors: survivors.listed.map(mutantLine),
    wrongly_failed: wrong.listed.map((mutant) => ({ ...mutantLine(mutant), failed_by: failedBy(mutant) })),
    not_listed: { survivors: survivors.more, wrongly_failed: wrong.more },
    unscored: unscoredReasons(mutants),
    suggestions: judges === 'only' ? [] : await suggestAssertions(survivors.listed, originals),
    gate: minScore === undefined || verdict === null ? null : { min_score: minScore, verdict },
    judge_cost_usd: asksJudges ? costOf([...judgements, ...mutants.flatMap(({ results }) => results)]) : 0,
    stopped,
    exit_code: verdict === null ? (isMeasured ? 0 : 3) : codes[verdict],
  };
}

function failedBy({ results }: TriedMutant): { id: string; details: string }[] {
  return results
    .filter(({ status, passed }) => status === 'scored' && !passed)
    .map(({ assertion_id: id, details }) => ({ id, details }));
}

function costOf(results: readonly EvalResult[]): number | null {
  const costs = results.flatMap(({ metadata: { judge_cost_usd: usd } }) =>
    usd === undefined ? [] : [typeof usd === 'number' ? usd : null],
  );
  return sumOrUnknown(costs);
}

const NEWEST = 50;

async function comparedWithBefore(
  store: Store,
  mutants: readonly TriedMutant[],
  { scenarios, judges }: Pick<MutateDocument, 'scenarios' | 'judges'>,
): Promise<MutateDocument['compared']> {
  const names = new Set(scenarios.map(({ name }) => name));
  const earlier = await mutationsOf(store).listMutations(NEWEST);
  const before = earlier.find((each) => each.judges === judges && each.scenarios.some(({ name }) => names.has(name)));
  return before ? compareSurvivors(mutants, before) : null;
}
