import type { RunView } from '../../../../src/app/view/runs/run-view.ts';
import { exactGateValue, gateValue } from '../../../../src/report/run/words/gate-words.ts';
import type { GateResult } from '../../../../src/run/record/gate-result.ts';
import { TableSection } from '../../parts/data-table.tsx';
import styles from './sections.module.css';

/** What the scenarios had to reach, and what they reached. */
export function GateList({ view }: { view: RunView }) {
  const gates = view.scenarios.flatMap(({ name, label, summary }, index) =>
    (summary?.gates ?? []).map((gate) => ({
      entry: view.models.length > 0 ? `${name} · ${label}` : name,
      index,
      gate,
    })),
  );
  if (gates.length === 0 || view.is_running) return null;
  return (
    <TableSection
      name="Gates"
      rows={gates}
      keyOf={({ index, gate }) => `${index} ${gate.gate} ${gate.of}`}
      columns={[
        ['Scenario', ({ entry }) => entry],
        ['Gate', ({ gate }) => <GateName gate={gate} />],
        [{ number: 'Limit' }, ({ gate }) => exactGateValue(gate, gate.limit)],
        [{ number: 'Value' }, ({ gate }) => exactGateValue(gate, gate.value)],
        [{ number: '95% interval' }, ({ gate }) => gate.interval?.map((end) => gateValue(gate, end)).join(' to ')],
        [
          'Outcome',
          ({ gate }) => outcomeOf(gate),
          ({ gate }) => `${styles.text} ${gate.met === false ? styles.missed : ''}`,
        ],
      ]}
    />
  );
}

function GateName({ gate: { gate, of } }: { gate: GateResult }) {
  return (
    <>
      {gate}
      {of !== null && <span className="soft"> · {of}</span>}
    </>
  );
}

const UNKNOWN: Record<NonNullable<GateResult['unknown']>, string> = {
  too_few_trials: 'unknown: too few trials',
  no_price: 'unknown: a price is missing',
  no_time: 'unknown: the time of a trial was not measured',
  no_criterion: 'unknown: no judge has this criterion',
  nothing_scored: 'unknown: nothing was scored',
};

function outcomeOf({ met, unknown, needed }: GateResult): string {
  if (met === null) return unknown === null ? 'unknown' : UNKNOWN[unknown];
  const luck = needed === null ? '' : `, which could be luck: about ${needed} trials would tell`;
  return `${met ? '✓ met' : '✕ missed'}${luck}`;
}
