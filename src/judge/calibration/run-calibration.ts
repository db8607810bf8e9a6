import { withModels } from '../../models/model-caller.ts';
import type { Trace } from '../../trace/trace.ts';
import { type JudgingOptions, judgeItems, judgementError } from '../judge-items.ts';
import { type Judgement, type JudgeTraceOptions, judgeTrace, withDefaults } from '../judge-trace.ts';
import { withoutTask } from '../prompt/judged-task.ts';
import { type CalibrationItem, calibrate } from './calibration.ts';
import type { CalibrationRecord, CalibrationReport } from './calibration-record.ts';

/** A trace with what people say of it. `readLabels` reads them from a file. */
export interface LabelledTrace extends Pick<CalibrationItem, 'labels' | 'passed'> {
  trace: Trace;
  /** The rubric of this item, when it has its own. */
  criteria?: JudgeTraceOptions['criteria'] | null | undefined;
  /** Of the label in its file; its position, from 1, when missing. */
  line?: number | undefined;
}

/** The judge, as for `judgeTrace`, and the labels. */
export interface CalibrationRequest
  extends Omit<JudgeTraceOptions, 'trace' | 'criteria' | 'earlyStop' | 'trialNumber' | 'signal'>,
    JudgingOptions {
  items: readonly LabelledTrace[];
  /** The rubric of items that have none of their own. */
  criteria?: JudgeTraceOptions['criteria'] | undefined;
  /** How often every item is judged; once when missing. */
  repeats?: number | undefined;
  now?: (() => Date) | undefined;
}

export interface CalibrationOutcome {
  report: CalibrationReport;
  /** The judge that was asked; null when none was. */
  judge: Pick<CalibrationRecord, 'judge_adapter' | 'judge_model' | 'k'> | null;
  /** To be stored; null when it tells too little, or is not about one judge. */
  record: CalibrationRecord | null;
  /** Why it must not be stored. */
  notKept: string | null;
  /** Items that were never judged. */
  notJudged: number;
  judgeCostUsd: number | null;
  /** 0 usable, 1 weak or no better than chance, 3 too little could be scored. */
  exitCode: 0 | 1 | 3;
}

/** Judges labelled traces, and compares the judge's verdicts with those of people. */
export async function runCalibration(request: CalibrationRequest): Promise<CalibrationOutcome> {
  const { now = () => new Date(), seed = 0 } = request;
  const items = request.items.map((item, index) => ({ ...item, line: item.line ?? index + 1 }));
  const [rubric = []] = [request.criteria, ...items.map(({ criteria }) => criteria)].filter((each) => !!each);
  return withModels(request.models, async (models) => {
    const defaults = withDefaults({ ...request, criteria: rubric }, models);
    const judgeItem = (item: NumberedItem) =>
      Promise.all(
        Array.from({ length: request.repeats ?? 1 }, (_, repeat) =>
          judgeTrace({
            ...defaults,
            trace: item.trace,
            scenario: scenarioFor(item, defaults.scenario),
            criteria: item.criteria ?? defaults.criteria,
            subject: `label ${item.line}, repeat ${repeat}`,
            // All votes are wanted: they tell how far the judge agrees with itself.
            earlyStop: false,
            seed: seed + repeat,
            trialNumber: item.line,
            signal: request.abort,
          }),
        ),
      );
    const { judged, costUsd, refusal } = await judgeItems(items, {
      ...request,
      judge: judgeItem,
      nameOf: ({ line }) => `line ${line}`,
      passedOf: (_, { passed }) => passed,
    });
    const report = calibrate({
      items: items.flatMap((item) => {
        const judgements = judged.get(item);
        return judgements ? [calibrationItem(item, judgements)] : [];
      }),
      criteria: request.criteria ? defaults.criteria : [],
      threshold: defaults.threshold,
      seed,
    });
    const firsts = [...judged.values()].flatMap(([first]) => first ?? []);
    return outcomeOf({ report, firsts, notJudged: items.length - judged.size, costUsd, refusal, now });
  });
}

/** Most items have a task of their own, whatever the scenario's is. */
function scenarioFor({ trace }: LabelledTrace, scenario: Scenario): Scenario {
  return scenario && trace.messages.some(({ role }) => role === 'user') ? withoutTask(scenario) : scenario;
}

type Scenario = JudgeTraceOptions['scenario'];
type NumberedItem = LabelledTrace & { line: number };

function outcomeOf(found: {
  report: CalibrationReport;
  /** The first judgement of each item. */
  firsts: readonly Judgement[];
  notJudged: number;
  costUsd: number | null;
  refusal: string | null;
  now: () => Date;
}): CalibrationOutcome {
  const { report, firsts, notJudged } = found;
  const hashes = new Set(firsts.map(({ metadata }) => metadata.judge_hash));
  const [judge_hash = null] = hashes;
  const asked = firsts[0]?.metadata;
  const judge = asked ? { judge_adapter: asked.judge_adapter, judge_model: asked.judge_model, k: asked.judge_k } : null;
  const notKept = whyNotKept({ ...found, judges: hashes.size });
  const isKept = notKept === null && judge !== null && judge_hash !== null;
  const tellsEnough = notJudged === 0 && isEnough(report);
  return {
    report,
    judge,
    record: isKept ? { judge_hash, created_at: found.now().toISOString(), ...judge, ...report } : null,
    notKept,
    notJudged,
    judgeCostUsd: found.costUsd,
    exitCode: !tellsEnough ? 3 : report.verdict === 'usable' ? 0 : 1,
  };
}

function calibrationItem(
  { line, labels, passed, criteria }: NumberedItem,
  judgements: readonly Judgement[],
): CalibrationItem {
  const [first] = judgements;
  const votes = judgements.map(({ metadata }) => metadata.votes.map(({ scores }) => scores));
  return {
    line,
    labels,
    passed,
    criteria: criteria?.map(({ name, weight = 1 }) => ({ name, weight })),
    votes,
    outcome: first && first.score !== null ? { score: first.score, passed: first.passed } : null,
    error: first ? judgementError(first) : null,
  };
}

/** At least half of the items: those that a judge cannot score may well be the difficult ones. */
function isEnough({ items, scored }: CalibrationReport): boolean {
  return scored > 0 && scored * 2 >= items;
}

function whyNotKept(found: {
  report: CalibrationReport;
  notJudged: number;
  refusal: string | null;
  judges: number;
}): string | null {
  if (found.notJudged > 0) {
    const why = found.refusal === null ? '' : `: ${found.refusal.replace('trial', 'item')}`;
    return `it is not complete${why}`;
  }
  if (!isEnough(found.report)) return 'too few items could be scored';
  return found.judges > 1 ? 'the labels have different rubrics, and a calibration is about one' : null;
}
