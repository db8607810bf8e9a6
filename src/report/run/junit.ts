import type { EvalResult } from '../../evaluators/eval-result.ts';
import { readJudgement } from '../../judge/stored-judgement.ts';
import type { ScenarioSummary } from '../../run/run-document.ts';
import { safeLine, visibleControls } from '../../text/safe-text.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { type CriteriaScores, judgePlainLines, judgeScores } from '../judge/judge-words.ts';
import { createChunkedWriter, type Write } from '../terminal/chunked-writer.ts';
import type { RunStream, ScenarioStream } from './run-report.ts';

const LONGEST_DETAIL = 8_000;

/**
 * JUnit XML as Jenkins, GitLab and the GitHub actions read it: a suite per scenario, a case per trial. A failed trial is
 * a `failure`, an unscored one an `error`. The trials are read twice, because a suite's time comes before its cases.
 */
export async function writeJunit(options: RunStream & { write: Write }): Promise<void> {
  const { add, flush } = createChunkedWriter(options.write);
  const seconds: number[] = [];
  for (const scenario of options.scenarios) seconds.push(await totalSeconds(scenario));
  const sum = (of: (summary: ScenarioSummary) => number) =>
    options.scenarios.reduce((total, { summary }) => total + of(summary), 0);
  const classNames = distinctNames(options.scenarios.map(({ summary }) => summary));
  await add('<?xml version="1.0" encoding="UTF-8"?>\n');
  await add(
    `<testsuites${attributes({
      name: `salvo ${options.run.run_id}`,
      tests: sum((summary) => summary.trials_total),
      failures: sum(failures),
      errors: sum((summary) => summary.trials_unscored),
      skipped: 0,
      time: seconds.reduce((total, each) => total + each, 0).toFixed(3),
    })}>\n`,
  );
  for (const [index, { summary, trials }] of options.scenarios.entries()) {
    const className = classNames[index] ?? summary.name;
    await add(
      `  <testsuite${attributes({
        name: className,
        tests: summary.trials_total,
        failures: failures(summary),
        errors: summary.trials_unscored,
        skipped: 0,
        time: (seconds[index] ?? 0).toFixed(3),
        timestamp: options.run.created_at,
        file: summary.file,
      })}>\n${suiteProperties(summary)}`,
    );
    for await (const trial of trials()) await add(testCase(trial, className, summary));
    await add('  </testsuite>\n');
  }
  await add('</testsuites>\n');
  await flush();
}

async function totalSeconds({ trials }: ScenarioStream): Promise<number> {
  let total = 0;
  for await (const trial of trials()) total += trial.latency_seconds ?? 0;
  return total;
}

function failures(summary: ScenarioSummary): number {
  return summary.trials_failed + summary.trials_hard_failed;
}

/** GitLab treats cases of the same class and name as one case, so two scenarios must not share a name. */
function distinctNames(summaries: readonly ScenarioSummary[]): string[] {
  const taken = new Set<string>();
  return summaries.map(({ name, file, model }) => {
    const candidates = [name, `${name} (${file})`, `${name} (${file}, ${model})`];
    let distinct = candidates.find((candidate) => !taken.has(candidate)) ?? name;
    for (let count = 2; taken.has(distinct); count += 1) distinct = `${name} (${count})`;
    taken.add(distinct);
    return distinct;
  });
}

function suiteProperties(summary: ScenarioSummary): string {
  const [low, high] = summary.pass_rate_ci ?? [null, null];
  const { verdict, model, adapter, trials_planned, threshold, pass_rate, score_avg, score_min } = summary;
  const { cost_total_usd, judge_cost_usd, latency_p50, latency_p95, retries } = summary;
  const properties = {
    ...{ verdict, model, adapter, trials_planned, threshold, pass_rate },
    pass_rate_ci_low: low,
    pass_rate_ci_high: high,
    ...{ score_avg, score_min, cost_total_usd, judge_cost_usd, latency_p50, latency_p95, retries },
    stopped: summary.stopped ?? 'no',
  };
  const lines = Object.entries(properties).map(
    ([name, value]) => `      <property${attributes({ name, value: value ?? 'unknown' })}/>\n`,
  );
  return `    <properties>\n${lines.join('')}    </properties>\n`;
}

function testCase(trial: TrialResult, classname: string, { file }: ScenarioSummary): string {
  const time = (trial.latency_seconds ?? 0).toFixed(3);
  const open = `    <testcase${attributes({ name: `trial ${trial.trial_number}`, classname, file, time })}`;
  const outcome = outcomeOf(trial);
  if (outcome === null) return `${open}/>\n`;
  const { element, type, message, text } = outcome;
  const attributeText = attributes({ type, message: safeLine(message, 300) });
  const output =
    trial.trace_id === null ? '' : `\n      <system-out>salvo replay ${content(trial.trace_id)}</system-out>`;
  return `${open}>\n      <${element}${attributeText}>${content(text)}</${element}>${output}\n    </testcase>\n`;
}

function outcomeOf(trial: TrialResult): { element: string; type: string; message: string; text: string } | null {
  const scored = trial.eval_results.filter(({ status, passed }) => status === 'scored' && !passed);
  switch (trial.status) {
    case 'passed':
      return null;
    case 'unscored': {
      const unscored = trial.eval_results.filter(({ status }) => status === 'unscored');
      const message = trial.error_message ?? unscored[0]?.details ?? 'the trial could not be scored';
      return { element: 'error', type: 'unscored', message, text: [message, ...unscored.map(detail)].join('\n') };
    }
    case 'failed':
    case 'hard_fail': {
      const worst = trial.status === 'hard_fail' ? (scored.find(({ required }) => required) ?? scored[0]) : scored[0];
      const score = trial.score === null ? '' : `score ${trial.score.toFixed(2)}`;
      const message = worst ? `${worst.assertion_id}: ${shortDetails(worst)}` : (trial.error_message ?? score);
      const lines = [score, trial.error_message ?? '', ...scored.map(detail)].filter((line) => line !== '');
      return { element: 'failure', type: trial.status, message, text: lines.join('\n') };
    }
  }
}

/** The scores of a judge; null for any other assertion. */
function scoresOfJudge({ metadata, status }: EvalResult): CriteriaScores | null {
  const judgement = status === 'scored' ? readJudgement(metadata) : null;
  return judgement && { ...judgement, criteria: judgement.per_criterion };
}

function shortDetails(result: EvalResult): string {
  const scores = scoresOfJudge(result);
  return scores ? judgeScores(scores) : result.details;
}

function detail(result: EvalResult): string {
  const scores = scoresOfJudge(result);
  const whole = scores ? judgePlainLines(scores).join('\n') : result.details;
  const over = whole.length - LONGEST_DETAIL;
  const details = over > 0 ? `${whole.slice(0, LONGEST_DETAIL)}… (${over} more characters)` : whole;
  const required = result.required ? ', required' : '';
  return `${result.assertion_id} (${result.assertion_type}, weight ${result.weight}${required}): ${details}`;
}

function attributes(values: Record<string, string | number>): string {
  const escaped = Object.entries(values).map(([name, value]) => {
    const text = content(String(value)).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
    return ` ${name}="${text}"`;
  });
  return escaped.join('');
}

/** XML 1.0 has no way at all to write most control characters, lone surrogates, U+FFFE and U+FFFF. */
function content(text: string): string {
  return visibleControls(text)
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}
