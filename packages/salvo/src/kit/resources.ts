export { exampleFolder } from '../text/modules/example-folder.ts';
export { openResources } from '../text/open-resources.ts';
