import path from 'node:path';
import type { AdapterContext } from '../../adapters/adapter-factory.ts';
import { adapterSecrets } from '../../adapters/adapter-secrets.ts';
import type { CallServices } from '../../models/call/call-services.ts';
import { createModelCaller, type ModelCaller } from '../../models/call/model-caller.ts';
import { createVoteCache, type VoteCache } from '../../models/call/vote-cache.ts';
import { createRedactor } from '../../secrets/redactor.ts';
import { openProjectCalls, type ProjectCallOptions, type ProjectCalls } from './project-calls.ts';
import { projectEnv } from './project-env.ts';

/** What teams and judges call models with, as the project configures them. */
export interface ProjectModels extends ProjectCalls, ModelServices, AsyncDisposable {}

export async function openProjectModels(
  options: ProjectCallOptions & {
    /** False: cached votes are ignored. */
    cache?: boolean | undefined;
  },
): Promise<ProjectModels> {
  const { project, cache } = options;
  const calls = openProjectCalls(options);
  const services = openModelServices({ project, env: projectEnv(project, options.env), cache, calls });
  return { ...calls, ...services, [Symbol.asyncDispose]: () => services.models.close() };
}

/** What calling models needs to know of a project. */
interface ModelProject {
  root: string;
  config: {
    adapters: AdapterContext['adapters'];
    recording: { mode: 'full' | 'metadata_only'; custom_redaction_patterns: readonly string[] };
    /** Relative to `root`. */
    storage_dir: string;
  };
}

/** What judges and teams call models with. */
interface ModelServices extends CallServices {
  models: ModelCaller;
  /** Null when no vote may be kept. */
  voteCache: VoteCache | null;
}

function openModelServices(options: {
  project: ModelProject;
  env: Record<string, string | undefined>;
  /** False: cached votes are ignored, and none is kept. */
  cache?: boolean | undefined;
  /** Shared with agents, which may call the same models. */
  calls: CallServices;
}): ModelServices {
  const { project, env, calls } = options;
  const { adapters, recording, storage_dir } = project.config;
  const context: AdapterContext = { root: project.root, adapters, env };
  // A vote's reasoning is text, which `metadata_only` does not allow to be kept.
  const mayKeep = (options.cache ?? true) && recording.mode === 'full';
  const redactor = createRedactor({
    customPatterns: recording.custom_redaction_patterns,
    secrets: adapterSecrets({ adapters, env }),
  });
  return {
    ...calls,
    models: createModelCaller({ context, ...calls }),
    voteCache: mayKeep
      ? createVoteCache({
          dir: path.resolve(project.root, storage_dir, 'judge-cache'),
          withoutSecrets: (value) => redactor.value(value),
          userKey: async () => (await import('../../models/call/user-key.ts')).readUserKey(env),
        })
      : null,
  };
}
