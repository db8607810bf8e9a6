import path from 'node:path';
import type { AdapterContext } from '../../adapters/adapter-factory.ts';
import type { CallServices } from '../../models/call/call-services.ts';
import { createModelCaller } from '../../models/call/model-caller.ts';
import { createVoteCache } from '../../models/call/vote-cache.ts';
import type { RunCassettes } from '../../models/cassette/run-cassettes.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { projectRedactor } from './open-project.ts';
import { openProjectCalls, type ProjectCallOptions } from './project-calls.ts';
import { projectEnv } from './project-env.ts';

/** What teams and judges call models with, as the project configures them. */
export type ProjectModels = Awaited<ReturnType<typeof openProjectModels>>;

export async function openProjectModels(
  options: ProjectCallOptions & {
    /** False: cached votes are ignored. */
    cache?: boolean | undefined;
    cassettes?: RunCassettes | null | undefined;
  },
) {
  const { project, cache, cassettes } = options;
  const calls = openProjectCalls(options);
  const services = openModelServices({ project, env: projectEnv(project, options.env), cache, calls, cassettes });
  return { ...calls, ...services, [Symbol.asyncDispose]: () => services.models.close() };
}

/** What judges and teams call models with. */
function openModelServices(options: {
  project: Project;
  env: Record<string, string | undefined>;
  /** False: cached votes are ignored, and none is kept. */
  cache?: boolean | undefined;
  /** Shared with agents, which may call the same models. */
  calls: CallServices;
  cassettes?: RunCassettes | null | undefined;
}) {
  const { project, env, calls, cassettes } = options;
  const { adapters, recording, storage_dir } = project.config;
  const context: AdapterContext = { root: project.root, adapters, env };
  // A vote's reasoning is text, which `metadata_only` does not allow to be kept.
  // A vote from the cache would be missing on a cassette.
  const mayKeep = (options.cache ?? true) && recording.mode === 'full' && !cassettes;
  const redactor = projectRedactor(project, env);
  return {
    ...calls,
    models: createModelCaller({ context, ...calls, cassettes }),
    /** Null when no vote may be kept. */
    voteCache: mayKeep
      ? createVoteCache({
          dir: path.resolve(project.root, storage_dir, 'judge-cache'),
          withoutSecrets: (value) => redactor.value(value),
          userKey: async () => (await import('../../models/call/user-key.ts')).readUserKey(env),
        })
      : null,
  };
}
