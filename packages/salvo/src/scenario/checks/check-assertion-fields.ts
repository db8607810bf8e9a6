import { dirname } from 'node:path';
import type { AdapterNames } from '../../adapters/adapter-name.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { matchesEveryText } from '../../text/pattern.ts';
import { readShare } from '../../text/share.ts';
import { suggestion } from '../../text/words/did-you-mean.ts';
import { some } from '../../text/words/value-words.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Problem, ProblemText, Report } from '../diagnostics/problem.ts';
import { alwaysPasses, neverPasses } from './check-comparison.ts';
import { checkJsonSchema, checkPattern } from './check-field.ts';
import { checkJmespath, mayBeServed, type ToolDocument, toolNamesOf } from './check-jmespath.ts';
import { checkArguments, checkFinalState } from './check-tools.ts';
import type { InspectedRubric } from './inspect-rubric.ts';
import { codeRefusal, reportCode } from './refuse-code.ts';
import type { ScenarioChecks } from './scenario-checks.ts';
import { adapterFromFile, checkFileExists, type FileAt, rebasedPath } from './written-path.ts';

/** The parts of the scenario and project that an assertion can refer to. */
export interface AssertionSurroundings {
  tools: unknown;
  /** From `documentsWithTools`. */
  toolDocuments: () => ToolDocument[];
  /** Whether the scenario has a state document. */
  hasState: boolean;
  /** A whole agent may have tools that the scenario does not define. */
  mayHaveOwnTools: boolean;
  /** The scenario itself names a model, which has no tools but those of the scenario. */
  isModel: boolean;
  /** How often the agent has to answer; null if a simulated user decides that. */
  turns: number | null;
  /** The time limit of a trial. */
  timeoutSeconds: number;
  /** The file of the scenario. */
  file: string;
  /** Paths in an assertion are relative to the file that they are written in. */
  fileAt: FileAt;
  projectRoot: string;
  /** Files must be inside this folder. */
  readRoot: string;
  adapterNames: AdapterNames;
  /** Reads a rubric file, and reports its problems. */
  inspectRubric: (file: string) => InspectedRubric;
  /** Whether assertions may be functions. */
  isCode: boolean;
  texts: ScenarioChecks['texts'];
}

/** What it takes to tell which file a path in an assertion means. */
export type WrittenPlace = Pick<AssertionSurroundings, 'file' | 'fileAt' | 'projectRoot' | 'adapterNames'>;

export interface AssertionInPlace {
  assertion: Record<string, unknown>;
  around: AssertionSurroundings;
  path: Path;
}

/** Checks what the schema of an assertion cannot: names exist; patterns, expressions and schemas compile. */
export function checkAssertionFields(report: Report, { assertion, around, path }: AssertionInPlace): void {
  const at = (...keys: (string | number)[]) => [...path, ...keys];
  const checkFile = (key: string) => {
    const folder = dirname(around.fileAt(at(key)));
    const roots = { projectRoot: around.projectRoot, readRoot: around.readRoot };
    checkFileExists(report, { file: assertion[key], folder, ...roots, path: at(key) });
  };
  if (readShare(assertion.pass_at) === 0) {
    const finding = alwaysPasses('every score is at least 0', 'give a pass_at above 0');
    report({ ...finding, severity: 'warning', path: at('pass_at') });
  }
  checkText(report, { assertion, around, path });
  switch (assertion.type) {
    case 'jmespath':
      checkJmespath(report, {
        assertion,
        paths: { expression: at('expression'), operator: at('operator'), value: at('value') },
        toolDocuments: around.toolDocuments,
      });
      break;
    case 'tool_called':
    case 'tool_not_called':
      checkToolCall(report, { call: assertion, around, path });
      checkTimes(report, assertion.times, at('times'));
      break;
    case 'tool_sequence':
      if (!Array.isArray(assertion.sequence)) break;
      for (const [index, entry] of assertion.sequence.entries()) {
        const place = at('sequence', index);
        if (!isRecord(entry)) checkToolName(report, { name: entry, around, path: place });
        else checkToolCall(report, { call: entry, around, path: place });
      }
      break;
    case 'output_matches':
    case 'output_not_matches': {
      const { pattern } = assertion;
      if (!checkPattern(report, pattern, at('pattern')) || pattern === '' || !matchesEveryText(pattern)) break;
      const why = 'the pattern matches every text, the empty one included';
      const finding = assertion.type === 'output_matches' ? alwaysPasses(why) : neverPasses(why);
      report({ ...finding, path: at('pattern') });
      break;
    }
    case 'no_false_success':
      if (isRecord(assertion.needs)) checkToolCall(report, { call: assertion.needs, around, path: at('needs') });
      if (!checkPattern(report, assertion.claim, at('claim')) || !matchesEveryText(assertion.claim)) break;
      report({
        severity: 'warning',
        code: 'unused-value',
        message: 'the pattern matches every text, so that every answer counts as a claim',
        path: at('claim'),
      });
      break;
    case 'retries_at_most':
      checkToolName(report, { name: assertion.tool, around, path: at('tool') });
      break;
    case 'output_json':
      checkJsonSchema(report, assertion.schema, at('schema'));
      if (assertion.schema === false) report({ ...neverPasses('nothing fits the schema false'), path: at('schema') });
      break;
    case 'final_state':
      checkFinalState(report, { assertion, path, hasState: around.hasState });
      for (const [index, call] of (Array.isArray(assertion.after) ? assertion.after : []).entries()) {
        // What is not written as {tool: {arguments}} is reported by the schema.
        for (const name of isRecord(call) && Object.values(call).every(isRecord) ? Object.keys(call) : []) {
          // Salvo itself makes these calls, so that tools of the agent do not help.
          const problem = { around: { ...around, mayHaveOwnTools: false }, path: at('after', index, name) };
          checkToolName(report, { name, ...problem, at: 'key' });
        }
      }
      break;
    case 'latency_limit':
    case 'step_latency':
      checkLatencyLimit(report, { limit: assertion.max_seconds, around, path: at('max_seconds') });
      break;
    case 'conversation_ended':
      if (around.turns !== null) report({ ...NO_USER, path: at('type') });
      break;
    case 'custom':
      checkFile('module');
      reportCode(report, codeRefusal('the module of a custom assertion'), at('module'));
      break;
    case 'findings':
      checkFile('manifest');
      checkThresholds(report, assertion, at('exact_threshold'));
      checkMinima(report, assertion, path);
      break;
  }
}

/** Whether an assertion has what `checkTextAssertion` looks at, which most scenarios do not load. */
export function needsTextCheck(assertion: unknown): boolean {
  if (!isRecord(assertion)) return false;
  return 'transform' in assertion || /^(?:javascript|output_length|output_similar)$/.test(String(assertion.type));
}

export function checkText(report: Report, inPlace: AssertionInPlace): void {
  if (!needsTextCheck(inPlace.assertion)) return;
  // Code must not be let through unseen.
  if (!inPlace.around.texts) throw new Error('the checks of texts and code were not loaded');
  inPlace.around.texts(report, inPlace);
}

/**
 * The same assertion, with its files relative to the scenario and its adapters to the project, wherever it is written:
 * the rest of Salvo does not know of includes.
 */
export function withRebasedPaths({
  assertion,
  around,
  path,
}: Omit<AssertionInPlace, 'around'> & { around: WrittenPlace }): Record<string, unknown> {
  const fileOf = (key: string) => around.fileAt([...path, key]);
  const asFile = (name: string, file: string) => rebasedPath(name, { from: dirname(file), to: dirname(around.file) });
  const asAdapter = (name: string, file: string) =>
    adapterFromFile(name, { names: around.adapterNames, file, projectRoot: around.projectRoot });
  const rebase = (entry: Record<string, unknown>, key: string, change: typeof asFile, file = fileOf(key)) =>
    typeof entry[key] === 'string' ? { ...entry, [key]: change(entry[key], file) } : entry;
  const withTransform = (entry: Record<string, unknown>) =>
    isRecord(entry.transform)
      ? {
          ...entry,
          transform: rebase(entry.transform, 'module', asFile, around.fileAt([...path, 'transform', 'module'])),
        }
      : entry;
  if (assertion.type === 'custom') return rebase(assertion, 'module', asFile);
  if (assertion.type === 'output_similar') return rebase(withTransform(assertion), 'adapter', asAdapter);
  if (assertion.type === 'findings') return rebase(assertion, 'manifest', asFile);
  if (assertion.type !== 'judge') return withTransform(assertion);
  const judge = rebase(withTransform(assertion), 'judge_adapter', asAdapter);
  const members = (['judges', 'cascade'] as const).flatMap((key) => {
    const list = judge[key];
    if (!Array.isArray(list)) return [];
    const rebased = list.map((member, index) =>
      isRecord(member) ? rebase(member, 'adapter', asAdapter, around.fileAt([...path, key, index, 'adapter'])) : member,
    );
    return [[key, rebased]];
  });
  return { ...judge, ...Object.fromEntries(members) };
}

function checkThresholds(report: Report, assertion: Record<string, unknown>, path: Path): void {
  const { matcher, match_threshold = matcher === 'evidence' ? 0.55 : 0.4, exact_threshold = 0.7 } = assertion;
  const [match, exact] = [readShare(match_threshold), readShare(exact_threshold)];
  if (match === null || exact === null || match <= exact) return;
  const message = `"exact_threshold" (${exact_threshold}) is less than "match_threshold" (${match_threshold}): an exact match must also be a match`;
  report({ code: 'invalid-value', message, path });
}

/** A trial that exceeds the time limit is stopped and not scored, so no scored trial takes longer. */
function checkLatencyLimit(
  report: Report,
  { limit, around, path }: { limit: unknown; around: AssertionSurroundings; path: Path },
): void {
  const { timeoutSeconds } = around;
  if (typeof limit !== 'number' || limit < timeoutSeconds) return;
  const finding = alwaysPasses(`a trial is stopped after ${timeoutSeconds} s, and then not scored`, LATENCY_HINT);
  report({ ...finding, severity: 'warning', path });
}

/** Only a warning: an agent may return a conversation of its own, which has more turns. */
export function checkTurn(report: Report, turn: unknown, { turns }: AssertionSurroundings, path: Path): void {
  if (typeof turn !== 'number' || turns === null || turn <= turns) return;
  const answers = turns === 1 ? 'once' : `${turns} times`;
  const hint = turns === 1 ? 'leave it out' : `give a number up to ${turns}`;
  report({ ...neverPasses(`in this scenario the agent answers ${answers}`, hint), severity: 'warning', path });
}

const NO_USER: ProblemText = {
  code: 'missing-key',
  message: 'conversation_ended needs a simulated user, and this scenario has none: it ends with its last message',
  hint: 'add user: {goal: ...}, or user: {script: [...]}',
};

const LATENCY_HINT = 'give a smaller limit, or a greater timeout_seconds';

const MINIMA = ['min_recall', 'min_precision', 'min_f1'];

/** Every share is at least 0, so a minimum of 0 demands nothing. Without a minimum, the metric must be 1. */
function checkMinima(report: Report, assertion: Record<string, unknown>, path: Path): void {
  const given = MINIMA.filter((key) => assertion[key] !== undefined);
  const [first] = given;
  if (first === undefined || given.some((key) => readShare(assertion[key]) !== 0)) return;
  const finding = alwaysPasses('every share is at least 0', 'give a greater minimum');
  report({ ...finding, severity: 'warning', path: [...path, first] });
}

interface ToolName {
  name: unknown;
  around: AssertionSurroundings;
  path: Path;
  at?: 'key';
}

/** Checks `tool` and `arguments` of an assertion, or of an entry of a sequence. */
function checkToolCall(
  report: Report,
  { call, around, path }: { call: Record<string, unknown>; around: AssertionSurroundings; path: Path },
): void {
  const tool = checkToolName(report, { name: call.tool, around, path: [...path, 'tool'] });
  checkArguments(report, { match: call.arguments, tool, path: [...path, 'arguments'] });
}

/** The tool of that name, if there is one. */
function checkToolName(report: Report, { name, around, path, at }: ToolName): Record<string, unknown> | undefined {
  if (typeof name !== 'string' || (around.tools !== undefined && !Array.isArray(around.tools))) return undefined;
  const tools = (around.tools ?? []).filter(isRecord);
  if (tools.length === 0) {
    if (around.isModel) report(noTools(name, path));
    return undefined;
  }
  const found = tools.find((tool) => tool.name === name);
  if (found) return found;
  if (mayBeServed(name, tools)) return undefined;
  const names = toolNamesOf(tools);
  report({
    ...(around.mayHaveOwnTools ? { severity: 'warning' } : {}),
    code: 'unknown-tool',
    message: `the scenario has no tool "${name}"`,
    hint: suggestion(name, names, `its tools: ${some(names)}`),
    path,
    ...(at && { at }),
  });
  return undefined;
}

/** Only a warning: a model can call a tool that it was not offered, and such calls are recorded. */
function noTools(name: string, path: Path): Problem {
  return {
    severity: 'warning',
    code: 'unknown-tool',
    message: `the scenario has no tools, so "${name}" cannot be called`,
    hint: `add it: tools: [{name: ${name}, ...}]`,
    path,
  };
}

function checkTimes(report: Report, times: unknown, path: Path): void {
  if (!isRecord(times)) return;
  if (times.min === 0 && times.max === undefined) {
    report({ ...alwaysPasses('every number of calls is at least 0', 'give a "max", or a greater "min"'), path });
  }
  if (typeof times.min !== 'number' || typeof times.max !== 'number') return;
  if (times.min <= times.max) return;
  const message = `"min" (${times.min}) is greater than "max" (${times.max}): no number of calls can satisfy both`;
  report({ code: 'invalid-value', message, path });
}
