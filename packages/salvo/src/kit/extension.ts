export type { SalvoExtension } from '../extension/extension.ts';
export {
  defineExtension,
  missingPackage,
  openDoors,
  packageOf,
  registerExtension,
} from '../extension/load-extension.ts';
