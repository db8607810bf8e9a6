import type { CalibrationRecord } from '../../../judge/calibration/calibration-record.ts';
import { type Correction, correctedPassRate } from '../../../judge/calibration/corrected-pass-rate.ts';
import { judgedRate } from '../../../run/verdict/judge-calibrations.ts';
import { judgesOf, type UnreadableCalibration } from '../../../store/judge-tables.ts';
import type { RunListing, Store } from '../../../store/store.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import { withLabels } from '../../results/with-labels.ts';
import { type CalibrationFigures, calibrationFigures } from './judgement-view.ts';

/** A judge that was calibrated, or that runs have asked. */
export interface JudgeLine {
  judge_hash: string;
  /** Null if it is unknown, because its calibration can't be read. */
  judge_model: string | null;
  /** Null if it is unknown. */
  threshold: number | null;
  /** How often it votes; null if it was never calibrated. */
  k: number | null;
  /** Null if nobody has compared it with people. */
  calibration: CalibrationFigures | null;
  /** Why its calibration can't be read; null if it can, or if there is none. */
  unreadable: string | null;
  /** How many of the newest runs asked it. */
  runs: number;
}

/** Runs that are searched for judges. */
const NEWEST_RUNS = 200;

/** All judges: those that were calibrated first, then those that were not, each the newest first. */
export async function judgeLines(store: Store | null): Promise<JudgeLine[]> {
  if (store === null) return [];
  const lost = new Map<string, UnreadableCalibration>();
  const calibrations = await judgesOf(store).listCalibrations({
    onUnreadable: (each) => lost.set(each.judge_hash, each),
  });
  const uses = Map.groupBy(judgeUses(await store.listRuns({ limit: NEWEST_RUNS })), ({ judge }) => judge.judge_hash);
  const runsOf = (hash: string): number => new Set(uses.get(hash)?.map(({ run_id }) => run_id)).size;
  const known = new Set(calibrations.map(({ judge_hash }) => judge_hash));
  return [
    ...calibrations.map((record) => ({
      judge_hash: record.judge_hash,
      judge_model: record.judge_model,
      threshold: record.threshold,
      k: record.k,
      calibration: calibrationFigures(record),
      unreadable: null,
      runs: runsOf(record.judge_hash),
    })),
    ...[...uses].flatMap(([judge_hash, [first]]) => {
      if (known.has(judge_hash) || !first) return [];
      const { judge_model, threshold } = first.judge;
      const unreadable = lost.get(judge_hash)?.why ?? null;
      return [{ judge_hash, judge_model, threshold, k: null, calibration: null, unreadable, runs: runsOf(judge_hash) }];
    }),
    // Nobody knows which judge these are about.
    ...[...lost.values()].flatMap(({ judge_hash, why }) => {
      const unknown = { judge_model: null, threshold: null, k: null, calibration: null, runs: 0 };
      return uses.has(judge_hash) ? [] : [{ judge_hash, ...unknown, unreadable: why }];
    }),
  ];
}

/** A judge with its calibration, and the pass rates that it found. */
export type JudgeView = Awaited<ReturnType<typeof judgeView>>;

/** What a judge found in a scenario of a run. */
export type JudgeUse = ReturnType<typeof judgeUse>;

const MOST_USES = 50;

export async function judgeView(store: Store, judgeHash: string) {
  const calibration = await judgesOf(store).getCalibration(judgeHash);
  const runs = await store.listRuns({ limit: NEWEST_RUNS });
  const uses = judgeUses(runs).filter(({ judge }) => judge.judge_hash === judgeHash);
  const judge_model = calibration?.judge_model ?? uses[0]?.judge.judge_model;
  if (judge_model === undefined) {
    throw new SalvoError('JUDGE_UNKNOWN', `No calibration and none of the newest runs has the judge ${judgeHash}.`);
  }
  const labelled = new Set((await judgesOf(store).listLabels()).map(({ run_id }) => run_id));
  const shown = [];
  for (const use of uses.slice(0, MOST_USES)) {
    const own = labelled.has(use.run_id) ? await byOwnLabels(store, use) : null;
    shown.push(judgeUse(use, calibration, own));
  }
  // Anchors are whole conversations, which the page does not show.
  return {
    judge_hash: judgeHash,
    judge_model,
    calibration: calibration && { ...calibration, anchors: undefined },
    uses: shown,
  };
}

function judgeUse(
  { run_id, summary, judge }: SummarizedUse,
  calibration: CalibrationRecord | null,
  own: Correction | null,
) {
  const { assertion_id, trials_judged, pass_rate, dissent_rate } = judge;
  const scenario = summary.name;
  // A judge that had changed before the run is not the one that was calibrated.
  const valid = judge.drift?.outcome === 'changed' ? null : calibration;
  return {
    ...{ run_id, scenario, assertion_id, trials_judged, pass_rate, dissent_rate },
    /** The pass rate that people would have found, by labels of its own trials or the calibration of today; null without. */
    corrected: own ?? (valid && correctedPassRate(valid, { observed: judgedRate(judge, summary), scenario })),
  };
}

/** As the report of the run has it; null if its labels are too few. */
async function byOwnLabels(store: Store, { run_id, index, judge }: SummarizedUse): Promise<Correction | null> {
  const stored = await store.getRun(run_id);
  const run = stored && (await withLabels(store, stored));
  const found = run?.scenarios[index]?.summary?.judges.find(
    ({ assertion_id, judge_hash }) => assertion_id === judge.assertion_id && judge_hash === judge.judge_hash,
  );
  if (found?.corrected_by?.method !== 'prediction_powered') return null;
  const { corrected_pass_rate: rate, corrected_ci: interval, calibration_note: note, corrected_by } = found;
  return { rate, interval, note: note ?? '', labels: corrected_by.labels };
}

type SummarizedUse = ReturnType<typeof judgeUses>[number];

function judgeUses(runs: readonly RunListing[]) {
  return runs.flatMap(({ run_id, scenarios }) =>
    scenarios.flatMap(
      ({ summary }, index) => summary?.judges.map((judge) => ({ run_id, index, summary, judge })) ?? [],
    ),
  );
}
