import type { EvalResult } from '../../evaluators/eval-result.ts';
import type { CalibrationRecord } from '../../judge/calibration/calibration-record.ts';
import type { ScenarioSummary } from '../../run/run-document.ts';
import type { Assertion } from '../../scenario/schema/assertion-schema.ts';
import type { Scenario, ScenarioMessage } from '../../scenario/schema/scenario-schema.ts';
import { argumentsNotRecorded, notRecorded } from '../../trace/without-text.ts';
import type { TrialResult } from '../../trial/trial-result.ts';

/** A snapshot with settings, tool names and what kind of assertions there were. Fields not named here are left out. */
export function scenarioWithoutText(scenario: Scenario): Scenario {
  const { name, tags, adapter, model, threshold, max_turns, temperature, max_tokens, seed } = scenario;
  const { timeout_seconds, on_unmocked, description, system_prompt, prompt, messages, tools } = scenario;
  return {
    ...{
      name,
      tags,
      adapter,
      model,
      threshold,
      max_turns,
      temperature,
      max_tokens,
      seed,
      timeout_seconds,
      on_unmocked,
    },
    description: hidden(description),
    system_prompt: hidden(system_prompt),
    prompt: hidden(prompt),
    messages: messages?.map(messageWithoutText),
    tools: tools.map((tool) => ({ name: tool.name, description: notRecorded(tool.description), parameters: {} })),
    assertions: scenario.assertions.map(assertionWithoutText),
  };
}

/** An error message says why a trial has no score. It is not the conversation, and stays. */
export function resultWithoutText(result: TrialResult): TrialResult {
  const eval_results = result.eval_results.map((evaluation) => ({
    ...evaluation,
    details: notRecorded(evaluation.details),
    metadata: metadataWithoutText(evaluation),
  }));
  return { ...result, eval_results };
}

export function summaryWithoutText(summary: ScenarioSummary): ScenarioSummary {
  const assertion_failures = summary.assertion_failures.map((failure) => ({
    ...failure,
    example: notRecorded(failure.example),
    ...(failure.judge && { judge: { ...failure.judge, criteria: failure.judge.criteria.map(criterionWithoutText) } }),
  }));
  return { ...summary, assertion_failures };
}

function criterionWithoutText<C extends { name: string; reasoning: string | null }>(criterion: C): C {
  const { name, reasoning } = criterion;
  return { ...criterion, name: notRecorded(name), reasoning: reasoning === null ? null : notRecorded(reasoning) };
}

/** Criteria and why: the rest of a calibration is figures. */
export function calibrationWithoutText(record: CalibrationRecord): CalibrationRecord {
  return {
    ...record,
    reason: notRecorded(record.reason),
    criteria: record.criteria.map((criterion) => ({ ...criterion, name: notRecorded(criterion.name) })),
  };
}

/** Which judge it was is a setting, not a text. */
const JUDGE_IDENTITY: ReadonlySet<string> = new Set(['judge_hash', 'judge_model', 'judge_adapter']);

function metadataWithoutText({ assertion_type, metadata }: EvalResult): EvalResult['metadata'] {
  const isKept = (key: string): boolean => assertion_type === 'judge' && JUDGE_IDENTITY.has(key);
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [key, isKept(key) ? value : figures(value)]),
  );
}

function hidden(text: string | undefined): string | undefined {
  return text === undefined ? undefined : notRecorded(text);
}

function messageWithoutText(message: ScenarioMessage): ScenarioMessage {
  if (message.role !== 'assistant') return { ...message, content: notRecorded(message.content) };
  return {
    ...message,
    content: message.content === null ? null : notRecorded(message.content),
    tool_calls: message.tool_calls.map((call) => ({ ...call, arguments: argumentsNotRecorded(call.arguments) })),
  };
}

function assertionWithoutText({ type, id, weight, required, ...fields }: Assertion): Assertion {
  const tool = 'tool' in fields ? { tool: fields.tool } : {};
  const kept = Object.entries(fields).map(([key, value]) => [key, figures(value)]);
  return { ...Object.fromEntries(kept), ...tool, type, id, weight, required };
}

/** Numbers and booleans of a value, at any depth, with its texts hidden. */
function figures(value: unknown): unknown {
  if (typeof value === 'string') return notRecorded(value);
  if (Array.isArray(value)) return value.map(figures);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, figures(part)]));
}
