export {
  defineExtension,
  missingPackage,
  openDoors,
  packageOf,
  registerExtension,
} from '../extension/load-extension.ts';
