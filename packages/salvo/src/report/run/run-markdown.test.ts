import { describe, expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../test/hostile-texts.ts';
import { sampleReport, sampleReportedScenario } from '../../../../../test/sample-report.ts';
import { markdownText } from '../markdown-text.ts';
import { runMarkdown } from './run-text.ts';

describe('markdownText', () => {
  test.each([
    ['a | b', 'a &#124; b'],
    [
      '`x` *y* _z_ [l](u) ~~s~~ $m$ \\',
      '&#96;x&#96; &#42;y&#42; &#95;z&#95; &#91;l&#93;(u) &#126;&#126;s&#126;&#126; &#36;m&#36; &#92;',
    ],
    ['<img src=x> &amp;', '&lt;img src=x&gt; &amp;amp;'],
    ['two\nlines', 'two↵lines'],
    ['# heading', '&#35; heading'],
    ['1. item', '1&#46; item'],
    ['- item', '&#45; item'],
    ['-0.08 to +0.5', '-0.08 to +0.5'],
    ['ask @octocat about #12 and GH-3', 'ask @&#8203;octocat about #&#8203;12 and GH-&#8203;3'],
    ['see https://evil.example and www.evil.example', 'see https:&#8203;//evil.example and www&#8203;.evil.example'],
  ])('%j is plain text', (text, markdown) => {
    expect(markdownText(text)).toBe(markdown);
  });

  test('no hostile text can act', async () => {
    for (const text of HOSTILE_TEXTS) expect(markdownText(text)).not.toMatch(/[|`<>*_[\]\n\u001b\u202e]|(?<!&)[@#]\w/);
  });
});

describe('runMarkdown', () => {
  test('begins with the verdict, then the table, then details to unfold', async () => {
    const text = await runMarkdown(sampleReport());
    expect(text.split('\n').slice(0, 8)).toMatchInlineSnapshot(`
      [
        "## ⛔ HARD FAIL: a required assertion failed in 1 of 3 scenarios",
        "",
        "3 scenarios · 42/46 passed · 2 not scored · 2 not run · 15 retries · at least $1.25 · 42.4s · run 01k7x9f3qz · exit code 2  ",
        "",
        "|  | Scenario | Passed | Rate | 95% CI | Score (min) | Cost | p50/p95 |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| ✅ | refund-happy-path | 20/20 | 100% | 84–100% | 1.00 (1.00) | $0.0124 | 820ms/1.2s |",
        "| ⛔ | refund-fraud | 16/20 | 80% | 58–92% | 0.86 (0.25) | $1.24 | 2.3s/1m 05s |",
      ]
    `);
    expect(text).toContain('<details>\n<summary>⛔ <b>refund-fraud</b>');
    expect(text).toContain('2 trials not scored (not counted as failed)');
    expect(text).toContain('trials 3, 7, 12, 19: <code>salvo replay 01k7x9f3qz/refund-fraud 3</code>');
    expect(text.match(/<details>/g)).toHaveLength(2);
    expect(text.match(/<\/details>/g)).toHaveLength(2);
  });

  test('every row of its tables has as many cells as their heads', async () => {
    const scenarios = HOSTILE_TEXTS.map((name) => sampleReportedScenario({ name }));
    const rows = (await runMarkdown({ ...sampleReport(), scenarios }))
      .split('\n')
      .filter((line) => line.startsWith('|'));
    expect(rows).toHaveLength(HOSTILE_TEXTS.length + 2);
    for (const row of rows) expect(row.split('|')).toHaveLength(10);
  });

  test('stays below 1 MiB and says what was cut', async () => {
    const [, failing] = sampleReport().scenarios;
    if (!failing) throw new Error('the sample has a failing scenario');
    const some = await runMarkdown({ ...sampleReport(), scenarios: Array.from({ length: 2000 }, () => failing) });
    expect(Buffer.byteLength(some)).toBeLessThanOrEqual(1024 * 1024);
    expect(some).toMatch(/_[\d,]+ more parts left out/);
    const many = await runMarkdown({ ...sampleReport(), scenarios: Array.from({ length: 20_000 }, () => failing) });
    expect(Buffer.byteLength(many)).toBeLessThanOrEqual(1024 * 1024);
    expect(many).toMatch(/_[\d,]+ more left out; JSON lists all/);
  });

  test('keeps what judges cost apart from what agents cost', async () => {
    const scenarios = [sampleReportedScenario({ judge_cost_usd: 0.0021 }), sampleReportedScenario({})];
    const lines = (await runMarkdown({ ...sampleReport(), scenarios })).split('\n');
    expect(lines[2]).toContain(' · $0.0248 + $0.0021 judges · ');
    expect(lines[4]).toContain('| Cost | Judges |');
    expect(lines[6]).toContain('| $0.0124 | $0.0021 |');
    expect(lines[7]).toContain('| $0.0124 | — |');
    for (const line of lines.slice(4, 8)) expect(line.split('|')).toHaveLength(11);
  });

  test("shows a judge's example as criteria with their votes", async () => {
    const [, failing] = sampleReport().scenarios;
    const [failure] = failing?.assertion_failures ?? [];
    if (!failing || !failure) throw new Error('the sample has a failing scenario');
    const criteria = [{ name: 'po|lite', score: 0.5, all_scores: [0.25, 0.5, 1], reasoning: 'no <b>sorry</b>' }];
    const judge = { judge_model: 'gpt-4o-mini', k: 3, criteria, dissenting_votes: 1 };
    const text = await runMarkdown({
      ...sampleReport(),
      scenarios: [{ ...failing, assertion_failures: [{ ...failure, judge }] }],
    });
    expect(text).toContain(
      'gpt-4o-mini · 3 votes, 1 dissented<br>po&#124;lite 0.50 ▂▄█ range 0.25–1.00<br>no &lt;b&gt;sorry&lt;/b&gt; |',
    );
  });
});
