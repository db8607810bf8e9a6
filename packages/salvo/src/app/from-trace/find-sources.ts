import { basename, extname, resolve } from 'node:path';
import type { ImportedConversation } from '../../imports/import-format.ts';
import type { RunRecord, TrialHead } from '../../run/record/run-record.ts';
import type { SourceTrace } from '../../scenario/from-trace/source-trace.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import { createFieldReader } from '../imports/field-choice.ts';
import { openProjectStore } from '../project/open-project.ts';
import { isFile } from '../project/read-text-file.ts';
import { chooseTrial } from '../results/choose-trial.ts';
import { findTrials, type NamedTrials } from '../results/find-trials.ts';
import { sourceOfTrial } from './source-of-trial.ts';

export interface SourceSearch {
  project: Project;
  cwd: string;
  env: Record<string, string | undefined>;
  /** Trials, named as for `replayTrial`, or files with conversations. */
  targets: readonly string[];
  /** Of the files; by default each is recognised by its content. */
  format?: string | undefined;
  /** All trials of a run, and all conversations of a file. */
  isGroup: boolean;
  /** The scenario is about what went wrong in them. */
  isFailure: boolean;
}

export interface FoundSources {
  sources: SourceTrace[];
  notes: string[];
  /** What all of them are called together, if they are from one place. */
  name?: string | undefined;
}

/** More rows than this are no test that people read. */
const MOST_TRACES = 1000;

export async function findSources(search: SourceSearch): Promise<FoundSources> {
  const found: FoundSources = { sources: [], notes: [] };
  for (const target of search.targets) {
    const file = await conversationFile(target, search.cwd);
    const { sources, notes, name } = file ? await sourcesOfFile(file, search) : await sourcesOfStore(target, search);
    for (const source of sources) found.sources.push(source);
    found.notes.push(...notes);
    if (search.targets.length === 1) found.name = name;
    if (found.sources.length > MOST_TRACES) {
      const message = `${found.sources.length} conversations are too many for one scenario: at most ${MOST_TRACES}.`;
      throw new SalvoError('OPTIONS_INVALID', message);
    }
  }
  return found;
}

interface ConversationFile {
  name: string;
  /** Which of its conversations, from 1; null for all. */
  number: number | null;
}

/** Files of scenarios name trials, as in other commands. */
const SCENARIO_FILE = /\.(?:ya?ml|[cm]?[jt]s)$/;

async function conversationFile(target: string, cwd: string): Promise<ConversationFile | null> {
  const [, name = target, number] = /^(.*)#([1-9]\d{0,5})$/s.exec(target) ?? [];
  const isNamed = async (file: string) =>
    !SCENARIO_FILE.test(file) && (await isFile(resolve(cwd, file.replaceAll('\0', ''))));
  if (await isNamed(target)) return { name: target, number: null };
  return number !== undefined && (await isNamed(name)) ? { name, number: Number(number) } : null;
}

async function sourcesOfFile({ name, number }: ConversationFile, search: SourceSearch): Promise<FoundSources> {
  const { readConversations } = await import('./read-conversations.ts');
  const { cwd, isGroup, isFailure, format } = search;
  const most = number ?? (isGroup ? MOST_TRACES + 1 : 2);
  const { conversations: all, notes } = await readConversations(name, { cwd, format, most });
  const chosen = number === null ? (isGroup ? onePerCase(all, search) : all) : all.slice(number - 1, number);
  if (chosen.length === 0 && number === null) {
    throw new SalvoError('TRACES_MISSING', `No conversation of ${name} ${isFailure ? 'failed' : 'passed'}.`);
  }
  if (chosen.length === 0) {
    const has = all.length === 1 ? 'one conversation' : `${all.length} conversations`;
    throw new SalvoError('OPTIONS_INVALID', `${name} has ${has}, so there is no number ${number}.`);
  }
  if (chosen.length > 1 && !isGroup) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      `${name} has several conversations. Name one of them, such as ${name}#1, or make one scenario of all with {option:group}.`,
    );
  }
  const stem = basename(name, extname(name));
  const sources = chosen.map((conversation): SourceTrace => {
    const { trace, case: caseName, id } = conversation;
    const which = number ?? (all.length === 1 ? null : all.indexOf(conversation) + 1);
    const own = which === null ? '' : ` ${which}`;
    return {
      ...{ trace, scenario: null, failed: [] },
      origin: `${basename(name)}${own}`,
      name: caseName ?? (which === null ? null : id) ?? `${stem}${own}`,
    };
  });
  return { sources, notes, name: stem };
}

/** Of the conversations of a case with given outcomes, one that passed, or, if the scenario is about a failure, failed. */
function onePerCase(
  all: readonly ImportedConversation[],
  { isFailure }: Pick<SourceSearch, 'isFailure'>,
): readonly ImportedConversation[] {
  const given = createFieldReader({});
  const outcomes = all.map((each) => given.givenOf(each)?.passed ?? null);
  if (outcomes.every((passed) => passed === null)) return all;
  const fitting = all.filter((_, index) => outcomes[index] === !isFailure);
  const cases = new Map(fitting.toReversed().map((each) => [each.case ?? each, each]));
  return fitting.filter((each) => cases.get(each.case ?? each) === each);
}

async function sourcesOfStore(target: string, search: SourceSearch): Promise<FoundSources> {
  const { project, cwd, env, isGroup } = search;
  await using store = await openedStore(project, env);
  const named = await findTrials({ store: store.store, cwd, root: project.root, target });
  if (isGroup && named.kind !== 'trace' && named.kind !== 'trial') return await trialsOf(store.store, named, search);
  return await oneTrial(store.store, named, search);
}

async function openedStore(project: Project, env: SourceSearch['env']) {
  const store = await openProjectStore(project, { env, mustExist: true, readOnly: true });
  return { store, [Symbol.asyncDispose]: () => store.close() };
}

async function oneTrial(store: Store, named: NamedTrials, { isFailure }: SourceSearch): Promise<FoundSources> {
  const { run, trial, note } =
    named.kind === 'trace'
      ? { run: named.trial && (await store.getRun(named.trial.run_id)), trial: named.trial, note: null }
      : await chooseTrial(store, named);
  const traceId = named.kind === 'trace' ? named.traceId : (trial?.trace_id ?? '');
  const source = await sourceOfTrial(store, { traceId, run, trial });
  const hasFailed = source.status !== null && source.status !== 'passed' && source.status !== 'unscored';
  const notes = [
    ...(note === null ? [] : [note]),
    ...(hasFailed && !isFailure
      ? [
          `This trial failed. To make a test of what went wrong: \`${salvoCommand()} scenario from ... --failed "what was wrong"\`.`,
        ]
      : []),
  ];
  return { sources: [source], notes };
}

/** One trial of each case: one that passed, or, if the scenario is about a failure, one that failed. */
async function trialsOf(
  store: Store,
  named: Exclude<NamedTrials, { kind: 'trace' | 'trial' }>,
  { isFailure }: SourceSearch,
): Promise<FoundSources> {
  const run = await store.getRun(named.runId);
  if (!run) throw new SalvoError('RUN_UNKNOWN', `There is no run ${named.runId}.`);
  const chosen = new Map<string, TrialHead>();
  for await (const head of store.trialHeads(named.runId)) {
    if (head.trace_id === null || !isMeant(head, named)) continue;
    const isWanted = isFailure ? head.status !== 'passed' : head.status === 'passed';
    // An import without outcomes has neither.
    if (!isWanted && !(run.options.imported && head.status === 'unscored')) continue;
    const key = `${head.scenario_index} ${head.case_index}`;
    if (!chosen.has(key)) chosen.set(key, head);
  }
  if (chosen.size === 0) {
    const which = isFailure ? 'failed' : 'passed';
    throw new SalvoError('TRACES_MISSING', `No stored trial of run ${named.runId} that is meant ${which}.`);
  }
  const isOneScenario = new Set(chosen.values().map((head) => head.scenario_index)).size === 1;
  const sources = await Promise.all(
    [...chosen.values()].slice(0, MOST_TRACES + 1).map(async (head) => {
      const source = await sourceOfHead(store, run, head);
      return isOneScenario && head.case !== null ? { ...source, name: head.case } : source;
    }),
  );
  const [first] = chosen.values();
  const scenario = isOneScenario && first ? run.scenarios[first.scenario_index]?.name : undefined;
  return { sources, notes: [], name: scenario === undefined ? undefined : `${scenario} cases` };
}

function isMeant(head: TrialHead, named: Exclude<NamedTrials, { kind: 'trace' | 'trial' }>): boolean {
  if (named.kind === 'run') return true;
  if (head.scenario_index !== named.scenarioIndex) return false;
  return named.kind === 'scenario' || head.case === named.caseName;
}

async function sourceOfHead(store: Store, run: RunRecord, head: TrialHead): Promise<SourceTrace> {
  const { scenario_index: scenario, case_index, trial_number } = head;
  const trial = await store.getTrial(run.run_id, { scenario, case: case_index, trial: trial_number });
  return await sourceOfTrial(store, { traceId: head.trace_id ?? '', run, trial });
}
