import { dirname } from 'node:path';
import { adapterTypeOf } from '../../adapters/adapter-name.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { memoByKey, once } from '../../text/memo.ts';
import { cutEnd } from '../../text/words/cut-text.ts';
import { didYouMean } from '../../text/words/did-you-mean.ts';
import { askedMessages } from '../../trace/message.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { pathText } from '../diagnostics/located-value.ts';
import type { Problem, Report } from '../diagnostics/problem.ts';
import { checkSchema } from '../diagnostics/schema-problems.ts';
import { DEFAULT_TIMEOUT_SECONDS, scenarioFieldsSchema } from '../schema/scenario-schema.ts';
import { checkAdapter } from './check-adapter.ts';
import type { AssertionSurroundings } from './check-assertion-fields.ts';
import { checkAssertions } from './check-assertions.ts';
import { checkExtras } from './check-extras.ts';
import { checkGates } from './check-gates.ts';
import { documentsWithTools } from './check-jmespath.ts';
import { checkPassRate, thresholdWarning } from './check-minimums.ts';
import { checkTools, toolsFromFile } from './check-tools.ts';
import { checkUser, TURNS_WITH_USER, withRebasedUser } from './check-user.ts';
import { inspectRubric } from './inspect-rubric.ts';
import type { CheckedScenario, ScenarioChecks } from './scenario-checks.ts';
import { adapterFromFile, servicesFromFile } from './written-path.ts';

/** The problem of a value that is clearly no scenario; null when it may be one. */
export function otherThanScenario(value: unknown): CheckedScenario | null {
  const otherKeys = isRecord(value) ? keysOfSomethingElse(value) : null;
  return otherKeys && { data: null, problems: [notAScenario(otherKeys)], diagnostics: [] };
}

/** Checks a scenario without data and lists all its problems. */
export function checkScenarioWithoutData(value: unknown, checks: ScenarioChecks): CheckedScenario {
  return otherThanScenario(value) ?? withShared(value, checks, (all) => checkOne(value, all));
}

/**
 * Checks a scenario together with the assertions of all scenarios, which come first. One with the id of an assertion of
 * the scenario is left out.
 */
export function withShared(
  value: unknown,
  checks: ScenarioChecks,
  check: (checks: ScenarioChecks) => CheckedScenario,
): CheckedScenario {
  const { shared } = checks;
  if (!shared || !isRecord(value)) return check(checks);
  const written: readonly unknown[] = Array.isArray(value.assertions) ? value.assertions : [];
  const ids = new Set<unknown>(written.flatMap((each) => (isRecord(each) && each.id !== undefined ? [each.id] : [])));
  const kept = shared.assertions.filter((each) => !isRecord(each) || !ids.has(each.id));
  const problems: Problem[] = [];
  const around = { ...assertionSurroundings(value, checks, []), fileAt: () => shared.file };
  const others = checkAssertions((problem) => problems.push(problem), kept, around);
  const checked = check({ ...checks, others });
  const named = problems.map(
    (problem): Problem => ({
      ...problem,
      message: `defaults.${pathText(problem.path)} of salvo.yaml: ${problem.message}`,
      ...{ path: [], at: 'key', offset: undefined },
    }),
  );
  const data = checked.data && { ...checked.data, assertions: [...others, ...checked.data.assertions] };
  return { ...checked, data, problems: [...checked.problems, ...named] };
}

/** Checks a scenario without data, or that of one row. */
export function checkOne(value: unknown, checks: ScenarioChecks): CheckedScenario {
  const withUser = isRecord(value) && value.user !== undefined ? { max_turns: TURNS_WITH_USER } : {};
  const given: unknown = isRecord(value) ? { ...withUser, ...checks.defaults, ...value } : value;
  const { data, problems: schemaProblems } = checkSchema(scenarioFieldsSchema, given);
  const problems: Problem[] = [...schemaProblems];
  const report: Report = (problem) => problems.push(problem);
  if (!isRecord(value)) return { data: null, problems, diagnostics: [] };

  checkConversation(report, value);
  if (value.user !== undefined) checkUser(report, value.user, checks);
  const fileAt = checks.fileAt ?? (() => checks.file);
  const { projectRoot, readRoot } = checks;
  checkTools(report, value.tools, { hasState: value.state !== undefined, fileAt, projectRoot, readRoot });
  checks.files?.check(report, value);
  checks.servers?.checkServers(report, value);
  checks.faults?.(report, value.tools);
  const adapter = typeof value.adapter === 'string' ? value.adapter : checks.defaultAdapter;
  checkScenarioAdapter(report, { value, adapter, checks });
  const type = adapterTypeOf(adapter, checks.adapterNames);
  checkExtras(report, { scenario: { ...checks.defaults, ...value }, isAiSdk: type === 'ai-sdk' });
  const diagnostics: Diagnostic[] = [];
  const assertions = checkAssertions(report, value.assertions, assertionSurroundings(value, checks, diagnostics));
  const { others = [] } = checks;
  const hasNone = value.assertions === undefined || (Array.isArray(value.assertions) && value.assertions.length === 0);
  if (hasNone && others.length === 0) {
    report({
      severity: 'warning',
      code: 'no-assertions',
      message: 'the scenario has no assertions: nothing is checked, and its trials have no score',
      path: value.assertions === undefined ? [] : ['assertions'],
      at: 'key',
    });
  }
  const all = [...assertions, ...others];
  const idle = thresholdWarning(value.threshold, all);
  if (idle) report({ ...idle, path: ['threshold'] });
  checkPassRate(report, value, { assertions: all });
  checkGates(report, value, { assertions: all, trials: value.trials ?? checks.defaults.trials });
  const adapterFile = checks.fileAt?.(['adapter']) ?? checks.file;
  const known = { names: checks.adapterNames, file: adapterFile, projectRoot: checks.projectRoot };
  const rebased = {
    ...(data?.adapter !== undefined && { adapter: adapterFromFile(data.adapter, known) }),
    ...(data?.user && { user: withRebasedUser(data.user, checks) }),
  };
  if (!data) return { data: null, problems, diagnostics };
  const written = { fileAt, file: checks.file };
  const services = data.services && { services: servicesFromFile(data.services, written) };
  const ofModules = toolsFromFile(data.tools, written);
  const tools = checks.servers?.withRebasedServers(ofModules, written) ?? ofModules;
  const named = { ...rebased, ...services, ...checks.files?.found(), tools };
  return { data: { ...data, ...named, assertions }, problems, diagnostics };
}

/** What the assertions of a scenario can refer to. Problems of rubric files are added to `diagnostics`. */
export function assertionSurroundings(
  value: Record<string, unknown>,
  checks: ScenarioChecks,
  diagnostics: Diagnostic[],
): AssertionSurroundings {
  const adapter = typeof value.adapter === 'string' ? value.adapter : checks.defaultAdapter;
  const type = adapterTypeOf(adapter, checks.adapterNames);
  const mayHaveOwnTools = type === undefined || ['exec', 'http', 'a2a', 'ag-ui', 'module', 'registered'].includes(type);
  return {
    tools: value.tools,
    hasState: value.state !== undefined,
    toolDocuments: once(() => documentsWithTools(value.tools)),
    mayHaveOwnTools,
    // Without an adapter of its own, the scenario may be for any agent: see `run --adapter` and matchers of tests.
    isModel: !mayHaveOwnTools && value.adapter !== undefined,
    turns: value.user === undefined ? turnsOf(value) : null,
    timeoutSeconds: timeoutOf(value) ?? timeoutOf(checks.defaults) ?? DEFAULT_TIMEOUT_SECONDS,
    file: checks.file,
    fileAt: checks.fileAt ?? (() => checks.file),
    projectRoot: checks.projectRoot,
    readRoot: checks.readRoot,
    adapterNames: checks.adapterNames,
    // A rubric that several assertions name is read once, and its problems are listed once.
    inspectRubric: memoByKey((file) => {
      const rubric = inspectRubric({ file, projectRoot: checks.readRoot });
      diagnostics.push(...rubric.diagnostics);
      return rubric;
    }),
    isCode: checks.isCode ?? false,
    texts: checks.texts,
  };
}

function turnsOf({ messages }: Record<string, unknown>): number {
  return Array.isArray(messages)
    ? askedMessages(messages.map((message) => (isRecord(message) ? message : {}))).length
    : 1;
}

function timeoutOf({ timeout_seconds: seconds }: Record<string, unknown>): number | undefined {
  return typeof seconds === 'number' ? seconds : undefined;
}

/** Only scenarios have these keys. Others, such as `name` and `tools`, are in many kinds of files. */
const TELLING_KEYS = ['prompt', 'system_prompt', 'messages', 'assertions', 'script', 'max_turns', 'on_unmocked'];
/** A suggestion takes time, and no scenario has so many keys. */
const MOST_KEYS = 100;

/** The keys of a file that is clearly no scenario, so that one message is enough; null when it may be one. */
function keysOfSomethingElse(value: Record<string, unknown>): string[] | null {
  const keys = Object.keys(value);
  const isTelling = (key: string) => didYouMean(key, TELLING_KEYS) !== undefined;
  const foreign = keys.filter((key) => !Object.hasOwn(scenarioFieldsSchema.shape, key));
  return foreign.length === 0 || keys.slice(0, MOST_KEYS).some(isTelling) ? null : foreign;
}

function notAScenario(keys: string[]): Problem {
  return {
    code: 'not-a-scenario',
    message: `this is not a scenario: it has no prompt and no assertions, but ${cutEnd(keys.slice(0, 5).join(', '), 120, '…')}`,
    hint: 'files and folders whose names begin with _ are left out when a folder is run',
    path: [],
  };
}

interface ScenarioAdapter {
  value: Record<string, unknown>;
  adapter: string;
  checks: ScenarioChecks;
}

function checkScenarioAdapter(report: Report, { value, adapter, checks }: ScenarioAdapter): void {
  const names = checks.adapterNames;
  const folder = dirname(checks.fileAt?.(['adapter']) ?? checks.file);
  checkAdapter(report, {
    name: value.adapter,
    names,
    folder,
    root: checks.projectRoot,
    readRoot: checks.readRoot,
    path: ['adapter'],
  });
  const type = adapterTypeOf(adapter, names);
  const isNamed = names.named.has(adapter);
  if (type === 'scripted' && !isNamed && value.script === undefined) {
    report({
      code: 'missing-script',
      message: `the adapter "scripted"${value.adapter === undefined ? ', which is the default here,' : ''} needs "script", which is missing`,
      hint: 'name your agent (adapter: ../agent.ts, openai, ...), or write its answers: script: [{content: "..."}]',
      path: value.adapter === undefined ? [] : ['adapter'],
    });
  }
  if (value.script !== undefined && type !== undefined && type !== 'scripted' && type !== 'registered') {
    report({
      severity: 'warning',
      code: 'unused-value',
      message: `"script" is only used by the scripted adapter, and this scenario uses "${adapter}"`,
      path: ['script'],
      at: 'key',
    });
  }
}

/** A scenario needs a task: a prompt, or messages that end with a user message. */
function checkConversation(report: Report, { prompt, messages, files, user, tools }: Record<string, unknown>): void {
  if (files !== undefined && messages !== undefined && prompt === undefined) {
    report({
      code: 'conflicting-keys',
      message: '"files" beside the prompt belong to it, and this scenario has messages',
      hint: 'write them at the message: {role: user, content: ..., files: [...]}',
      path: ['files'],
      at: 'key',
    });
  }
  if (prompt !== undefined && messages !== undefined) {
    report({
      code: 'conflicting-keys',
      message: 'a scenario has either prompt or messages',
      hint: 'write the prompt as the last entry of messages: {role: user, content: ...}',
      path: ['prompt'],
      at: 'key',
    });
  }
  const isServers = Array.isArray(tools) && tools.some((tool) => isRecord(tool) && tool.prompt !== undefined);
  if (prompt === undefined && messages === undefined && user === undefined && !isServers) {
    report({
      code: 'missing-key',
      message: 'the scenario has no task: "prompt", "messages" or "user" is missing',
      path: [],
      missing: ['prompt', 'messages', 'user'],
    });
  }
  // A simulated user goes on with whatever was said.
  if (!Array.isArray(messages) || messages.length === 0 || user !== undefined) return;
  const last: unknown = messages.at(-1);
  if (!isRecord(last) || (last.role !== 'assistant' && last.role !== 'tool_result')) return;
  report({
    code: 'invalid-value',
    message: messages.some((message) => isRecord(message) && message.role === 'user')
      ? 'the last message must be a user message: the agent answers it'
      : 'there is no user message for the agent to answer',
    path: ['messages', messages.length - 1],
  });
}
