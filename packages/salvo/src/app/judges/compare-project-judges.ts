import { holdsRecordedVerdicts } from '../../judge/calibration/recorded-verdicts.ts';
import { CANARY_RUBRIC, loadCanaries } from '../../judge/canaries/canaries.ts';
import { askJudges, type NamedJudge } from '../../judge/which/ask-judges.ts';
import { compareJudges } from '../../judge/which/compare-judges.ts';
import type { JudgeComparison } from '../../judge/which/judge-comparison.ts';
import { labelledAnswers } from '../../judge/which/labelled-answers.ts';
import { loadProject } from '../../scenario/load-project.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { openProjectModels } from '../project/project-models.ts';
import type { CalibrateProjectJudgeOptions } from './calibrate-project-judge.ts';
import { judgeOfEntry, readyJudgeSettings } from './chosen-judge.ts';
import { judgesOfFile } from './judges-file.ts';
import { readLabelsInput, readLabelsText } from './labels-input.ts';

export interface CompareProjectJudgesOptions extends Omit<CalibrateProjectJudgeOptions, 'judge' | 'labels' | 'judges'> {
  /** A JSONL or CSV file of labelled answers. */
  labels: string;
  /** A file of judges: `[{ name, adapter, model, mode, k }]`. */
  judges: string;
  /** True: each judge is also tested with the cases of `salvo judge-check`, which costs more calls. */
  canaries?: boolean | undefined;
}

/**
 * Asks all judges of a file about the same labelled answers, and compares them with people and with each other. Nothing
 * is stored but cached votes. To calibrate the judge that was chosen costs nothing more if it is a model: votes of
 * modules, programs and scripts are not cached.
 */
export async function compareProjectJudges(options: CompareProjectJudgesOptions): Promise<JudgeComparison> {
  const { cwd = process.cwd(), env = process.env, labels: file, onEvent = () => {} } = options;
  refuseOptionsOfOne(options);
  const project = await loadProject(cwd);
  const { judges: entries, warnings } = await judgesOfFile(options.judges, { project, cwd });
  if (warnings.length > 0) onEvent({ type: 'judge_warnings', warnings });
  const { k = 1 } = options;
  if (k > 1 && entries.some(({ mode }) => mode === 'decide')) onEvent({ type: 'needless_votes', k });
  const text = await readLabelsText(file, { cwd, signal: options.stop });
  if (holdsRecordedVerdicts(text)) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      `${file} has verdicts that a judge has given ("human"), so no judge is asked: leave out {option:judges}.`,
      { location: { file } },
    );
  }
  await using services = await openProjectModels({ project, env, cache: options.judgeCache });
  const { asked, scenario, items } = await readLabelsInput(text, { options, project, cwd, models: services.models });
  const judges: NamedJudge[] = [];
  for (const entry of entries) {
    const settingsFor = (criteria: typeof asked) =>
      readyJudgeSettings(judgeOfEntry(criteria, entry, { options, project, cwd }), services);
    judges.push({
      name: entry.name,
      settings: await settingsFor(asked),
      ...(options.canaries && { onCanaries: await settingsFor(CANARY_RUBRIC) }),
    });
  }
  const [{ criteria, threshold } = { criteria: [], threshold: 0 }] = judges.map(({ settings }) => settings);
  const { answers, notes } = labelledAnswers(items, { criteria, threshold, file });
  const called = judges.flatMap(({ settings }) => settings.judges.map((judge) => ({ ...judge, file: options.judges })));
  const budgetUsd = await services.budgetUsd(options.budgetUsd, called);
  const canaries = options.canaries ? loadCanaries().length : 0;
  onEvent({ type: 'judging_started', total: (answers.length + canaries) * judges.length });
  const verdicts = await askJudges(
    judges,
    answers.map(({ item }) => item),
    {
      models: services.models,
      cache: services.voteCache,
      scenario,
      concurrency: project.config.concurrency,
      budgetUsd,
      stop: options.stop,
      abort: options.abort,
      onEvent,
    },
  );
  return compareJudges({ answers, judges: verdicts, threshold, lines: items.length, notes });
}

function refuseOptionsOfOne({ model, recalibrate, repeats = 1 }: CompareProjectJudgesOptions): void {
  if (model !== undefined) {
    throw new SalvoError('OPTIONS_INVALID', '{option:judges} names the model of each judge: leave out {option:model}.');
  }
  if (recalibrate) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      '{option:recalibrate} is for one judge: name it with {option:judge}, or leave out {option:recalibrate}.',
    );
  }
  if (repeats === 1) return;
  throw new SalvoError(
    'OPTIONS_INVALID',
    '{option:repeats} is for one judge: name it with {option:judge}, or leave out {option:repeats}.',
  );
}
