import { toMarkdown } from 'salvo/kit/report-files';
import { describe, expect, it } from 'vitest';
import { JudgeAgent } from '../../match/judge-agent.ts';
import { gateScore } from '../../match/results/score-gate.ts';
import { renderScores, scoreReport } from './score-report.ts';
import { scoreSarif } from './score-sarif.ts';
import { type ScoredBlue, type ScoreSheet, scoreDocument } from './score-sheet.ts';

const VULNERABILITIES = [
  { id: 'v1', type: 'encryption', resource: 'aws_s3_bucket.data', severity: 'high', file: 'main.tf', line: 3 },
  { id: 'v2', type: 'iam', resource: 'aws_iam_role.app', severity: 'low', file: 'a b#.tf', line: 9, end_line: 12 },
  { id: 'v3' },
];
const judge = new JudgeAgent();

function blue(name: string, findings: Record<string, unknown>[]): ScoredBlue {
  const results = judge.score(VULNERABILITIES, findings);
  return { name, file: `${name}.json`, findings, notJudged: [], results, gate: gateScore(results, { minRecall: 0.5 }) };
}

function sheet(...blues: ScoredBlue[]): ScoreSheet {
  const red = { file: 'red.json', vulnerabilities: VULNERABILITIES };
  return { red, blues, matcher: 'documented', matchThreshold: 0.4, exactThreshold: 0.7, beta: 1, code: null };
}

const ENCRYPTION = { type: 'encryption', resource: 'aws_s3_bucket.data', severity: 'HIGH' };
const HOSTILE = { type: 'x\u001b[2Jy', resource: 'a|b', title: '<img src=x> @everyone\nnext | `code`', file: '../x' };
const many = sheet(blue('one', [ENCRYPTION, ENCRYPTION, HOSTILE]), blue('two', []));

describe('the report of scores', () => {
  it('names what was found, what evaded with the reason, and duplicates among the false alarms', () => {
    const text = renderScores(sheet(blue('one', [ENCRYPTION, ENCRYPTION])), { width: 100, color: false });
    expect(text).toContain('✔ v1 → finding 0 1.00 exact');
    expect(text).toContain('✖ v2 a b#.tf:9');
    expect(text).toContain('↻ finding 1 (again v1)');
    expect(text).toContain('100% without 1 duplicate');
    expect(text).toContain('✖ recall 0.333 is below 0.5');
  });

  it('shows no precision where nothing was reported, also beside another Blue', () => {
    const alone = renderScores(sheet(blue('two', [])), { width: 100, color: false });
    expect(alone).toMatch(/^Precision +— +nothing reported$/m);
    expect(alone).toMatch(/^F1 +0%/m);
    expect(renderScores(many, { width: 100, color: false })).toMatch(/^two +0% +— +0%/m);
    expect(toMarkdown(scoreReport(sheet(blue('two', []))))).toContain('| Precision | — | nothing reported |');
    expect(toMarkdown(scoreReport(many))).toContain('| two | 0% | — | 0% |');
  });

  it('asks for the code if findings name no address and something evaded', () => {
    const isAsked = (findings: Record<string, unknown>[], code: ScoreSheet['code'] = null) =>
      renderScores({ ...sheet(blue('one', findings)), code }, { width: 100, color: false }).includes(
        'Give the folder of the code',
      );
    expect(isAsked([{ title: 'no logs', file: 'main.tf', line: 3 }])).toBe(true);
    expect(isAsked([{ title: 'no logs', resource: 'the orders table' }])).toBe(true);
    expect(isAsked([{ title: 'no logs', resource: 'the orders table' }], {})).toBe(false);
    expect(isAsked([{ title: 'no logs', resource: 'aws_s3_bucket.a' }])).toBe(false);
    expect(isAsked([])).toBe(false);
  });

  it('says what a scanner could not judge, and which flaws are among that', () => {
    const red = { file: 'red.json', vulnerabilities: [{ id: 'v1', resource: 'Files', weakness: 'efs-unencrypted' }] };
    const results = judge.score(red.vulnerabilities, []);
    const notJudged = [
      { rule_id: 'AwsSolutions-EFS1', resource: 'Files' },
      { rule_id: 'AwsSolutions-EC23', resource: 'Pier' },
    ];
    const unjudged = { ...sheet({ ...blue('nag', []), results, notJudged }), red };
    const text = renderScores(unjudged, { width: 100, color: false });
    expect(text).toContain('nag says that it could not judge this');
    expect(text).toContain('nag could not judge 2 checks on 2 resources: they are neither findings nor passed.');
    expect(toMarkdown(scoreReport(unjudged))).toContain('Among them are those for 1 flaw that evaded it.');
    expect(scoreDocument(unjudged)).toMatchObject({ not_judged: { checks: notJudged, vulnerability_ids: ['v1'] } });
  });

  it('shows Youden’s J as a number, since it can be below 0', () => {
    const findings = [{ type: 'logging', resource: 'aws_s3_bucket.clean' }];
    const results = judge.score(VULNERABILITIES, findings, { cleanResources: ['aws_s3_bucket.clean'] });
    const text = renderScores(sheet({ ...blue('one', findings), results }), { width: 100, color: false });
    expect(text).toMatch(/^Youden’s J +-1\.00 /m);
  });

  it('contains no control characters of findings, and keeps to the width', () => {
    for (const width of [40, 80, 200]) {
      const text = renderScores(sheet(blue('one', [HOSTILE])), { width, color: false });
      expect(text).not.toContain('\u001b');
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(Math.min(120, width));
    }
  });

  it('shows several Blues as a matrix', () => {
    const text = renderScores(many, { width: 100, color: false });
    expect(text).toMatch(/^v1 +✔ +✖ +high encryption on aws_s3_bucket\.data$/m);
    expect(text).toMatch(/^v3 +✖ +✖ +\(nothing stated\)$/m);
    expect(text).toContain('two: recall 0.000 is below 0.5');
  });
});

describe('the Markdown of scores', () => {
  it('has a row for each vulnerability, and cells cannot break out of the table', () => {
    const text = toMarkdown(scoreReport(many));
    expect(text).toMatch(/^\| v1 \| ✅ 1\.00 \| ❌ \|/m);
    expect(text).not.toContain('<img');
    expect(text).not.toMatch(/@everyone/);
    const rows = text.split('\n').filter((line) => line.startsWith('| v'));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row.split('|')).toHaveLength(7);
  });
});

describe('the SARIF of scores', () => {
  it('has a result at the place of each vulnerability that a Blue missed', () => {
    const [run] = scoreSarif(many).runs;
    expect(run?.results.map(({ ruleId, level, message }) => [ruleId, level, message.text])).toEqual([
      ['evaded/encryption', 'error', 'Evaded two: v1, high encryption on aws_s3_bucket.data'],
      ['evaded/iam', 'note', 'Evaded one, two: v2, low iam on aws_iam_role.app'],
      ['evaded/unknown', 'warning', 'Evaded one, two: v3, (nothing stated)'],
    ]);
    const places = run?.results.map(({ locations }) => locations[0]?.physicalLocation);
    expect(places).toEqual([
      { artifactLocation: { uri: 'main.tf' }, region: { startLine: 3 } },
      { artifactLocation: { uri: 'a%20b%23.tf' }, region: { startLine: 9, endLine: 12 } },
      { artifactLocation: { uri: 'red.json' }, region: { startLine: 1 } },
    ]);
    expect(run?.results.map(({ ruleIndex }) => run.tool.driver.rules[ruleIndex]?.id)).toEqual(
      run?.results.map(({ ruleId }) => ruleId),
    );
  });

  const nobodyFound = (vulnerabilities: ScoreSheet['red']['vulnerabilities']) => {
    const results = judge.score(vulnerabilities, []);
    const none = { name: 'none', file: 'none.json', findings: [], results, gate: gateScore(results, {}) };
    return scoreSarif({ ...many, red: { file: 'red.json', vulnerabilities }, blues: [none] }).runs[0];
  };

  it('gives a rule the worst severity of its evaded vulnerabilities', () => {
    const severities = ['low', 'critical', 'medium'];
    const run = nobodyFound(severities.map((severity, index) => ({ id: `v${index}`, type: 'iam', severity })));
    expect(run?.tool.driver.rules.map(({ properties }) => properties['security-severity'])).toEqual(['9.5']);
  });

  it.each([
    ['./infra/main.tf', 'infra/main.tf'],
    ['infra\\main.tf', 'infra/main.tf'],
    ['C:\\code\\main.tf', 'file:///C:/code/main.tf'],
    ['/code/main.tf', 'file:///code/main.tf'],
    ['\ud800.tf', '%EF%BF%BD.tf'],
  ])('writes the file %j as a URI', (file, uri) => {
    const run = nobodyFound([{ id: 'v1', file, line: 1 }]);
    expect(run?.results[0]?.locations[0]?.physicalLocation.artifactLocation.uri).toBe(uri);
  });
});

describe('the document of scores', () => {
  it('has the scores of one Blue at the top level, or of several with a list of what each caught', () => {
    expect(scoreDocument(sheet(blue('one', [ENCRYPTION])))).toMatchObject({ blue: 'one.json', recall: 1 / 3 });
    expect(scoreDocument(many)).toMatchObject({
      blues: [
        { name: 'one', recall: 1 / 3 },
        { name: 'two', recall: 0 },
      ],
      caught: [
        { vulnerability_id: 'v1', by: ['one'] },
        { vulnerability_id: 'v2', by: [] },
        { vulnerability_id: 'v3', by: [] },
      ],
    });
  });
});
