import { holdsRecordedVerdicts } from '../../judge/calibration/recorded-verdicts.ts';
import { CANARY_RUBRIC, loadCanaries } from '../../judge/canaries/canaries.ts';
import type { JudgedScenario } from '../../judge/prompt/context.ts';
import type { JudgeSettings } from '../../judge/votes/cast-vote.ts';
import { askJudges, type NamedJudge } from '../../judge/which/ask-judges.ts';
import { compareJudges } from '../../judge/which/compare-judges.ts';
import { type LabelledAnswers, labelledAnswers } from '../../judge/which/labelled-answers.ts';
import type { StoredComparison } from '../../judge/which/stored-comparison.ts';
import { newId } from '../../queue/new-id.ts';
import { loadProject } from '../../scenario/load-project.ts';
import { comparisonsOf } from '../../store/comparison-tables.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { openResources } from '../../text/open-resources.ts';
import { openProjectStore } from '../project/open-project.ts';
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
  /** How many answers each bias is measured on, by pairs that differ in one thing only; missing: it is not measured. */
  biases?: number | undefined;
}

/**
 * Asks all judges of a file about the same labelled answers, and compares them with people and with each other. The
 * comparison is stored for the viewer; runs do not use it. Votes are cached: to calibrate the judge that was chosen costs
 * nothing more.
 */
export async function compareProjectJudges(options: CompareProjectJudgesOptions): Promise<StoredComparison> {
  const { cwd = process.cwd(), env = process.env, labels: file, onEvent = () => {} } = options;
  refuseOptionsOfOne(options);
  const project = await loadProject(cwd);
  const { judges: entries, warnings } = await judgesOfFile(options.judges, { project, cwd });
  if (warnings.length > 0) onEvent({ type: 'judge_warnings', warnings });
  const text = await readLabelsText(file, { cwd, signal: options.stop });
  if (holdsRecordedVerdicts(text)) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      `${file} has verdicts that a judge has given ("human"), so no judge is asked: leave out {option:judges}.`,
      { location: { file } },
    );
  }
  await using resources = openResources();
  const services = resources.use(await openProjectModels({ project, env, cache: options.judgeCache }));
  const { asked, scenario, items } = await readLabelsInput(text, { options, project, cwd, models: services.models });
  const judges: (NamedJudge & { onOwnTexts: JudgeSettings })[] = [];
  for (const entry of entries) {
    const settingsFor = (criteria: typeof asked) =>
      readyJudgeSettings(judgeOfEntry(criteria, entry, { options, project, cwd }), services);
    const onOwnTexts = await settingsFor(CANARY_RUBRIC);
    judges.push({
      ...{ name: entry.name, settings: await settingsFor(asked), onOwnTexts },
      ...(options.canaries && { onCanaries: onOwnTexts }),
    });
  }
  const [{ criteria, threshold } = { criteria: [], threshold: 0 }] = judges.map(({ settings }) => settings);
  const { answers, notes } = labelledAnswers(items, { criteria, threshold, file });
  const called = judges.flatMap(({ settings }) => settings.judges.map((judge) => ({ ...judge, file: options.judges })));
  const budgetUsd = await services.budgetUsd(options.budgetUsd, called);
  // Before the first paid call: a result that cannot be stored would be wasted money.
  const store = resources.adopt(await openProjectStore(project, { env }), (opened) => opened.close());
  const canaries = options.canaries ? loadCanaries().length : 0;
  const pairs = await pairsFor(judges, answers, { most: options.biases, scenario });
  onEvent({ type: 'judging_started', total: (answers.length + canaries) * judges.length + pairs.versions });
  const verdicts = await askJudges(pairs.judges, answers, {
    models: services.models,
    cache: services.voteCache,
    scenario,
    concurrency: project.config.concurrency,
    budgetUsd,
    stop: options.stop,
    abort: options.abort,
    onEvent,
  });
  const drawn = items.some((item) => item.drawn) ? [NOT_WEIGHTED] : [];
  const comparison = compareJudges({
    ...{ answers, judges: verdicts, threshold, lines: items.length, notes: [...notes, ...drawn] },
  });
  const files = { labels_file: file, judges_file: options.judges };
  const stored = { comparison_id: newId(), created_at: new Date().toISOString(), ...files, ...comparison };
  await comparisonsOf(store).saveComparison(stored);
  return stored;
}

const NOT_WEIGHTED =
  'Doubtful answers were more likely to be drawn. The judges are compared on the labelled answers as they are, without weights, so these figures are not those of all answers.';

/** The judges with the pairs that measure their biases, and how many versions of answers have to be judged for them. */
async function pairsFor(
  judges: readonly (NamedJudge & { onOwnTexts: JudgeSettings })[],
  answers: LabelledAnswers['answers'],
  { most, scenario }: { most: number | undefined; scenario: JudgedScenario | undefined },
): Promise<{ judges: NamedJudge[]; versions: number }> {
  if (most === undefined) return { judges: [...judges], versions: 0 };
  const { planBiases, versionsToJudge } = await import('../../judge/biases/plan-biases.ts');
  const planned = judges.map(({ settings }) => planBiases(answers, { settings, scenario, most }));
  return {
    judges: judges.map(({ onOwnTexts, ...judge }, index) => {
      return { ...judge, biases: { planned: planned[index] ?? [], onOwnTexts } };
    }),
    versions: planned.reduce((sum, each) => sum + versionsToJudge(each, answers).length, 0),
  };
}

function refuseOptionsOfOne({ model, repeats = 1 }: CompareProjectJudgesOptions): void {
  if (model !== undefined) {
    throw new SalvoError('OPTIONS_INVALID', '{option:judges} names the model of each judge: leave out {option:model}.');
  }
  if (repeats === 1) return;
  throw new SalvoError(
    'OPTIONS_INVALID',
    '{option:repeats} is for one judge: name it with {option:judge}, or leave out {option:repeats}.',
  );
}
