import { resolve } from 'node:path';
import { judgeItems } from '../../judge/judge-items.ts';
import {
  calibratePairs,
  type JudgedPair,
  type PairCalibration,
  peoplesPairs,
} from '../../judge/pairwise/calibrate-pairs.ts';
import { judgePair } from '../../judge/pairwise/judge-pair.ts';
import { holdsPairs, readPairLabels } from '../../judge/pairwise/pair-labels.ts';
import { withBudget } from '../../models/call/model-caller.ts';
import { PAIR_CRITERIA } from '../../scenario/checks/check-judge.ts';
import { loadRubric } from '../../scenario/checks/inspect-rubric.ts';
import { loadProject } from '../../scenario/load-project.ts';
import { loadScenario } from '../../scenario/load-scenario.ts';
import { type Project, readRoot } from '../../scenario/schema/project-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { type JudgeCostFields, judgeCostFields } from '../../trace/cost-fields.ts';
import { openProjectModels } from '../project/project-models.ts';
import { isFile } from '../project/read-text-file.ts';
import type { CalibrateProjectJudgeOptions } from './calibrate-project-judge.ts';
import { judgeByOptions, judgeByRubric, judgeOfScenario, readyJudgeSettings } from './chosen-judge.ts';
import { readLabelsText } from './labels-input.ts';

export type PairsOptions = CalibrateProjectJudgeOptions & { labels: string };
export type CalibratedPairs = PairCalibration & JudgeCostFields & { exit_code: 0 | 1 | 3 };

/** Whether a file of labels has pairs of answers. False if it cannot be read, which is said elsewhere. */
export async function isFileOfPairs(file: string, cwd: string): Promise<boolean> {
  if (!(await isFile(resolve(cwd, file)))) return false;
  return readLabelsText(file, { cwd }).then(holdsPairs, () => false);
}

/** Asks a judge which of two answers is better, and compares it with people. Nothing is stored but votes. */
export async function calibrateProjectPairs(options: PairsOptions): Promise<CalibratedPairs> {
  const { cwd = process.cwd(), env = process.env, onEvent = () => {}, labels: file } = options;
  refuseOptions(options);
  const project = await loadProject(cwd);
  const text = await readLabelsText(file, { cwd, signal: options.stop });
  const { pairs, notes } = peoplesPairs(readPairLabels(text, { file }));
  const assertion = await judgeByOptions(await askedOf(options, { project, cwd }), options, { project, cwd, onEvent });
  await using services = await openProjectModels({ project, env, cache: options.judgeCache });
  const settings = await readyJudgeSettings(assertion, services);
  const called = settings.judges.map((judge) => ({ ...judge, file }));
  const budgetUsd = await services.budgetUsd(options.budgetUsd, called);
  onEvent({ type: 'judging_started', total: pairs.length });
  const { judged, cost, refusal } = await judgeItems(pairs, {
    ...{ concurrency: project.config.concurrency, budgetUsd, stop: options.stop, abort: options.abort, onEvent },
    nameOf: ({ line }) => `line ${line}`,
    passedOf: ({ preferred }, { metadata }) => metadata.pairwise?.preference === preferred,
    judge: async (pair, budget) => {
      const judgement = await judgePair({
        ...settings,
        ...{ trace: pair.a, other: pair.b, require: 'tie', against: { kind: 'reference' } },
        ...{ cache: services.voteCache, subject: `pair ${pair.line}`, trialNumber: pair.line, signal: options.abort },
        models: withBudget(services.models, budget),
      });
      return [judgement];
    },
  });
  const found = pairs.flatMap((pair): JudgedPair[] => {
    const outcome = judged.get(pair)?.[0]?.metadata.pairwise;
    return outcome ? [{ pair, preference: outcome.preference, order: outcome.order }] : [];
  });
  const calibration = calibratePairs(found, {
    judgeModel: settings.judges.map(({ model }) => model).join('+'),
    notJudged: pairs.length - judged.size,
    notes: [...notes, ...(refusal === null ? [] : [refusal])],
  });
  return { ...calibration, ...judgeCostFields(cost), exit_code: exitCode(calibration) };
}

function exitCode({ verdict, unscored, pairs }: PairCalibration): 0 | 1 | 3 {
  if (verdict === 'too few pairs' || unscored > pairs) return 3;
  return verdict === 'agrees' ? 0 : 1;
}

/** By which criteria answers are compared: of a rubric, of a scenario's judge, or the built-in one. */
async function askedOf(
  { rubric, scenario, assertion }: Pick<PairsOptions, 'rubric' | 'scenario' | 'assertion'>,
  { project, cwd }: { project: Project; cwd: string },
) {
  if (rubric !== undefined) {
    return judgeByRubric(await loadRubric({ file: resolve(cwd, rubric), projectRoot: readRoot(project) }));
  }
  if (scenario === undefined) return PAIR_CRITERIA;
  return judgeOfScenario(await loadScenario({ file: resolve(cwd, scenario), project }), assertion);
}

function refuseOptions({ repeats = 1, threshold, given }: PairsOptions): void {
  const wrong =
    given !== undefined ? 'given' : repeats !== 1 ? 'repeats' : threshold !== undefined ? 'threshold' : null;
  if (wrong === null) return;
  throw new SalvoError('OPTIONS_INVALID', `{option:${wrong}} is not for pairs of answers: leave it out.`);
}
