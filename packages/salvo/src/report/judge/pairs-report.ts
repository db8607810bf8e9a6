import type { PairCalibration } from '../../judge/pairwise/calibrate-pairs.ts';
import { PREFERENCES } from '../../judge/pairwise/pairwise-outcome.ts';
import { formatCost, formatInterval, formatPercent, formatPlural } from '../../stats/format.ts';
import { type JudgeCostFields, judgeCost } from '../../trace/cost-fields.ts';
import { column, figure, type ReportDocument, table, toned } from '../document/document.ts';
import { toTerminal } from '../document/terminal.ts';
import type { Look } from '../terminal/look.ts';
import { biasWords } from './judge-summaries.ts';

const PREFERS = { win: 'prefer a', tie: 'neither', loss: 'prefer b' };

/** A judge of pairs compared with people, for `salvo calibrate` with a file of pairs. */
export function renderPairs(calibration: PairCalibration & JudgeCostFields, look: Look): string {
  return toTerminal(pairsReport(calibration), look);
}

function pairsReport(calibration: PairCalibration & JudgeCostFields): ReportDocument {
  const { judge_model, verdict, pairs, cases, sentences, notes, unscored, not_judged, changed_rate } = calibration;
  const { value: changed, ci } = changed_rate;
  const { value: by, ci: byInterval } = calibration.first_preferred_by;
  return [
    {
      lines: [
        { text: `${judge_model}, which of two answers is better: ${verdict}`, tone: 'bold' },
        ...toned('dim', [
          `${formatPlural(pairs, 'pair')} of ${formatPlural(cases, 'case')}, each asked in both orders`,
        ]),
      ],
    },
    { lines: sentences },
    table(
      [...PREFERENCES],
      [
        column('People', { priority: 9 }, (people) => PREFERS[people]),
        ...PREFERENCES.map((judge) =>
          figure(`Judge: ${PREFERS[judge].replace('prefer ', '')}`, 5, (people: (typeof PREFERENCES)[number]) =>
            String(calibration.table[people][judge]),
          ),
        ),
      ],
    ),
    {
      lines: [
        ...(changed === null
          ? []
          : [
              `${formatPercent(changed)}${ci ? ` (95% CI ${formatInterval(ci)})` : ''} of its preferences changed with the order${biasWords(by, byInterval)}.`,
            ]),
        ...(unscored > 0 ? [`${formatPlural(unscored, 'pair')} could not be scored.`] : []),
        ...(not_judged > 0 ? [`${formatPlural(not_judged, 'pair')} not judged.`] : []),
        ...notes,
        `Nothing is stored but votes. Cost ${formatCost(judgeCost(calibration))}.`,
      ],
    },
  ];
}
