export type { Door, Doors, SalvoExtension } from '../extension/extension.ts';
export {
  defineExtension,
  loadExtension,
  missingPackage,
  openDoor,
  openDoors,
  packageOf,
  registerExtension,
} from '../extension/load-extension.ts';
