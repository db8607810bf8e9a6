export { codeContents, codeText } from '../app/code/code-contents.ts';
export { filesOfCases } from '../app/code/files-of-cases.ts';
export type { AgainstEnd } from '../app/compare/against.ts';
export { DOCUMENT_VERSIONS } from '../app/documents/document-kinds.ts';
export {
  fileWithNamed,
  isInside,
  isInstalled,
  mentionsWord,
  type NamedFile,
  ownFilesOfCommand,
} from '../app/project/named-files.ts';
export {
  hasWorkforce,
  openProject,
  openProjectIfStored,
  openProjectStore,
  projectRedactor,
  projectSecrets,
  type Stoppable,
  type Workplace,
} from '../app/project/open-project.ts';
export { projectEnv } from '../app/project/project-env.ts';
export { openProjectModels, type ProjectModels } from '../app/project/project-models.ts';
export { readTextFile } from '../app/project/read-text-file.ts';
export { deleteExperiment } from '../app/results/delete-results.ts';
export { adapterFromFolder } from '../app/selection/candidates.ts';
export { type ChosenEntry, entriesOfRun } from '../app/selection/choose-entries.ts';
export { scenarioDifference } from '../app/selection/resume-run.ts';
export type { RunFilesEvent } from '../app/selection/run-files-event.ts';
