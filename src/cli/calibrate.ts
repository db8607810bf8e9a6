import { resolve } from 'node:path';
import { adapterSecrets } from '../adapters/adapter-secrets.ts';
import { adapterType } from '../adapters/registry.ts';
import { readTextFile } from '../app/read-text-file.ts';
import { judgeOfScenario, rubricOfLabels } from '../judge/calibration/calibrated-judge.ts';
import { type LabelledItem, readLabels } from '../judge/calibration/calibration-labels.ts';
import { type CalibrationOutcome, runCalibration } from '../judge/calibration/run-calibration.ts';
import { chosenJudge, readyJudges } from '../judge/chosen-judge.ts';
import { resolveJudgeConfig } from '../judge/judge-config.ts';
import { openJudging } from '../models/model-services.ts';
import { refuseUnknownPrices } from '../models/unknown-prices.ts';
import { renderCalibration } from '../report/judge/calibration-report.ts';
import { formatMoney, formatPlural } from '../report/terminal/format.ts';
import { loadProject } from '../scenario/load-project.ts';
import { loadRubric } from '../scenario/load-rubric.ts';
import { loadScenario } from '../scenario/load-scenario.ts';
import type { AssertionOf } from '../scenario/schema/assertion-schema.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import { openStore } from '../store/open-store.ts';
import { harmlessJson } from '../text/harmless-json.ts';
import type { CalibrateCommandOptions } from './program/commands.ts';
import { createJudgeProgress } from './terminal/judge-progress.ts';
import { terminalLook } from './terminal/print-result.ts';
import type { Terminal } from './terminal/terminal.ts';

/** `salvo calibrate` */
export async function calibrateCommand(options: CalibrateCommandOptions, terminal: Terminal): Promise<number> {
  const { env } = terminal;
  const project = await loadProject(terminal.cwd);
  const { items, assertion, scenario } = await readInput(options, project, terminal);
  const { models, voteCache, pricing } = await openJudging({ project, env, cache: options.judgeCache });
  await using _ = { [Symbol.asyncDispose]: () => models.close() };
  const { adapters } = project.config;
  const judges = readyJudges({ assertion, project, env });
  if (options.budgetUsd !== undefined) {
    const called = judges.map(({ adapter, model }) => {
      return { adapterName: adapter, provider: models.providerName(adapter), model, relativeFile: options.labels };
    });
    await refuseUnknownPrices({ called, pricing, typeOf: (name) => adapterType(name, { adapters }) });
  }
  // Before anything is paid for: what cannot be kept is not worth its price.
  const store = await openStore(project, { secrets: adapterSecrets({ adapters, env }) });
  await using __ = { [Symbol.asyncDispose]: () => store.close() };
  const progress = createJudgeProgress({ total: items.length, terminal });
  const outcome = await runCalibration({
    items,
    assertion,
    context: { project, scenario, models, voteCache },
    threshold: resolveJudgeConfig(assertion, project.config.judge).threshold,
    repeats: options.repeats,
    concurrency: project.config.concurrency,
    budgetUsd: options.budgetUsd ?? null,
    seed: 0,
    stop: terminal.stop,
    abort: terminal.abort,
    now: () => new Date(),
    onEvent: progress.onEvent,
  }).finally(progress.finish);
  if (outcome.record) await store.saveCalibration(outcome.record);
  print(outcome, options, terminal);
  return outcome.exitCode;
}

interface Input {
  items: LabelledItem[];
  assertion: AssertionOf<'judge'>;
  scenario: Scenario | undefined;
}

async function readInput(options: CalibrateCommandOptions, project: Project, { cwd }: Terminal): Promise<Input> {
  const text = await readTextFile(options.labels, { cwd });
  const given = await readRubric(options, project, cwd);
  const criteria = given && (Array.isArray(given.asked) ? given.asked : given.asked.criteria);
  const items = readLabels(text, { file: options.labels, criteria: criteria?.map(({ name }) => name) });
  const asked = given?.asked ?? rubricOfLabels(items, options.labels);
  return { items, assertion: chosenJudge(asked, options), scenario: given?.scenario };
}

async function readRubric({ rubric, scenario, assertion }: CalibrateCommandOptions, project: Project, cwd: string) {
  if (rubric !== undefined) {
    return { asked: await loadRubric({ file: resolve(cwd, rubric), projectRoot: project.root }) };
  }
  if (scenario === undefined) return null;
  const loaded = await loadScenario({ file: resolve(cwd, scenario), project });
  return { asked: judgeOfScenario(loaded, assertion), scenario: loaded.scenario };
}

function print(outcome: CalibrationOutcome, { json }: CalibrateCommandOptions, { stdout, env }: Terminal): void {
  const { judge, record, notKept, notJudged, judgeCostUsd } = outcome;
  const report = { ...judge, ...outcome.report };
  if (json) {
    const figures = { not_judged: notJudged, judge_cost_usd: judgeCostUsd, stored: record !== null };
    stdout.write(`${harmlessJson({ ...(record ?? report), ...figures, exit_code: outcome.exitCode }, 2)}\n`);
    return;
  }
  stdout.write(renderCalibration(report, terminalLook({ stdout, env })));
  const cost = judgeCostUsd === null ? 'Cost unknown.' : `Cost ${formatMoney(judgeCostUsd)}.`;
  const rest = notJudged > 0 ? `${formatPlural(notJudged, 'item')} not judged. ` : '';
  const kept =
    notKept === null ? '`salvo run` corrects the pass rates of this judge from now on.' : `Not stored: ${notKept}.`;
  stdout.write(`\n${rest}${kept} ${cost}\n`);
}
