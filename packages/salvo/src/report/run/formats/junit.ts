import { candidateLabels, comparedScenarios, scenarioKey } from '../../../run/record/candidate-labels.ts';
import type { ScenarioSummary } from '../../../run/record/run-document.ts';
import type { AtLeast } from '../../../stats/cost.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import type { TrialResult } from '../../../trial/trial-result.ts';
import { type AgainstCase, againstCases } from '../../compare/against-words.ts';
import { createChunkedWriter, type Write } from '../../terminal/chunked-writer.ts';
import { leftOutCases, type RunStream, type ScenarioStream } from '../run-report.ts';
import { isCounted, isGreen } from '../verdict.ts';
import { replayCommand } from '../words/replay-command.ts';
import { scenarioHandles } from '../words/scenario-handles.ts';
import { LONGEST_MESSAGE, skippedCase, trialCase, verdictCase } from './junit-cases.ts';
import { attributes, content } from './xml-text.ts';

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
      })}>\n${suiteProperties(summary, options.notes)}`,
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

/** A suite for the comparison with a baseline: a case for each scenario, and one for all together. */
function againstSuite(cases: readonly AgainstCase[], timestamp: string): string {
  const name = 'compared with the baseline';
  const counts = { tests: cases.length, failures: count(cases, 'failure'), errors: count(cases, 'error'), skipped: 0 };
  const lines = cases.map(({ scenario, place, outcome, sentence }) => {
    const attributesOf = { name: scenario, classname: name, ...(place && { file: place.file }), time: '0.000' };
    const open = `    <testcase${attributes(attributesOf)}>`;
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
  // The names of scenarios have those of their prompts in them.
  const plain = summaries.map(({ name, file, adapter, model }) => ({ name, file, adapter, model }));
  const labels = candidateLabels(plain);
  const compared = comparedScenarios(plain);
  return plain.map((summary, index) => {
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

function suiteProperties(summary: ScenarioSummary, notes: readonly string[] = []): string {
  const [low, high] = summary.pass_rate_ci ?? [null, null];
  const { verdict, decided_by, model, adapter, trials_planned, pass_rate, score_avg, score_min } = summary;
  const { cost_total_usd, judge_cost_usd, latency_p50, latency_p95, retries } = summary;
  const properties = {
    ...{ verdict, decided_by, model, adapter, trials_planned },
    threshold: summary.threshold ?? 'none',
    min_pass_rate: summary.min_pass_rate,
    min_score: summary.min_score ?? 'none',
    pass_rate,
    identical_trials: String(summary.identical_trials),
    pass_rate_ci_low: low,
    pass_rate_ci_high: high,
    ...{ score_avg, score_min, cost_total_usd, ...atLeastProperties('cost', summary.cost_at_least) },
    ...{ judge_cost_usd, ...atLeastProperties('judge_cost', summary.judge_cost_at_least) },
    ...(summary.user_cost_usd !== undefined && { user_cost_usd: summary.user_cost_usd }),
    ...atLeastProperties('user_cost', summary.user_cost_at_least),
    ...(summary.simulated_users && { users_broke_role: summary.simulated_users.broke_role }),
    ...{ latency_p50, latency_p95, retries },
    never_passed: summary.never_passed.map((each) => each.assertion_id).join('; ') || 'none',
    stopped: summary.stopped ?? 'no',
    ...gateProperties(summary),
  };
  const noted = notes.map((note): [string, string] => ['note', safeLine(note, LONGEST_MESSAGE)]);
  const lines = [...Object.entries(properties), ...noted].map(
    ([name, value]) => `      <property${attributes({ name, value: value ?? 'unknown' })}/>\n`,
  );
  return `    <properties>\n${lines.join('')}    </properties>\n`;
}

/** What is known of a cost that is not known exactly. */
function atLeastProperties(name: string, atLeast: AtLeast | undefined): Record<string, number | string> {
  if (!atLeast) return {};
  const { usd, calls_unknown, killed = false } = atLeast;
  return {
    [`${name}_at_least_usd`]: usd,
    [`${name}_calls_unknown`]: calls_unknown,
    ...(killed && { [`${name}_killed`]: 'true' }),
  };
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
