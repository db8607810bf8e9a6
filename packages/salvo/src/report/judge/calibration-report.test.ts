import { describe, expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../test/hostile-texts.ts';
import { type CalibrationItem, calibrate } from '../../judge/calibration/calibration.ts';
import { displayWidth } from '../../text/output/safe-text.ts';
import { renderCalibration } from './calibration-report.ts';

const PLAIN = { width: 80, color: false };
const [FACTS, TONE] = ['facts', 'tone of voice'];

/** People give `human` for everything; each vote gives `facts` on the facts and `tone` on the tone. */
function item(human: number, ...votes: [facts: number, tone: number][]): CalibrationItem {
  const overall = votes.map(([facts, tone]) => (3 * facts + tone) / 4);
  const score = overall.toSorted()[Math.floor(overall.length / 2)] ?? 0;
  return {
    labels: { [FACTS]: human, [TONE]: human },
    votes: [
      votes.map(([facts, tone]) => ({
        [FACTS]: { score: facts, reasoning: '' },
        [TONE]: { score: tone, reasoning: '' },
      })),
    ],
    outcome: { score, passed: score >= 0.8 },
  };
}

function times(count: number, one: CalibrationItem): CalibrationItem[] {
  return Array.from({ length: count }, () => one);
}

function report(items: CalibrationItem[], names: string[] = [FACTS, TONE]) {
  const criteria = names.map((name, index) => ({ name, weight: index === 0 ? 3 : 1 }));
  const compared = calibrate({ items, criteria, threshold: 0.8, seed: 1 });
  return { ...compared.report, disagreements: compared.disagreements };
}

const good = [
  ...times(20, item(1, [1, 1], [1, 1], [1, 1])),
  ...times(3, item(1, [0.9, 0.5], [0.9, 0.5], [0.6, 0.5])),
  ...times(20, item(0, [0, 0.5], [0.2, 1], [0, 0])),
];

describe('renderCalibration', () => {
  test('shows the verdict and why, the figures, and what to do next', () => {
    const judge = { judge_model: 'gpt-4o-mini', judge_adapter: 'openai', k: 3 };
    expect(renderCalibration({ ...report(good), ...judge }, PLAIN)).toMatchInlineSnapshot(`
      "gpt-4o-mini (openai) 3 votes
      ✔ usable
      kappa 1.00 (95% interval 0.89 to 1.00) on 43 items
      43 labelled items, threshold 0.8

      No label names its case, task or id, so each is taken for another answer that is
      independent of the others.

      → Use it as it is, and calibrate again when the model, the prompt or the rubric
        changes.

         Verdict     Items  Agree  Kappa        95% CI     Sensitivity     Specificity
      ✔  facts          43   100%   1.00  0.90 to 1.00  100% (82–100%)  100% (80–100%)
      ✔  tone of        43    93%   0.86  0.65 to 1.00    87% (65–97%)  100% (80–100%)
         voice
      ✔  overall        43   100%   1.00  0.89 to 1.00  100% (82–100%)  100% (80–100%)
      Kappa: agreement on pass or fail beyond chance; 1 is perfect agreement, 0 is
      chance.
      Sensitivity: of what people passed, how much it passed.
      Specificity: of what people failed, how much it failed.

      Scores          Rho   Tau  Error  |Error|  Flips     Best at  Votes
      facts          0.97  0.94  -0.01     0.01     5%  0.8 (1.00)      1
      tone of voice  0.87  0.87  +0.20     0.27    31%  0.8 (0.86)    >21
      overall        0.97  0.94  +0.04     0.07     5%  0.8 (1.00)      1
      Rho: whether it ranks the items as people do (Spearman).
      Tau: the same by pairs of items (Kendall).
      Error: its scores minus those of people.
      Flips: how often two of its votes on one item differ.
      Best at: the threshold that agrees best, and its kappa.
      Votes: how many make the verdict stable.
      "
    `);
  });

  test('a judge no better than chance is not to be relied on', () => {
    const text = renderCalibration(report([...times(20, item(1, [1, 1])), ...times(20, item(0, [1, 1]))]), PLAIN);
    expect(text).toContain('✖ no better than chance');
    expect(text).toContain('→ Do not rely on it.');
    expect(text).toContain('→ It is too kind: its scores are 0.50 above those of people on average.');
    expect(text).not.toContain('Ask for more than one vote');
    const one = { ...report([...times(20, item(1, [1, 1])), ...times(20, item(0, [1, 1]))]), k: 1 };
    expect(renderCalibration(one, PLAIN)).toContain('→ Ask for more than one vote');
  });

  test('items on which it and people differ are listed, worst first, and the rest is counted', () => {
    const wrong = (line: number, votes: [number, number][]): CalibrationItem => ({
      ...item(1, ...votes),
      line,
      task: `Task ${line}`,
      response: `Answer ${line}`,
      said: [{ name: FACTS, score: 0, reasoning: `Reason ${line}` }],
    });
    const certain = Array.from({ length: 9 }, (_, index) =>
      wrong(200 + index, [
        [0, 0],
        [0, 0],
        [0, 0],
      ]),
    );
    const text = renderCalibration(
      report([
        ...good,
        wrong(100, [
          [0, 0],
          [0, 0],
          [1, 1],
        ]),
        ...certain,
      ]),
      PLAIN,
    );
    expect(text).toContain(
      [
        'Judge and people differ on 10 of 53 items, worst first:',
        '  line 200  people: pass · judge: fail 0.00 (3 of 3 votes)',
        '    task: Task 200',
        '    answer: Answer 200',
        '    judge: facts: Reason 200',
        '  line 201',
      ].join('\n'),
    );
    expect(text).toContain('  and 2 more (JSON lists all)');
    expect(text).not.toContain('line 100');
  });

  test('a panel whose majority is worse than its best judge is told so, and by how much', () => {
    const verdicts = (human: number, majority: boolean, best: boolean): CalibrationItem => ({
      passed: human === 1,
      votes: [],
      outcome: { score: majority ? 1 : 0, passed: majority },
      panel: [
        { judge: 'best', passed: best },
        { judge: 'other', passed: majority },
      ],
    });
    const items = [
      ...times(20, verdicts(1, false, true)),
      ...times(20, verdicts(1, true, true)),
      ...times(10, verdicts(0, false, false)),
    ];
    const text = renderCalibration(report(items), PLAIN).replaceAll(/\n {2}/g, ' ');
    expect(text).toContain('Panel, agreement with people: majority 60% · best 100% · other 60%');
    expect(text).toMatch(
      /The panel's majority agrees with people on 60% of 50 items, best alone on 100%: 40 points more \(95% interval \+\d+ to \+\d+\)\. Take that judge alone, or others\./,
    );
  });

  test('a judge that could not be asked is not called weak: the cause is named, and what to do', () => {
    const dead: CalibrationItem = {
      passed: true,
      votes: [[null, null, null]],
      failedCalls: 3,
      outcome: null,
      error: 'The connection to openai failed: connect ECONNREFUSED 127.0.0.1:1',
    };
    const text = renderCalibration({ ...report(times(4, dead)), k: 3 }, PLAIN).replaceAll(/\n {2}/g, ' ');
    expect(text).toContain('◌ could not be compared with people: The connection to openai failed');
    expect(text).toContain('→ 12 of 12 calls failed. Check the adapter of the judge');
    for (const wrong of ['weak', 'Label', 'more than one vote', 'tokens']) expect(text).not.toContain(wrong);
  });

  test('too few labels, or labels of one kind, ask for more', () => {
    const text = renderCalibration(report(times(5, item(1, [1, 1], [1, 1]))), PLAIN);
    expect(text).toContain('◌ too few labels');
    expect(text).toContain('→ Label 15 more items at least.');
    expect(text).toContain('→ Label some items that fail.');
  });

  test('a better threshold is named, with a warning that it was chosen on these labels', () => {
    const strict = [...times(20, item(1, [0.7, 0.7])), ...times(20, item(0, [0.3, 0.3]))];
    const text = renderCalibration(report(strict), PLAIN).replaceAll(/\n {2}/g, ' ');
    expect(text).toContain(
      'A threshold of 0.5 would agree better than 0.8: kappa 1.00 instead of 0.00. Check it on other',
    );
  });

  test('a judge that contradicts itself is asked for more votes, as long as more would help', () => {
    const steadier = [...times(30, item(1, [1, 1], [1, 1])), ...times(30, item(0, [0, 0], [0, 0]))];
    const torn = item(1, [1, 1], [0, 0]);
    const some = { ...report([...steadier, ...times(7, torn)]), k: 1 };
    expect(renderCalibration(some, PLAIN)).toMatch(/→ With \d+ votes instead of 1 /);
    expect(renderCalibration(report(times(20, torn)), PLAIN)).toContain(
      '→ Even 21 votes would not give stable verdicts',
    );
  });

  test('items that could not be scored are said to be left out, and why', () => {
    const dead: CalibrationItem = { passed: true, votes: [[null, null]], outcome: null, error: 'HTTP 503' };
    const text = renderCalibration(report([...good.slice(0, 4), dead, dead]), PLAIN).replaceAll(/\n {2}/g, ' ');
    expect(text).toContain('4 of 6 labelled items scored');
    expect(text).toContain('2 items could not be scored and were left out (lines 5-6): HTTP 503');
    expect(text).toContain('4 of 16 votes could not be read');
  });

  test('without items can be shown', () => {
    const text = renderCalibration(report([], []), PLAIN);
    expect(text).toContain('◌ could not be compared with people');
    expect(text).not.toContain('NaN');
  });

  test('knows terminals without Unicode', () => {
    expect(renderCalibration(report(good), { ...PLAIN, ascii: true })).toMatch(/^[\x20-\x7e\n]*$/);
  });

  test('colour changes nothing but colours', () => {
    const painted = renderCalibration(report(good), { width: 80, color: true });
    expect(painted).not.toBe(renderCalibration(report(good), PLAIN));
    expect(painted.replaceAll(/\u001b\[\d+m/g, '')).toBe(renderCalibration(report(good), PLAIN));
  });

  test('hostile names neither act on the terminal nor widen a line', () => {
    for (const text of HOSTILE_TEXTS) {
      const named: CalibrationItem = {
        ...item(1, [1, 1]),
        labels: { [text]: 1 },
        votes: [[{ [text]: { score: 1, reasoning: text } }]],
      };
      const dead: CalibrationItem = { passed: true, votes: [], outcome: null, error: text };
      const shown = {
        ...report([...times(3, named), { ...named, labels: { [text]: 0 } }, dead], [text, 'x']),
        judge_model: text,
        judge_adapter: text,
        k: 1,
      };
      for (const width of [24, 40, 80, 200]) {
        const rendered = renderCalibration(shown, { width, color: false });
        expect(rendered).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
        for (const line of rendered.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }
    }
  });
});
