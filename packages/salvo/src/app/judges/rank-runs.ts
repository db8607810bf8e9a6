import { resolve } from 'node:path';
import { judgeItems } from '../../judge/judge-items.ts';
import { judgePair } from '../../judge/pairwise/judge-pair.ts';
import type { JudgeAssertion } from '../../judge/scenario-judges.ts';
import { withBudget } from '../../models/call/model-caller.ts';
import { type Ranking, rankCandidates } from '../../run/rank/rank-candidates.ts';
import { candidateLabels } from '../../run/record/candidate-labels.ts';
import type { RunRecord, TrialHead } from '../../run/record/run-record.ts';
import { scenarioCases } from '../../scenario/cases/scenario-cases.ts';
import { PAIR_CRITERIA } from '../../scenario/checks/check-judge.ts';
import { loadRubric } from '../../scenario/checks/inspect-rubric.ts';
import { loadProject } from '../../scenario/load-project.ts';
import { readRoot } from '../../scenario/schema/project-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import type { Cost } from '../../stats/cost.ts';
import { formatPlural } from '../../stats/format.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { judgeCostFields } from '../../trace/cost-fields.ts';
import { isMetadataOnly } from '../../trace/not-recorded.ts';
import { findStoredRun } from '../compare/run-source.ts';
import { openProjectStore } from '../project/open-project.ts';
import { openProjectModels } from '../project/project-models.ts';
import type { CheckProjectJudgeOptions } from './check-project-judge.ts';
import { judgeByOptions, judgeByRubric, readyJudgeSettings } from './chosen-judge.ts';

export interface RankRunsOptions extends Omit<CheckProjectJudgeOptions, 'threshold'> {
  /** Runs, as for `compareRuns`: an id, its beginning, `latest`, `latest~1`; `RUN@model` for one model of several. */
  runs: readonly string[];
}

export interface RankedRuns extends Ranking {
  judge_cost_usd: number | null;
  judge_cost_at_least?: ReturnType<typeof judgeCostFields>['judge_cost_at_least'];
  exit_code: 0 | 3;
}

/**
 * Compares the answers of stored runs with each other, by a judge that sees two of them at a time, and ranks the runs.
 * Votes are cached, so that a ranking that was stopped goes on where it was.
 */
export async function rankRuns(options: RankRunsOptions): Promise<RankedRuns> {
  const { cwd = process.cwd(), env = process.env, onEvent = () => {} } = options;
  const project = await loadProject(cwd);
  const asked =
    options.rubric === undefined
      ? PAIR_CRITERIA
      : judgeByRubric(await loadRubric({ file: resolve(cwd, options.rubric), projectRoot: readRoot(project) }));
  const assertion: JudgeAssertion = await judgeByOptions(asked, options, { project, cwd, onEvent });
  const store = await openProjectStore(project, { env, mustExist: true, readOnly: true });
  try {
    const { candidates, pairs, notes } = await pairsOf(store, options.runs);
    await using services = await openProjectModels({ project, env, cache: options.judgeCache });
    const settings = await readyJudgeSettings(assertion, services);
    const called = settings.judges.map((judge) => ({ ...judge, file: options.rubric ?? 'rank' }));
    const budgetUsd = await services.budgetUsd(options.budgetUsd, called);
    onEvent({ type: 'judging_started', total: pairs.length });
    const { judged, cost, refusal } = await judgeItems(pairs, {
      ...{ concurrency: project.config.concurrency, budgetUsd, stop: options.stop, abort: options.abort, onEvent },
      nameOf: ({ key }) => key,
      passedOf: (_, { passed }) => passed,
      judge: async ({ first, second, scenario, key }, budget) => {
        const [trace, other] = [await store.getTrace(first.traceId), await store.getTrace(second.traceId)];
        if (!trace || !other) return [];
        const judgement = await judgePair({
          ...settings,
          ...{ trace, other, scenario, require: 'tie', signal: options.abort, cache: services.voteCache },
          models: withBudget(services.models, budget),
          against: { kind: 'run', run_id: second.runId, trial_number: second.trialNumber, trace_id: second.traceId },
          subject: `pair ${first.traceId} ${second.traceId}: ${key}`,
          trialNumber: first.trialNumber,
        });
        return [judgement];
      },
    });
    const ranking = rankCandidates({
      candidates,
      judgeModel: settings.judges.map(({ model }) => model).join('+'),
      pairs: pairs.flatMap((pair) => {
        const judgements = judged.get(pair);
        if (!judgements) return [];
        const { first, second, cluster } = pair;
        const outcome = judgements[0]?.metadata.pairwise ?? null;
        return [{ first: first.candidate, second: second.candidate, cluster, judged: outcome }];
      }),
      notJudged: pairs.length - judged.size,
      notes: [...notes, ...(refusal === null ? [] : [refusal])],
    });
    return withCost(ranking, cost);
  } finally {
    await store.close();
  }
}

function withCost(ranking: Ranking, cost: Cost): RankedRuns {
  const isComplete = ranking.not_judged === 0 && ranking.candidates.every(({ strength }) => strength !== null);
  return { ...ranking, ...judgeCostFields(cost), exit_code: isComplete ? 0 : 3 };
}

interface Candidate {
  name: string;
  run_id: string;
  run: RunRecord;
  /** Positions of its scenarios in the run. */
  scenarios: number[];
}

interface Answer {
  candidate: number;
  runId: string;
  traceId: string;
  trialNumber: number;
}

interface AnswerPair {
  first: Answer;
  second: Answer;
  /** The scenario of the case. */
  scenario: Scenario;
  cluster: string;
  /** What the pair is about, for people. */
  key: string;
}

/** Every two answers to the same case with the same trial number. */
async function pairsOf(store: Store, names: readonly string[]) {
  const candidates = await candidatesOf(store, names);
  const byCase = new Map<string, { answers: Answer[]; scenario: Scenario }>();
  for (const [candidate, { run, scenarios }] of candidates.entries()) {
    for await (const head of store.trialHeads(run.run_id)) {
      const then = run.scenarios[head.scenario_index];
      if (!then || !scenarios.includes(head.scenario_index) || !(await hasAnswer(store, head))) continue;
      const key = JSON.stringify([then.name, head.case, head.trial_number]);
      const found = byCase.get(key) ?? {
        answers: [],
        scenario: scenarioCases(then.scenario).scenarioOf(head.case_index),
      };
      if (found.answers.some((answer) => answer.candidate === candidate)) continue;
      found.answers.push({
        candidate,
        runId: run.run_id,
        traceId: head.trace_id ?? '',
        trialNumber: head.trial_number,
      });
      byCase.set(key, found);
    }
  }
  const cases = new Set([...byCase.keys()].map(caseOf));
  const pairs = [...byCase].flatMap(([key, { answers, scenario }]) =>
    answers.flatMap((a, position) =>
      answers.slice(position + 1).map((b): AnswerPair => {
        // The same two answers have the same cached votes, in whatever order the runs are named.
        const [first, second] = a.traceId <= b.traceId ? [a, b] : [b, a];
        return { first, second, scenario, cluster: cases.size > 1 ? caseOf(key) : key, key: nameOf(key) };
      }),
    ),
  );
  if (pairs.length === 0) {
    const message = `${candidates.map(({ name }) => name).join(', ')} have no answers to the same case in common: a case is found by the names of its scenario and its row.`;
    throw new SalvoError('RUN_NOTHING_COMPARABLE', message, { outcome: 'unscored' });
  }
  const alone = [...byCase.values()].filter(({ answers }) => answers.length === 1).length;
  return {
    candidates,
    pairs,
    notes: [
      ...(cases.size > 1 ? [] : ['All answers are to one case, so its trials are taken as independent.']),
      ...(alone > 0
        ? [`${formatPlural(alone, 'answer')} left out: no other run has one to the same case and trial.`]
        : []),
    ],
  };
}

function caseOf(key: string): string {
  const [name, caseName] = JSON.parse(key);
  return JSON.stringify([name, caseName]);
}

function nameOf(key: string): string {
  const [name, caseName, trial] = JSON.parse(key);
  return `${name}${caseName === null ? '' : `/${caseName}`} ${trial}`;
}

/** An agent that was cut off by an error has no answer to compare. */
async function hasAnswer(store: Pick<Store, 'getTrace'>, { trace_id }: TrialHead): Promise<boolean> {
  const trace = trace_id === null ? null : await store.getTrace(trace_id);
  return trace !== null && trace.error === null && !isMetadataOnly(trace);
}

/** Each run is one; of a run with several models, each model is. */
async function candidatesOf(store: Store, names: readonly string[]): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const name of names) {
    const at = name.lastIndexOf('@');
    const run = await findStoredRun(store, at > 0 ? name.slice(0, at) : name);
    const labels = candidateLabels(run.scenarios);
    const wanted = at > 0 ? name.slice(at + 1) : null;
    const models = [
      ...new Set(run.scenarios.flatMap(({ model, adapter }, index) => labels[index] ?? model ?? adapter)),
    ];
    const isMatrix = new Set(run.scenarios.map((each) => each.name)).size < run.scenarios.length;
    const found = isMatrix || wanted !== null ? models.filter((model) => wanted === null || model === wanted) : [null];
    if (found.length === 0) {
      const message = `Run ${run.run_id} has no scenario with the model ${JSON.stringify(wanted)}. It has: ${models.join(', ')}.`;
      throw new SalvoError('MODEL_UNKNOWN', message);
    }
    for (const model of found) {
      const scenarios = run.scenarios.flatMap((_, index) => (model === null || labels[index] === model ? [index] : []));
      const label = model === null ? run.run_id : names.length === 1 ? model : `${run.run_id}@${model}`;
      if (candidates.some((each) => each.name === label)) continue;
      candidates.push({ name: label, run_id: run.run_id, run, scenarios });
    }
  }
  if (candidates.length >= 2) return candidates;
  const only = candidates[0]?.name ?? 'nothing';
  throw new SalvoError(
    'OPTIONS_INVALID',
    `There is nothing to rank ${only} against: name two runs or more, or one run with several models.`,
  );
}
