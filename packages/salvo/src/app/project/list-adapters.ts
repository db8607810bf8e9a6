import { describeAdapters } from '../../adapters/availability.ts';
import type { AdapterList } from '../../report/adapters-report.ts';
import { loadProject } from '../../scenario/load-project.ts';
import { endingModels } from './ending-models.ts';
import type { Workplace } from './open-project.ts';
import { projectEnv } from './project-env.ts';

/** The adapters that the project around a folder can use, and what the others lack. */
export async function listAdapters({ cwd = process.cwd(), env = process.env }: Workplace): Promise<AdapterList> {
  const project = await loadProject(cwd);
  const { root, config } = project;
  const { default_adapter, judge, adapters } = config;
  return {
    default_adapter,
    judge: { adapter: judge.adapter, model: judge.model, k: judge.mode === 'decide' ? 1 : judge.k, mode: judge.mode },
    ending_models: endingModels(project),
    adapters: await describeAdapters({ root, adapters, env: projectEnv(project, env) }),
  };
}
