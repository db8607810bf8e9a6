export { toolsFor } from './sdks/langchain.ts';
