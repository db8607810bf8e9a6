import { type ModelServices, openModelServices } from '../../models/call/model-services.ts';
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
