import type { MatrixModel, RunMatrix } from '../../../run/compare/run-matrix.ts';
import {
  candidateLabels,
  candidateNoun,
  nameWithoutPrompt,
  scenarioKey,
} from '../../../run/record/candidate-labels.ts';
import { formatInterval, formatLatency, formatMoney, formatPercent, MISSING } from '../../../stats/format.ts';
import { isChange } from '../../compare/compare-words.ts';
import { type Block, column, figure, table, toned } from '../../document/document.ts';
import { passedOf, type ReportedScenario } from '../run-report.ts';
import { verdictSign, verdictTone } from '../verdict.ts';
import { comparisonWords, luckNote, matrixSentences, overallWords } from '../words/matrix-words.ts';
import { intervalText } from '../words/run-notes.ts';

/** A scenario with one model, or a model over all scenarios. */
interface Row extends Pick<MatrixModel, 'verdict' | 'trials_scored' | 'trials_passed'> {
  scenario: string;
  /** Whether it is the first row of its scenario. */
  isFirst: boolean;
  model: string;
  rate: number | null;
  interval: string;
  /** Per trial. */
  cost: string;
  latency: number | null;
  /** Against the first model; empty for the first itself. */
  versus: string;
  tone: 'better' | 'worse' | 'open';
}

/** All models of a scenario, then those of the next, and at the end each model over all scenarios. */
function matrixRows(matrix: RunMatrix, scenarios: readonly ReportedScenario[]): Row[] {
  const labels = candidateLabels(scenarios);
  const labelled = scenarios.map((scenario, index) => ({ ...scenario, label: labels[index] ?? '' }));
  const groups = [...Map.groupBy(labelled, scenarioKey).values()];
  const compared = Map.groupBy(matrix.comparisons, ({ model }) => model);
  const rows = groups.flatMap((group) =>
    group.map((each, index): Row => {
      const isOf = scenarioKey(each);
      const comparison = compared.get(each.label)?.find((other) => scenarioKey(other) === isOf);
      const conclusion = comparison?.conclusion;
      return {
        ...each,
        scenario: nameWithoutPrompt(each),
        isFirst: index === 0,
        model: each.verdict === 'SKIPPED' ? 'skipped' : each.label,
        rate: each.pass_rate,
        interval: intervalText(each),
        cost: each.trials_total === 0 ? MISSING : formatMoney(each.cost_per_trial_usd),
        latency: each.latency_p50,
        versus: comparison ? comparisonWords(comparison) : '',
        tone: isChange(conclusion) ? conclusion : 'open',
      };
    }),
  );
  const isOnAll = candidateNoun(scenarios) === 'model' || matrix.models.some((each) => each.scenarios > 1);
  return groups.length > 1 && isOnAll ? [...rows, ...matrix.models.map(overallRow)] : rows;
}

function overallRow(model: MatrixModel, index: number): Row {
  const { overall, together } = model;
  const conclusion = together?.conclusion;
  return {
    ...model,
    scenario: `all scenarios (${model.scenarios})`,
    isFirst: index === 0,
    model: model.label,
    rate: overall.pass_rate,
    interval: formatInterval(overall.pass_rate_ci),
    cost: formatMoney(model.cost_per_trial_usd),
    latency: model.latency_p50,
    versus: overallWords(model),
    tone: isChange(conclusion) ? conclusion : 'open',
  };
}

/** A longer name of the first model is left out of the header. */
const LONGEST_BASE = 16;

/** The models of a run: scenario by model, then a sentence about each model. */
export function matrixBlocks(matrix: RunMatrix, scenarios: readonly ReportedScenario[]): Block[] {
  const versus = matrix.base.length > LONGEST_BASE ? 'vs the first' : `vs ${matrix.base}`;
  const tones = { better: 'green', worse: 'red', open: 'dim' } as const;
  return [
    table(matrixRows(matrix, scenarios), [
      column('', { priority: 9 }, ({ verdict }) => verdictSign(verdict)),
      // On a terminal it has a line of its own, so that the names of models have room.
      column('Scenario', { place: 'above' }, ({ isFirst, scenario }) => ({
        text: isFirst ? scenario : '',
        print: scenario,
        tone: 'bold',
      })),
      column(
        candidateNoun(scenarios) === 'prompt' ? 'Prompt' : 'Model',
        { priority: 10, min: 16 },
        ({ model }) => model,
      ),
      figure('Passed', 3, passedOf),
      figure('Rate', 8, ({ rate, verdict }) => ({ text: formatPercent(rate), tone: verdictTone(verdict) })),
      figure('95% CI', 6, ({ interval: text }) => ({ text, tone: 'dim' })),
      figure('$/trial', 5, ({ cost }) => cost),
      figure('p50', 4, ({ trials_scored, latency }) => formatLatency(trials_scored, [latency])),
      column(versus, { priority: 7 }, ({ versus: text, tone }) => ({ text, tone: tones[tone] })),
    ]),
    { lines: [...matrixSentences(matrix), ...toned('dim', [luckNote(matrix)])] },
  ];
}
