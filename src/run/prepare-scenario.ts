import type { AdapterContext } from '../adapters/adapter-factory.ts';
import { createLimiter, type Limiter } from '../adapters/limiter.ts';
import { adapterLimits, adapterType, getAdapter, missingForAdapter } from '../adapters/registry.ts';
import { SalvoError } from '../salvo-error.ts';
import type { LoadedScenario } from '../scenario/load-scenario.ts';
import type { Project } from '../scenario/project-schema.ts';
import type { PreparedScenario } from '../trial/run-trial.ts';
import { mockTools } from '../trial/tool-mocks.ts';

/** Makes scenarios ready to run: their adapters, with limits shared by all that use the same one, and their tools. */
export function prepareScenarios(options: {
  loaded: LoadedScenario[];
  project: Project;
  env: Record<string, string | undefined>;
  /** Instead of what the scenarios and salvo.yaml say. */
  adapter?: string | undefined;
  model?: string | undefined;
}): PreparedScenario[] {
  const { project } = options;
  const limiters = new Map<string, Limiter>();
  return options.loaded.map(({ scenario, file, relativeFile, hash }): PreparedScenario => {
    const adapterName = options.adapter ?? scenario.adapter ?? project.config.default_adapter;
    const context: AdapterContext = {
      root: project.root,
      adapters: project.config.adapters,
      env: options.env,
      script: scenario.script,
    };
    const adapter = getAdapter(adapterName, context);
    refuseIfNotReady({ adapterName, context, file: relativeFile });
    const limiter = limiters.get(adapterName) ?? createLimiter(adapterLimits(adapterName, context));
    limiters.set(adapterName, limiter);
    return {
      scenario,
      file,
      relativeFile,
      hash,
      adapterName,
      model:
        options.model ??
        scenario.model ??
        project.config.default_model ??
        modelWithoutName({ type: adapterType(adapterName, context), adapterName, file: relativeFile }),
      adapter,
      limiter,
      tools: mockTools(scenario.tools),
    };
  });
}

/** A missing key or package would leave every trial unscored: better to say so before the first. */
function refuseIfNotReady(options: { adapterName: string; context: AdapterContext; file: string }): void {
  const missing = missingForAdapter(options.adapterName, options.context);
  if (missing === null) return;
  throw new SalvoError(
    'ADAPTER_NOT_READY',
    `${options.file}: the adapter "${options.adapterName}" cannot be used yet: ${missing}. \`salvo adapters\` lists what is missing.`,
  );
}

/** A whole agent chooses its own model and a script needs none; a provider has to be told. */
function modelWithoutName(options: { type: string | undefined; adapterName: string; file: string }): string {
  if (options.type === 'scripted') return 'scripted';
  if (options.type === 'openai' || options.type === 'anthropic' || options.type === 'ai-sdk') {
    throw new SalvoError(
      'MODEL_MISSING',
      `${options.file}: no model for the adapter "${options.adapterName}". Add \`model:\` to the scenario or \`default_model:\` to salvo.yaml, or use --model.`,
    );
  }
  return options.adapterName;
}
