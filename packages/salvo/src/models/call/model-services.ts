import path from 'node:path';
import type { AdapterContext } from '../../adapters/adapter-factory.ts';
import { adapterSecrets } from '../../adapters/adapter-secrets.ts';
import { createRedactor } from '../../secrets/redactor.ts';
import type { CallServices } from './call-services.ts';
import { createModelCaller, type ModelCaller } from './model-caller.ts';
import { createVoteCache, type VoteCache } from './vote-cache.ts';

/** What calling models needs to know of a project. */
export interface ModelProject {
  root: string;
  config: {
    adapters: AdapterContext['adapters'];
    recording: { mode: 'full' | 'metadata_only'; custom_redaction_patterns: readonly string[] };
    /** Relative to `root`. */
    storage_dir: string;
  };
}

/** What judges and teams call models with. */
export interface ModelServices extends CallServices {
  models: ModelCaller;
  /** Null when no vote may be kept. */
  voteCache: VoteCache | null;
}

export function openModelServices(options: {
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
          userKey: async () => (await import('./user-key.ts')).readUserKey(env),
        })
      : null,
  };
}
