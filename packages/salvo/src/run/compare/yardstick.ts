import { z } from 'zod';
import { assertionIds } from '../../evaluators/assertion-ids.ts';
import { withoutLongState } from '../../scenario/scenario-identity.ts';
import type { Assertion } from '../../scenario/schema/assertion-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { canonicalJson, contentHash } from '../../text/json/canonical-json.ts';
import { userPromptHash } from '../../trial/user/user-template.ts';
import type { JudgeSummary } from '../record/judge-summary.ts';

const hashSchema = z.string().max(64);

/**
 * What the trials of a scenario were measured by, as hashes. A change of the agent leaves it as it is; pass rates by
 * different yardsticks cannot be compared. Null: unknown.
 */
export const yardstickSchema = z.object({
  /** The score that a trial needs; null if every assertion with a weight has to pass. */
  threshold: z.number().nullable(),
  /** By the id of the assertion. */
  assertions: z.record(z.string().max(500), hashSchema.nullable()),
  /** By the id of the assertion. `hash` has everything else about the judge, such as its number of votes. */
  judges: z.record(
    z.string().max(500),
    z.object({ model: z.string().max(1000), adapter: z.string().max(10_000), hash: hashSchema.nullable() }),
  ),
  /** What the tools answer. */
  mocks: hashSchema.nullable(),
  /** What the agent is asked: prompt or messages. */
  task: hashSchema.nullable(),
  /** Part of the agent, and not of the yardstick. A change of it is mentioned. */
  system_prompt: hashSchema.nullable(),
  // Baselines that were written before these fields existed have none of them: then nothing is known to differ.
  /** By the name of the tool: what its parameters may be decides which calls are errors. */
  parameters: z.record(z.string().max(500), hashSchema).optional(),
  /** Of a scenario in code: what its checks use besides their own source. */
  code: hashSchema.optional(),
  /** Who plays the user; null for nobody. `hash` has what it is told, or its script. A script has no model. */
  user: z
    .object({ model: z.string().max(1000), adapter: z.string().max(10_000), hash: hashSchema })
    .nullable()
    .optional(),
  /** Further parts of the agent: numbers as they are, anything else as a hash. Null: not set. */
  agent: z.record(z.string().max(100), z.union([z.number(), hashSchema]).nullable()).optional(),
});

export type Yardstick = z.infer<typeof yardstickSchema>;

/** Where the hashes of code are found. */
export interface CodeHashes {
  /** Of the file of an assertion, with what it imports. */
  ofFile: (file: string) => string | undefined;
  /** Of what the checks of a scenario in code use. */
  ofChecks?: string | undefined;
}

export function yardstickOf(
  scenario: Scenario,
  judges: readonly JudgeSummary[],
  { ofFile, ofChecks }: CodeHashes = { ofFile: () => undefined },
): Yardstick {
  const ids = assertionIds(scenario.assertions);
  const tools = scenario.tools.map(({ name, mock_response, mock_responses, module, function: own, faults }) => ({
    ...{ name, mock_response, mock_responses, module, function: own, faults },
    code: module === undefined ? undefined : ofFile(module),
  }));
  return {
    threshold: scenario.threshold ?? null,
    assertions: Object.fromEntries(
      scenario.assertions.map((assertion, index) => [ids[index] ?? '', assertionHash(assertion, ofFile)]),
    ),
    judges: judgesOf(judges, (id) => scenario.data === undefined || isSameInAll(scenario.assertions[ids.indexOf(id)])),
    mocks: shortHash({ tools, on_unmocked: scenario.on_unmocked, state: withoutLongState(scenario).state }),
    task: shortHash({ prompt: scenario.prompt, messages: scenario.messages }),
    system_prompt: shortHash(scenario.system_prompt ?? null),
    parameters: Object.fromEntries(scenario.tools.map(({ name, parameters }) => [name, shortHash(parameters)])),
    ...(ofChecks !== undefined && { code: ofChecks }),
    user: userOf(scenario),
    agent: agentOf(scenario),
  };
}

function userOf({ user }: Scenario): Yardstick['user'] {
  if (!user) return null;
  const { adapter = '', model = '', ...told } = user;
  return { adapter, model, hash: shortHash({ ...told, prompt: user.script ? null : userPromptHash(user) }) };
}

/** What else an agent is made of, by the words for it. */
function agentOf(scenario: Scenario): NonNullable<Yardstick['agent']> {
  const { temperature, max_tokens, max_turns, timeout_seconds, retries, extras, script, tools } = scenario;
  const hashed = (value: unknown) => (value === undefined ? null : shortHash(value));
  return {
    ...{ temperature: temperature ?? null, max_tokens: max_tokens ?? null, max_turns },
    ...{ timeout_seconds: timeout_seconds ?? null, retries: retries ?? null },
    ...{ extras: hashed(extras), script: hashed(script) },
    'descriptions of tools': shortHash(tools.map(({ name, description }) => [name, description ?? null])),
  };
}

/** What the file of an assertion says is part of it. */
function assertionHash(assertion: Assertion, codeOf: (file: string) => string | undefined): string {
  const file = 'module' in assertion ? assertion.module : 'manifest' in assertion ? assertion.manifest : undefined;
  const code = typeof file === 'string' ? codeOf(file) : undefined;
  return shortHash(code === undefined ? assertion : { assertion, code });
}

/** The judges that were asked. */
export function judgesOf(
  judges: readonly JudgeSummary[],
  /** Whether the hash is the same in all cases. */
  hasOneHash: (assertionId: string) => boolean,
): Yardstick['judges'] {
  return Object.fromEntries(
    judges.map(({ assertion_id, judge_model, judge_adapter, judge_hash }) => [
      assertion_id,
      {
        model: judge_model,
        adapter: judge_adapter,
        hash: hasOneHash(assertion_id) ? judge_hash.slice(0, HASH_LENGTH) : null,
      },
    ]),
  );
}

/** Criteria with templates and those of rows differ between cases, and so does the hash of their judge. */
function isSameInAll(assertion: Assertion | undefined): boolean {
  return assertion !== undefined && !canonicalJson(assertion).includes('{{');
}

const HASH_LENGTH = 12;

export function shortHash(value: unknown): string {
  return contentHash(value).slice(0, HASH_LENGTH);
}

/** Under which `assertion_files` has the hash of what the functions of a scenario use. Its file may have several. */
export function checkCodeKey({ file, name }: { file: string; name: string }): string {
  return `${file}#${name}`;
}

/** What differs between two yardsticks, each a part of a sentence. */
export function yardstickDifferences(base: Yardstick, next: Yardstick) {
  const differs = (part: 'mocks' | 'task' | 'system_prompt') =>
    base[part] !== null && next[part] !== null && base[part] !== next[part];
  return {
    /** The same behaviour could get another result. */
    measure: [
      ...(base.threshold === next.threshold ? [] : [thresholdDifference(base.threshold, next.threshold)]),
      ...assertionDifferences(base.assertions, next.assertions),
      ...judgeDifferences(base.judges, next.judges),
      ...userDifferences(base.user, next.user),
      ...(differs('mocks') ? ['what the tools answer differs'] : []),
      ...changedKeys(base.parameters, next.parameters).map((tool) => `the parameters of the tool ${tool} differ`),
      ...(isOther(base.code, next.code) ? ['code that the checks use differs'] : []),
    ],
    /** The agent is asked something else. */
    task: differs('task') ? ['the prompt or the messages differ'] : [],
    /** Parts of the agent that changed. */
    agent: [
      ...(differs('system_prompt') ? ['the system prompt differs'] : []),
      ...changedKeys(base.agent, next.agent).map((part) => partDiffers(part, base.agent?.[part], next.agent?.[part])),
    ],
  };
}

function userDifferences(base: Yardstick['user'], next: Yardstick['user']): string[] {
  // Of a baseline of an earlier version, nothing is known.
  if (base === undefined || next === undefined || (base === null && next === null)) return [];
  if (base === null) return ['a simulated user answers the agent, and none did'];
  if (next === null) return ['no simulated user answers the agent, and one did'];
  if (base.model !== next.model) {
    return [`the simulated user was ${base.model || 'a script'}, and is ${next.model || 'a script'}`];
  }
  return base.adapter === next.adapter && base.hash === next.hash ? [] : ['the simulated user changed'];
}

function thresholdDifference(base: number | null, next: number | null): string {
  if (next === null) return `a trial passed from a score of ${base} (threshold), and now needs every assertion to pass`;
  if (base === null)
    return `a trial needed every assertion to pass, and now passes from a score of ${next} (threshold)`;
  return `the threshold was ${base}, and is ${next}`;
}

type Parts = Readonly<Record<string, string | number | null>>;

/** Keys of both that have different values. */
function changedKeys(base: Parts = {}, next: Parts = {}): string[] {
  const before = new Map(Object.entries(base));
  return Object.entries(next).flatMap(([key, value]) => (isOther(before.get(key), value) ? [key] : []));
}

/** What one of them lacks is unknown there. */
function isOther(before: Parts[string] | undefined, now: Parts[string] | undefined): boolean {
  return before !== undefined && now !== undefined && before !== now;
}

function partDiffers(part: string, before: Parts[string] | undefined, now: Parts[string] | undefined): string {
  if (typeof before === 'string' || typeof now === 'string') return `the ${part} ${verbOf(part)}`;
  return `${part} was ${before ?? 'not set'}, and is ${now ?? 'not set'}`;
}

function verbOf(part: string): string {
  return part === 'script' ? 'differs' : 'differ';
}

function assertionDifferences(base: Yardstick['assertions'], next: Yardstick['assertions']): string[] {
  const [before, now] = [new Map(Object.entries(base)), new Map(Object.entries(next))];
  const changed = [...now].filter(([id, hash]) => {
    const earlier = before.get(id);
    return hash !== null && earlier !== undefined && earlier !== null && earlier !== hash;
  });
  return [
    ...[...before.keys()].filter((id) => !now.has(id)).map((id) => `the assertion ${id} is gone`),
    ...[...now.keys()].filter((id) => !before.has(id)).map((id) => `the assertion ${id} is new`),
    ...changed.map(([id]) => `the assertion ${id} changed`),
  ];
}

/** Only of judges that were asked in both: a run without a scored trial has none. */
function judgeDifferences(base: Yardstick['judges'], next: Yardstick['judges']): string[] {
  const before = new Map(Object.entries(base));
  return Object.entries(next).flatMap(([id, judge]) => {
    const earlier = before.get(id);
    if (earlier === undefined) return [];
    if (earlier.model !== judge.model) return [`the judge ${id} was ${earlier.model}, and is ${judge.model}`];
    const isOther = earlier.hash !== null && judge.hash !== null && earlier.hash !== judge.hash;
    return isOther || earlier.adapter !== judge.adapter ? [`the judge ${id} changed`] : [];
  });
}
