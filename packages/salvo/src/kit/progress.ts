export { databasePatience } from '../cli/terminal/database-patience.ts';
export { detached } from '../cli/terminal/detach.ts';
export { salvoCommand } from '../cli/terminal/process-terminal.ts';
export { createWorkProgress, type EventDisplay, type ProgressSettings } from '../cli/terminal/work-progress.ts';
