export { packageVersion } from '../app/code/agent-files.ts';
export { environmentOfCases } from '../app/code/environment-of-cases.ts';
export { filesOfCases } from '../app/code/files-of-cases.ts';
export {
  hasWorkerAccess,
  openProject,
  openProjectIfStored,
  openProjectStore,
  projectRedactor,
  projectSecrets,
  type Stoppable,
  type Workplace,
} from '../app/project/open-project.ts';
export { openProjectModels, type ProjectModels } from '../app/project/project-models.ts';
export { removeWork } from '../app/results/delete-results.ts';
export { loadProject, loadSettings } from '../scenario/load-project.ts';
