import { z } from 'zod';
import type { PlannedCase } from '../../run/record/planned-cases.ts';
import type { RunRecord, Shard, StoredTrial } from '../../run/record/run-record.ts';
import { casesOfShard, isShard } from '../../run/record/shard.ts';
import { furtherGatesSchema } from '../../scenario/schema/gate-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { canonicalJson } from '../../text/json/canonical-json.ts';
import { traceSchema } from '../../trace/trace.ts';
import { runRecordSchema, shardSchema, storedTrialSchema } from '../stored-documents.ts';

/** It increases when a part changes so that an earlier Salvo would misunderstand it. */
export const PART_VERSION = 1;

/** What a snapshot must have to be summarised. It is not the schema of scenario files: its texts may not be recorded. */
const snapshotSchema = z.looseObject({
  name: z.string(),
  threshold: z.number().optional(),
  min_pass_rate: z.number().optional(),
  min_score: z.number().optional(),
  ...furtherGatesSchema.shape,
  data: z.array(z.record(z.string(), z.unknown())).optional(),
  assertions: z.array(z.looseObject({ type: z.string() })),
});

const MOST_TRIALS = 1_000_000;
const isTime = (text: string) => !Number.isNaN(Date.parse(text));

/**
 * A part is what one shard of a run has done, as a file of JSON lines: the plan of the whole run, the shard's trials
 * with their traces, and an end with a checksum. Everything in it comes from a store, so it has no secrets.
 */
export const partHeaderSchema = z
  .object({
    salvo_part: z.literal(PART_VERSION),
    shard: shardSchema.refine(isShard, 'is no shard'),
    /** The hash of the project's settings, because they decide as well: judges, prices, defaults. */
    settings_hash: z.string(),
    /** For each scenario that is not skipped: its cases, with how many trials each has over all shards. */
    planned: z.array(z.array(z.tuple([z.int().nonnegative(), z.int().min(0).max(MOST_TRIALS)]))),
    /** The run of the shard, with its summaries. */
    run: z.object({
      ...runRecordSchema.shape,
      created_at: runRecordSchema.shape.created_at.refine(isTime, 'is no time'),
      finished_at: runRecordSchema.shape.created_at.refine(isTime, 'is no time').nullable(),
      scenarios: z.array(
        z.object({
          ...runRecordSchema.shape.scenarios.element.shape,
          scenario: z.custom<Scenario>((value) => snapshotSchema.safeParse(value).success, 'is no scenario'),
        }),
      ),
    }),
  })
  .refine(({ planned, run }) => planned.length <= run.scenarios.length, {
    path: ['planned'],
    error: 'has too many scenarios',
  })
  .refine(({ shard, run }) => canonicalJson(shard) === canonicalJson(run.options.shard), {
    path: ['run', 'options', 'shard'],
    error: 'is another shard',
  });

export const partTrialSchema = z.object({ trial: storedTrialSchema, trace: traceSchema.nullable() });

export type PartHeader = z.infer<typeof partHeaderSchema>;
export type PartTrial = z.infer<typeof partTrialSchema>;

/** `sha256` is that of all lines before. */
export const partEndSchema = z.object({ end: z.literal(true), trials: z.int(), sha256: z.string() });

/** The name of a part in its folder. Names of drafts end otherwise, so that a killed shard leaves no part. */
export function partFileName({ index, count }: Shard): string {
  return `salvo-part-${index}-of-${count}.jsonl`;
}

export const PART_FILE = /^salvo-part-\d{1,5}-of-\d{1,5}\.jsonl$/;

/** The planned cases of all shards, without names: a part has names only where they are stored. */
export function plannedInPart({ planned }: Pick<PartHeader, 'planned'>): PlannedCase[][] {
  return planned.map((cases) =>
    cases.map(([index, trials]) => ({ index, name: null, trials, skip: null, quarantine: null })),
  );
}

/** Whether a trial belongs to the shard of a part. */
export function trialsOfPart(header: PartHeader): (trial: StoredTrial) => boolean {
  const byScenario = casesOfShard(plannedInPart(header), header.shard).map(
    (cases) => new Map(cases.map((each) => [each.index, each])),
  );
  return ({ scenario_index, case_index, trial_number }) => {
    const { numbers, trials = 0 } = byScenario[scenario_index]?.get(case_index) ?? {};
    if (!numbers) return false;
    const position = (trial_number - numbers.first) / numbers.step;
    return Number.isInteger(position) && position >= 0 && position < trials;
  };
}

/** In what the plans of two parts differ; null if they are parts of the same run. */
export function planDifference(a: PartHeader, b: PartHeader): string | null {
  if (a.run.salvo_version !== b.run.salvo_version) {
    return `the version of Salvo (${a.run.salvo_version}, ${b.run.salvo_version})`;
  }
  if (a.run.git && b.run.git && a.run.git.commit !== b.run.git.commit) {
    return `the commit (${a.run.git.commit}, ${b.run.git.commit})`;
  }
  if (a.shard.count !== b.shard.count) return `the number of shards (${a.shard.count}, ${b.shard.count})`;
  // Whether shards may have different agents is decided by whoever merges them.
  const { shard: _, agent_files: __, mixed: ___, ...options } = { ...a.run.options, ...b.run.options };
  const valueIn = ({ run }: PartHeader, name: string) => canonicalJson(Reflect.get(run.options, name) ?? null);
  const option = Object.keys(options).find((name) => valueIn(a, name) !== valueIn(b, name));
  if (option !== undefined) return `${option} (${valueIn(a, option)}, ${valueIn(b, option)})`;
  return scenarioDifference(a, b) ?? (a.settings_hash === b.settings_hash ? null : 'salvo.yaml');
}

function scenarioDifference(a: PartHeader, b: PartHeader): string | null {
  const identity = ({ name, file, adapter, model }: RunRecord['scenarios'][number]) =>
    canonicalJson([name, file, adapter, model]);
  const [filesA, filesB] = [a, b].map(({ run }) => run.scenarios.map(identity));
  if (canonicalJson(filesA) !== canonicalJson(filesB)) return 'the scenarios, their adapters or their models';
  const changed = a.run.scenarios.find((each, at) => each.scenario_hash !== b.run.scenarios[at]?.scenario_hash);
  if (changed) return `the content of ${changed.file}`;
  return canonicalJson(a.planned) === canonicalJson(b.planned) ? null : 'the number of trials';
}
