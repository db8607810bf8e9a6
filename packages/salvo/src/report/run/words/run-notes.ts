import type { ScenarioSummary } from '../../../run/record/run-document.ts';
import type { CassetteOfRun, RunOptions, RunScenario } from '../../../run/record/run-record.ts';
import { isHeldOut } from '../../../scenario/cases/case-fields.ts';
import { faultLabel } from '../../../scenario/schema/tool-schema.ts';
import {
  formatInterval,
  formatPercent,
  formatPlural,
  formatPoints,
  formatPointsInterval,
  MISSING,
} from '../../../stats/format.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import { namesWhere } from './scenario-handles.ts';

/** Which other models than those that were asked for answered; null if none did. */
export function answeredByNote(scenarios: readonly ScenarioSummary[]): string | null {
  const pairs = new Set(
    scenarios.flatMap(({ model, answered_by }) =>
      (answered_by ?? []).map((by) => `${safeLine(by, 80)} for ${safeLine(model, 80)}`),
    ),
  );
  if (pairs.size === 0) return null;
  return `Another model answered: ${[...pairs].join(', ')}. Costs follow the model that answered, if its price is known.`;
}

/** What a reader must know of a run whose tools failed on purpose. */
export function faultsNote({ list = [], variants }: NonNullable<RunOptions['faults']>, runId: string): string {
  if (variants) return `Tools failed on purpose, in several doses: \`salvo chaos --show ${runId}\` compares them.`;
  const labels = [...new Set(list.map(({ kind, after }) => faultLabel(kind, after)))];
  return `Tools failed on purpose (--faults): ${labels.join(', ')}.`;
}

const ROLE_BREAKS: Readonly<Record<string, string>> = {
  unknown_fact: 'said what it cannot know',
  agent_role: 'spoke as the agent',
  ended_early: 'ended too early',
  never_ended: 'never ended',
  by_model: 'as a model says',
};

/** How often simulated users broke their role; null if none did. */
export function brokenRolesNote(
  scenarios: readonly (Pick<ScenarioSummary, 'simulated_users'> | null)[],
): string | null {
  const users = scenarios.flatMap((each) => each?.simulated_users ?? []);
  const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);
  const [broke, trials] = [sum(users.map(({ broke_role }) => broke_role)), sum(users.map((each) => each.trials))];
  if (broke === 0) return null;
  const kinds = Object.entries(ROLE_BREAKS).flatMap(([kind, words]) => {
    const count = sum(users.map((each) => each.kinds[kind] ?? 0));
    return count === 0 ? [] : [`${words} ${count}×`];
  });
  const share = formatPercent(broke / trials);
  return `The simulated user broke its role in ${broke} of ${formatPlural(trials, 'trial')} (${share}), which are not scored: ${kinds.join(', ')}.`;
}

/** How far the outcomes that came with imported conversations agree with Salvo's own; null if there are none beside. */
export function givenNote({ given }: Pick<ScenarioSummary, 'given'>): string | null {
  if (!given || given.compared === null || given.agree === null) return null;
  const { outcomes, passed, compared, agree } = given;
  return `given: ${passed} of ${outcomes} passed; both agree in ${agree} of ${formatPlural(compared, 'trial')} (${formatPercent(compared === 0 ? null : agree / compared)})`;
}

/** In which scenarios verdicts on tools hold only if the user's declaration is true; null if in none. */
export function declaredToolsNote(scenarios: readonly ScenarioSummary[]): string | null {
  const where = namesWhere(scenarios, ({ trials_declared }) => (trials_declared ?? 0) > 0);
  return where && `Declared: in ${where}, verdicts on tools rest on tools_seen: all. Salvo did not see all calls.`;
}

/** In which scenarios trials ran one at a time because of `observe`; null if in none. */
export function observedAloneNote(scenarios: readonly ScenarioSummary[]): string | null {
  const where = namesWhere(scenarios, ({ trials_alone }) => (trials_alone ?? 0) > 0);
  return (
    where &&
    `One at a time: in ${where} the server passes on neither x-salvo-trial nor traceparent, so that trials could not run together.`
  );
}

/** The interval of a pass rate. That of trials that are one draw does not hold; only the full report explains why. */
export function intervalText(
  { identical_trials, pass_rate_ci }: ScenarioSummary,
  { full }: { full: boolean } = { full: false },
): string {
  if (identical_trials) return full ? 'one draw' : MISSING;
  return formatInterval(pass_rate_ci);
}

/** What `one draw` means, and in which scenarios it was so; null if in none. */
export function oneDrawNote(scenarios: readonly ScenarioSummary[]): string | null {
  const where = namesWhere(scenarios, ({ identical_trials }) => identical_trials);
  if (where === null) return null;
  return (
    `One draw: in ${where} every trial gave the same answer, to the byte. If the agent cannot answer otherwise ` +
    '(temperature 0), that is one sample of it: a 95% interval does not hold, and fewer trials would do.'
  );
}

export function cassetteName({ file }: CassetteOfRun): string {
  return file ?? 'the cassettes of the adapters';
}

/** What a reader must know of a run whose tools were recorded, or were not called. */
export function toolCassetteNotes(cassettes: NonNullable<RunOptions['tool_cassettes']>): string[] {
  const filesOf = (isReplay: boolean) =>
    Object.keys(cassettes)
      .filter((file) => (cassettes[file] === 'replay') === isReplay)
      .join(', ');
  const [recorded, replayed] = [filesOf(false), filesOf(true)];
  return [
    ...(recorded === '' ? [] : [`This run records the answers of tools on ${recorded}.`]),
    ...(replayed === '' ? [] : [`The answers of tools were replayed from ${replayed}.`]),
  ];
}

/** What a reader must know of the figures of a run whose models were recorded or not called. */
export function cassetteNote(cassette: CassetteOfRun): string {
  if (cassette.empty) return `Nothing was recorded on ${cassetteName(cassette)}: no call of a model was answered.`;
  return cassette.mode === 'record'
    ? `This run records the answers of models on ${cassetteName(cassette)}.`
    : `The answers of models were replayed from ${cassetteName(cassette)} and cost nothing now. Tokens, costs and times of models are those of the recording.`;
}

/** How many rows are held out and did not run, or how far they differ from the others if they did. */
export function holdoutNotes(scenarios: readonly RunScenario[], chosen: RunOptions['cases']): string[] {
  return scenarios.flatMap(({ name, scenario: { data = [], holdout }, summary }, position) => {
    if (holdout === undefined) return [];
    const who = safeLine(name);
    if (summary?.holdout) {
      const { held_out: held, others, difference } = summary.holdout;
      const interval = difference.interval ? ` (95% CI ${formatPointsInterval(difference.interval)})` : '';
      return [
        `${who}: ${formatPlural(held.cases, 'row')} held out, ${formatPercent(held.pass_rate)} passed; the others ${formatPercent(others.pass_rate)}: ${formatPoints(difference.value)} points${interval}.`,
      ];
    }
    const ran = chosen?.[position] && new Set(chosen[position]);
    const left = data.filter((row, index) => isHeldOut(row, holdout) && !(ran?.has(index) ?? true)).length;
    return left === 0
      ? []
      : [`${who}: ${formatPlural(left, 'row')} of ${data.length} held out. --holdout runs them, too.`];
  });
}
