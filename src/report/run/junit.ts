import type { EvalResult } from '../../evaluators/eval-result.ts';
import { candidateLabels, comparedScenarios, scenarioKey } from '../../run/candidate-labels.ts';
import type { ScenarioSummary } from '../../run/run-document.ts';
import { safeLine, visibleControls } from '../../text/safe-text.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { type AgainstCase, againstCases } from '../compare/against-words.ts';
import { judgePlainLines } from '../judge/judge-words.ts';
import { scoresOfJudge, shortDetails } from '../judge/result-words.ts';
import { createChunkedWriter, type Write } from '../terminal/chunked-writer.ts';
import { leftOutCases } from './quarantine-lines.ts';
import { replayCommand } from './replay-command.ts';
import type { RunStream, ScenarioStream } from './run-report.ts';
import { scenarioHandles } from './scenario-handles.ts';
import { isCounted, isGreen, verdictReason } from './verdict.ts';

const LONGEST_DETAIL = 8_000;
const LONGEST_MESSAGE = 4_000;

/**
 * JUnit XML as Jenkins, GitLab and the GitHub actions read it: a suite per scenario, a test case per trial, and a last case
 * for the verdict. What the verdict tolerates is `skipped`, so there are failures or errors exactly if the run does not
 * exit with 0. The trials are read twice, because a suite's time comes before its cases.
 */
export async function writeJunit(options: RunStream & { write: Write }): Promise<void> {
  const { add, flush } = createChunkedWriter(options.write);
  const seconds: number[] = [];
  const scenarios = withoutEmptySuccess(options.scenarios);
  for (const scenario of scenarios) seconds.push(await totalSeconds(scenario));
  const sum = (of: (summary: ScenarioSummary) => number) =>
    scenarios.reduce((total, { summary }) => total + of(summary), 0);
  const handles = scenarioHandles(scenarios.map(({ summary }) => summary));
  const classNames = distinctNames(scenarios.map(({ summary }) => summary));
  const baseline = againstCases(options.against);
  const baselineSuite = baseline.length === 0 ? '' : againstSuite(baseline, options.run.created_at);
  await add('<?xml version="1.0" encoding="UTF-8"?>\n');
  await add(
    `<testsuites${attributes({
      name: `salvo ${options.run.run_id}`,
      tests: sum((summary) => caseCounts(summary).tests) + baseline.length,
      failures: sum((summary) => caseCounts(summary).failures) + count(baseline, 'failure'),
      errors: sum((summary) => caseCounts(summary).errors) + count(baseline, 'error'),
      skipped: sum((summary) => caseCounts(summary).skipped),
      time: seconds.reduce((total, each) => total + each, 0).toFixed(3),
    })}>\n`,
  );
  for (const [index, { summary, trials }] of scenarios.entries()) {
    const className = classNames[index] ?? summary.name;
    const handle = handles[index] ?? summary.name;
    const replay = ({ case: caseName, trial_number: trialNumber }: TrialResult) =>
      replayCommand({ runId: options.run.run_id, scenario: handle, caseName, trialNumber });
    await add(
      `  <testsuite${attributes({
        name: className,
        ...caseCounts(summary),
        time: (seconds[index] ?? 0).toFixed(3),
        timestamp: options.run.created_at,
        file: summary.file,
      })}>\n${suiteProperties(summary)}`,
    );
    const leftOut = leftOutCases(summary);
    for await (const trial of trials()) await add(trialCase(trial, { className, summary, leftOut, replay }));
    for (const { name, reason } of skippedCases(summary)) await add(skippedCase(name, reason, { className, summary }));
    await add(verdictCase(className, summary));
    await add('  </testsuite>\n');
  }
  await add(baselineSuite);
  await add('</testsuites>\n');
  await flush();
}

/** A suite for the comparison with a baseline: a case for each scenario. */
function againstSuite(cases: readonly AgainstCase[], timestamp: string): string {
  const name = 'compared with the baseline';
  const counts = { tests: cases.length, failures: count(cases, 'failure'), errors: count(cases, 'error'), skipped: 0 };
  const lines = cases.map(({ scenario, file, outcome, sentence }) => {
    const open = `    <testcase${attributes({ name: scenario, classname: name, file, time: '0.000' })}>`;
    const text = safeLine(sentence, LONGEST_MESSAGE);
    const inside =
      outcome === null
        ? `<system-out>${content(text)}</system-out>`
        : `<${outcome}${attributes({ type: 'baseline', message: text })}>${content(text)}</${outcome}>`;
    return `${open}\n      ${inside}\n    </testcase>\n`;
  });
  return `  <testsuite${attributes({ name, ...counts, time: '0.000', timestamp })}>\n${lines.join('')}  </testsuite>\n`;
}

function count(cases: readonly AgainstCase[], outcome: AgainstCase['outcome']): number {
  return cases.filter((each) => each.outcome === outcome).length;
}

/** If everything is skipped or in quarantine, the run does not exit with 0, so its scenarios are errors here. */
function withoutEmptySuccess(scenarios: readonly ScenarioStream[]): readonly ScenarioStream[] {
  if (scenarios.some(({ summary }) => isCounted(summary))) return scenarios;
  return scenarios.map(({ summary, trials }) => ({ summary: { ...summary, verdict: 'UNSCORED' }, trials }));
}

async function totalSeconds({ trials }: ScenarioStream): Promise<number> {
  let total = 0;
  for await (const trial of trials()) total += trial.latency_seconds ?? 0;
  return total;
}

/** The numbers of cases by outcome, as `trialOutcome` and `verdictCase` give them. */
function caseCounts(summary: ScenarioSummary): { tests: number; failures: number; errors: number; skipped: number } {
  const left = skippedCases(summary).length;
  const counts = countTrials(summary);
  const leftOut = leftOutCases(summary);
  const quarantined = summary.cases.filter(({ case_index }) => leftOut.has(case_index));
  const notPassed = quarantined.reduce((sum, each) => sum + each.trials_total - each.trials_passed, 0);
  return {
    ...counts,
    tests: counts.tests + left + summary.trials_quarantined,
    skipped: counts.skipped + left + notPassed,
  };
}

/** The cases that are not run, as their rows say. */
function skippedCases({ cases }: ScenarioSummary): { name: string; reason: string }[] {
  return cases.flatMap((each) => (each.skipped === null ? [] : [{ name: each.case, reason: each.skipped }]));
}

function countTrials(summary: ScenarioSummary): { tests: number; failures: number; errors: number; skipped: number } {
  if (summary.verdict === 'SKIPPED') return { tests: 1, failures: 0, errors: 0, skipped: 1 };
  const failed = summary.trials_failed + summary.trials_hard_failed;
  const { trials_crashed: crashed, trials_unscored: unscored } = summary;
  const tests = summary.trials_total + 1;
  if (summary.verdict === 'QUARANTINED') {
    return { tests, failures: 0, errors: 0, skipped: failed + crashed + unscored + 1 };
  }
  if (isGreen(summary)) return { tests, failures: 0, errors: 0, skipped: failed + crashed + unscored };
  if (summary.verdict === 'UNSCORED') return { tests, failures: failed, errors: crashed + unscored + 1, skipped: 0 };
  return { tests, failures: failed + 1, errors: crashed, skipped: unscored };
}

/**
 * GitLab treats cases of the same class and name as one case, so two scenarios must not share a name. A scenario that
 * ran with several models has a suite for each, all with the model in their name.
 */
function distinctNames(summaries: readonly ScenarioSummary[]): string[] {
  const taken = new Set<string>();
  const labels = candidateLabels(summaries);
  const compared = comparedScenarios(summaries);
  return summaries.map((summary, index) => {
    const { name, file } = summary;
    const candidates = compared.has(scenarioKey(summary))
      ? [`${name} (${labels[index]})`, `${name} (${file}, ${labels[index]})`]
      : [name, `${name} (${file})`];
    let distinct = candidates.find((candidate) => !taken.has(candidate)) ?? name;
    for (let count = 2; taken.has(distinct); count += 1) distinct = `${name} (${count})`;
    taken.add(distinct);
    return distinct;
  });
}

function suiteProperties(summary: ScenarioSummary): string {
  const [low, high] = summary.pass_rate_ci ?? [null, null];
  const { verdict, decided_by, model, adapter, trials_planned, threshold, pass_rate, score_avg, score_min } = summary;
  const { cost_total_usd, judge_cost_usd, latency_p50, latency_p95, retries } = summary;
  const properties = {
    ...{ verdict, decided_by, model, adapter, trials_planned, threshold },
    min_pass_rate: summary.min_pass_rate,
    min_score: summary.min_score ?? 'none',
    pass_rate,
    identical_trials: String(summary.identical_trials),
    pass_rate_ci_low: low,
    pass_rate_ci_high: high,
    ...{ score_avg, score_min, cost_total_usd, judge_cost_usd, latency_p50, latency_p95, retries },
    stopped: summary.stopped ?? 'no',
    ...gateProperties(summary),
  };
  const lines = Object.entries(properties).map(
    ([name, value]) => `      <property${attributes({ name, value: value ?? 'unknown' })}/>\n`,
  );
  return `    <properties>\n${lines.join('')}    </properties>\n`;
}

/** The gates beside `min_pass_rate` and `min_score`, which are properties of their own. */
function gateProperties({ gates }: ScenarioSummary): Record<string, string> {
  const further = gates.filter(({ gate }) => gate !== 'min_pass_rate' && gate !== 'min_score');
  return Object.fromEntries(
    further.map(({ gate, of, limit, value, met }) => {
      const outcome = met === null ? 'unknown' : met ? 'met' : 'missed';
      return [of === null ? gate : `${gate} ${of}`, `${value ?? 'unknown'} (limit ${limit}, ${outcome})`];
    }),
  );
}

interface CaseSurroundings {
  className: string;
  summary: ScenarioSummary;
  /** The cases in quarantine. */
  leftOut: ReadonlySet<number>;
  /** The command that shows the conversation of a trial. */
  replay: (trial: TrialResult) => string;
}

function trialCase(trial: TrialResult, { className: classname, summary, leftOut, replay }: CaseSurroundings): string {
  const time = (trial.latency_seconds ?? 0).toFixed(3);
  const open = `    <testcase${attributes({ name: trialName(trial), classname, file: summary.file, time })}`;
  if (trial.status === 'passed') return `${open}/>\n`;
  const { element, type, message, text } = trialOutcome(trial, summary, leftOut.has(trial.case_index));
  const outcome =
    element === 'skipped'
      ? `<skipped${attributes({ message })}/>`
      : `<${element}${attributes({ type, message })}>${content(text)}</${element}>`;
  const lines = [
    ...(element === 'skipped' && text !== '' ? [text] : []),
    ...(trial.trace_id === null ? [] : [replay(trial)]),
  ];
  const output = lines.length === 0 ? '' : `\n      <system-out>${content(lines.join('\n'))}</system-out>`;
  return `${open}>\n      ${outcome}${output}\n    </testcase>\n`;
}

function trialName({ case: caseName, trial_number }: TrialResult): string {
  return caseName === null ? `trial ${trial_number}` : `${caseName}, trial ${trial_number}`;
}

function skippedCase(
  name: string,
  message: string,
  { className: classname, summary }: Pick<CaseSurroundings, 'className' | 'summary'>,
): string {
  const open = `    <testcase${attributes({ name, classname, file: summary.file, time: '0.000' })}`;
  return `${open}>\n      <skipped${attributes({ message })}/>\n    </testcase>\n`;
}

/** The verdict as a case of its own, so that a dashboard is red if the run is, also when every trial that ran passed. */
function verdictCase(classname: string, summary: ScenarioSummary): string {
  const open = `    <testcase${attributes({ name: 'verdict', classname, file: summary.file, time: '0.000' })}`;
  const reason = `${summary.verdict}: ${verdictReason(summary)}`;
  if (!isCounted(summary)) {
    return `${open}>\n      <skipped${attributes({ message: reason })}/>\n    </testcase>\n`;
  }
  if (isGreen(summary)) return `${open}>\n      <system-out>${content(reason)}</system-out>\n    </testcase>\n`;
  const element = summary.verdict === 'UNSCORED' ? 'error' : 'failure';
  const outcome = `<${element}${attributes({ type: summary.decided_by, message: reason })}>${content(reason)}</${element}>`;
  return `${open}>\n      ${outcome}\n    </testcase>\n`;
}

interface CaseOutcome {
  element: 'failure' | 'error' | 'skipped';
  type: string;
  message: string;
  text: string;
}

/** A trial that did not pass. It is skipped if the scenario passes all the same, or if unscored trials are allowed. */
function trialOutcome(trial: TrialResult, summary: ScenarioSummary, isLeftOut: boolean): CaseOutcome {
  const { message, text } = whatHappened(trial);
  const isQuarantined = isLeftOut || summary.verdict === 'QUARANTINED';
  const isTolerated =
    isQuarantined || isGreen(summary) || (trial.status === 'unscored' && summary.verdict !== 'UNSCORED');
  if (summary.verdict === 'RECORDED' && trial.error_message === null) {
    return { element: 'skipped', type: trial.status, message: 'recorded, not judged', text: '' };
  }
  const short = safeLine(message, LONGEST_MESSAGE);
  if (isTolerated) {
    const rule = isQuarantined ? 'the quarantine' : toleratedBy(trial, summary);
    const words = `${trial.status.replace('_', ' ')}, tolerated by ${rule}: ${short}`;
    return { element: 'skipped', type: trial.status, message: words, text };
  }
  const element = trial.status === 'unscored' || trial.status === 'crashed' ? 'error' : 'failure';
  return { element, type: trial.status, message: short, text };
}

function toleratedBy({ status }: TrialResult, { verdict }: ScenarioSummary): string {
  if (verdict === 'RECORDED') return '--record-only';
  return status === 'unscored' ? '--allow-unscored' : 'min_pass_rate';
}

function whatHappened(trial: TrialResult): { message: string; text: string } {
  if (trial.status === 'crashed') {
    const message = trial.error_message ?? 'the agent crashed';
    const stack = trial.error_stack ?? '';
    return {
      message,
      text: stack.includes(message) ? stack : [message, stack].filter((part) => part !== '').join('\n'),
    };
  }
  if (trial.status === 'unscored') {
    const unscored = trial.eval_results.filter(({ status }) => status === 'unscored');
    const message = trial.error_message ?? unscored[0]?.details ?? 'the trial could not be scored';
    return { message, text: [message, ...unscored.map(detail)].join('\n') };
  }
  const failed = trial.eval_results.filter(({ status, passed }) => status === 'scored' && !passed);
  const worst = trial.status === 'hard_fail' ? (failed.find(({ required }) => required) ?? failed[0]) : failed[0];
  const score = trial.score === null ? '' : `score ${trial.score.toFixed(2)}`;
  const message = worst ? `${worst.assertion_id}: ${shortDetails(worst)}` : (trial.error_message ?? score);
  return {
    message,
    text: [score, trial.error_message ?? '', ...failed.map(detail)].filter((line) => line !== '').join('\n'),
  };
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
