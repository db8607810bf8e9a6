import { existsSync } from 'node:fs';
import type { Adapter } from '../../adapters/adapter.ts';
import type { AdapterContext } from '../../adapters/adapter-factory.ts';
import { adapterType, getAdapter } from '../../adapters/registry.ts';
import { createPricing } from '../../models/budget/prices.ts';
import { type Cassette, recordCassette, replayCassette } from '../../models/cassette/cassette.ts';
import { onCassette } from '../../models/cassette/cassette-adapter.ts';
import type { TrialOfCall } from '../../models/cassette/cassette-document.ts';
import { observedOnCassette } from '../../models/cassette/observed-on-cassette.ts';
import { readCassette } from '../../models/cassette/read-cassette.ts';
import type { RunCassettes } from '../../models/cassette/run-cassettes.ts';
import { calledModels, type DescribedScenario } from '../../run/conduct/prepare-scenario.ts';
import { type PlannedCase, trialNumberAt } from '../../run/record/planned-cases.ts';
import type { RunOptions } from '../../run/record/run-record.ts';
import { formatPlural } from '../../stats/format.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { shellQuote } from '../../text/output/quote-output.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import { projectRedactor } from '../project/open-project.ts';
import { projectEnv } from '../project/project-env.ts';
import { type CassetteChoice, chooseCassettes } from './choose-cassettes.ts';

/** The cassettes of a run that is about to begin. */
export interface OpenCassettes extends RunCassettes {
  /** What the record of the run says of them. */
  record: NonNullable<RunOptions['cassette']>;
  /** Whether there is no file, because nothing was recorded. */
  isEmpty(): boolean;
  /** To be called when the run is over. Returns what went wrong. */
  finish(): Promise<string[]>;
}

/** A scenario of the run, with the cases and trials that it is to have. */
export interface CassetteScenario {
  described: DescribedScenario;
  cases: readonly PlannedCase[];
  /** An agent that the caller made. */
  agent?: Adapter | undefined;
}

/**
 * Opens the cassettes that a run records or replays; null if it has none. Throws before anything is called if the run
 * cannot be recorded, or has more trials than were recorded.
 */
export async function openCassettes(
  choice: CassetteChoice & { scenarios: readonly CassetteScenario[]; recordOnly?: boolean | undefined },
): Promise<OpenCassettes | null> {
  const { project, env, scenarios } = choice;
  const context = { root: project.root, adapters: project.config.adapters, env: projectEnv(project, env) };
  const isModel = (name: string) => adapterType(name, context) !== 'scripted';
  const prepared = scenarios.map(({ described }) => described);
  const called = await calledModels({ prepared, project, recordOnly: choice.recordOnly });
  const adapters = [...new Set(called.map(({ adapter }) => adapter).filter(isModel))];
  const chosen = chooseCassettes({ ...choice, adapters });
  if (chosen === null) return null;
  const { record, fileOf, shown } = chosen;
  for (const scenario of scenarios) {
    if (isModel(scenario.described.adapterName) && fileOf(scenario.described.adapterName) !== null) {
      refuseOwnAgent(scenario, context);
    }
  }
  const cassettes = new Map<string, Cassette>();
  for (const file of chosen.files) cassettes.set(file, await openCassette(record.mode, file, shown(file)));
  const cassetteOf = (name: string): Cassette | null =>
    (isModel(name) ? cassettes.get(fileOf(name) ?? '') : null) ?? null;
  if (record.mode === 'replay')
    for (const scenario of scenarios) refuseMoreTrials(scenario, { cassetteOf, recordAgain });

  const pricing = createPricing(project.config.prices);
  const redactor = projectRedactor(project, env);
  function recordAgain(scenario: string): string {
    const file = scenarios.find(({ described }) => described.scenario.name === scenario)?.described.relativeFile;
    const option = record.file === null ? [] : ['--model-cassette', shellQuote(shown(record.file))];
    const trials = choice.options.trials === undefined ? [] : [`-n ${choice.options.trials}`];
    return [
      salvoCommand(),
      'run',
      ...(file ? [shellQuote(file)] : []),
      ...trials,
      ...option,
      '--cassettes record',
    ].join(' ');
  }
  const wrapped = (name: string, adapter: Adapter, judged?: TrialOfCall): Adapter => {
    const cassette = cassetteOf(name);
    if (cassette === null) return adapter;
    const isObserved = judged === undefined && adapter.observes === 'model';
    const wrap = isObserved ? observedOnCassette : onCassette;
    return wrap({ cassette, name, adapter, judged, redactor, pricing, recordAgain });
  };
  return {
    record,
    isEmpty: () => chosen.files.every((file) => !existsSync(file)),
    isReplayed: (name) => cassetteOf(name)?.mode === 'replay',
    agent: (name, adapter) => wrapped(name, adapter),
    judge: wrapped,
    async finish() {
      const planned = plannedTrials(scenarios);
      const problems = await Promise.all([...cassettes.values()].map((each) => each.finish(planned)));
      const absent = [...cassettes.keys()].filter((file) => !existsSync(file)).map(shown);
      const nothing = absent.length === 0 ? [] : [`No model was called, so ${absent.join(', ')} was not written.`];
      return [...(problems.flat().length === 0 ? nothing : []), ...problems.flat()];
    },
  };
}

async function openCassette(mode: Cassette['mode'], file: string, shown: string): Promise<Cassette> {
  // A file that cannot be read must not be overwritten by a recording either.
  const contents = await readCassette(file);
  if (mode === 'record') return recordCassette(file);
  if (contents === null) throw new SalvoError('CASSETTE_MISSING', `The cassette ${shown} does not exist.`);
  return { ...replayCassette(file, contents), file: shown };
}

/** The types of adapters behind which Salvo calls the model itself. */
const MODELS: ReadonlySet<string> = new Set(['openai', 'anthropic', 'ai-sdk', 'llama']);

function refuseOwnAgent(
  { described: { adapterName, relativeFile }, agent }: CassetteScenario,
  context: AdapterContext,
): void {
  const type = agent ? undefined : adapterType(adapterName, context);
  if (type !== undefined && MODELS.has(type)) return;
  const adapter = agent ?? (type === undefined ? undefined : getAdapter(adapterName, context));
  if (adapter?.isOneModelCall || adapter?.observes === 'model') return;
  throw new SalvoError(
    'OPTIONS_INVALID',
    `${relativeFile}: the agent "${adapterName}" calls its model itself, and only calls that pass through Salvo can be recorded and replayed. Write \`observe: model\` into its adapter in salvo.yaml, so that they do; or run this scenario without a cassette. To replay only its judge, leave out {option:modelCassette} and set \`cassette:\` of the judge's adapter in salvo.yaml.`,
  );
}

/** A trial that was never recorded would need a live call, or repeat another trial. */
function refuseMoreTrials(
  { described, cases }: CassetteScenario,
  { cassetteOf, recordAgain }: { cassetteOf: (name: string) => Cassette | null; recordAgain: (name: string) => string },
): void {
  const { adapterName: adapter, model, scenario, relativeFile } = described;
  const cassette = cassetteOf(adapter);
  if (cassette === null) return;
  for (const each of cases) {
    const recorded = cassette.recordedTrials({ scenario: scenario.name, case: each.name, adapter, model });
    const numbers = Array.from({ length: each.trials }, (_, position) => trialNumberAt(each, position));
    const missing = numbers.filter((number) => !recorded.has(number));
    if (missing.length === 0) continue;
    const ofCase = each.name === null ? '' : `, case "${each.name}"`;
    const has = recorded.size === 0 ? 'none' : `${recorded.size}`;
    throw new SalvoError(
      'CASSETTE_TRIALS_MISSING',
      `${relativeFile}${ofCase}: ${formatPlural(numbers.length, 'trial')} with ${adapter} ${model} are to be replayed, and the cassette ${cassette.file} has ${has}${recorded.size === 0 ? '' : ` (it lacks trial ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? '...' : ''})`}. Run fewer with {option:trials}, or record again: ${recordAgain(scenario.name)}`,
    );
  }
}

function plannedTrials(scenarios: readonly CassetteScenario[]): (of: TrialOfCall) => boolean {
  const planned = new Set(
    scenarios.flatMap(({ described: { scenario, adapterName, model }, cases }) =>
      cases.flatMap((each) =>
        Array.from({ length: each.trials }, (_, position) =>
          JSON.stringify([scenario.name, each.name, adapterName, model, trialNumberAt(each, position)]),
        ),
      ),
    ),
  );
  return (of) => planned.has(JSON.stringify([of.scenario, of.case, of.adapter, of.model, of.trial]));
}
