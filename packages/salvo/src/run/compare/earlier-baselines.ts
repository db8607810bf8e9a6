import { isRecord } from '../../text/json/is-record.ts';

/**
 * A baseline of an earlier Salvo in the form of today. A baseline is committed, so every form that was ever written is
 * read; `test/store/versions/baselines/` has a file of each.
 */
export function completeBaseline(baseline: Record<string, unknown>): unknown {
  const { scenarios } = baseline;
  return Array.isArray(scenarios) ? { ...baseline, scenarios: scenarios.map(completeScenario) } : baseline;
}

function completeScenario(scenario: unknown): unknown {
  if (!isRecord(scenario) || !isRecord(scenario.yardstick) || !isRecord(scenario.yardstick.judges)) return scenario;
  const judges = Object.entries(scenario.yardstick.judges).map(([id, judge]) => [id, completeJudge(judge)]);
  return { ...scenario, yardstick: { ...scenario.yardstick, judges: Object.fromEntries(judges) } };
}

/** A judge was one text at first: its model, its adapter and, in a scenario without data, its hash. */
function completeJudge(judge: unknown): unknown {
  if (typeof judge !== 'string') return judge;
  const [model, ...words] = judge.split(' ');
  const hash = /^[0-9a-f]{12}$/.test(words.at(-1) ?? '') ? words.pop() : null;
  return { model, adapter: words.join(' '), hash };
}
