import { resolve } from 'node:path';
import { CANARY_RUBRIC, loadCanaries } from '../../judge/canaries/canaries.ts';
import { type CanaryReport, checkJudge } from '../../judge/canaries/check-judge.ts';
import type { JudgingEvent } from '../../judge/judge-items.ts';
import { loadRubric } from '../../scenario/checks/inspect-rubric.ts';
import { loadProject } from '../../scenario/load-project.ts';
import { readRoot } from '../../scenario/schema/project-schema.ts';
import type { Stoppable, Workplace } from '../project/open-project.ts';
import { openProjectModels } from '../project/project-models.ts';
import {
  type JudgeChoiceEvent,
  type JudgeOptions,
  judgeByOptions,
  judgeByRubric,
  readyJudgeSettings,
} from './chosen-judge.ts';

/** What happens while a judge is tested. `total` items are going to be judged. */
export type JudgeTestEvent =
  /** Before anything is judged or paid for: the result is going to be stored, and changes what later runs report. */
  { type: 'will_be_stored' } | { type: 'judging_started'; total: number } | JudgeChoiceEvent | JudgingEvent;

export interface CheckProjectJudgeOptions extends Workplace, Stoppable, JudgeOptions {
  /** A file with the criteria to judge by. */
  rubric?: string | undefined;
  /** False: the judge's cached votes are ignored. */
  judgeCache?: boolean | undefined;
  /** `budget_usd` of salvo.yaml if not given. */
  budgetUsd?: number | undefined;
  onEvent?: ((event: JudgeTestEvent) => void) | undefined;
}

/** Tests a judge against the manipulation attempts that ship with Salvo. */
export async function checkProjectJudge(options: CheckProjectJudgeOptions): Promise<CanaryReport> {
  const { cwd = process.cwd(), env = process.env, onEvent = () => {} } = options;
  const project = await loadProject(cwd);
  const asked =
    options.rubric === undefined
      ? CANARY_RUBRIC
      : judgeByRubric(await loadRubric({ file: resolve(cwd, options.rubric), projectRoot: readRoot(project) }));
  const assertion = await judgeByOptions(asked, options, { project, cwd, onEvent });
  await using services = await openProjectModels({ project, env, cache: options.judgeCache });
  const settings = await readyJudgeSettings(assertion, services);
  const called = settings.judges.map((judge) => ({ ...judge, file: options.rubric ?? 'judge-check' }));
  const budgetUsd = await services.budgetUsd(options.budgetUsd, called);
  onEvent({ type: 'judging_started', total: loadCanaries().length });
  return await checkJudge({
    ...settings,
    models: services.models,
    cache: services.voteCache,
    concurrency: project.config.concurrency,
    budgetUsd,
    stop: options.stop,
    abort: options.abort,
    onEvent,
  });
}
