import { promptsIn } from '../../../models/prompts.ts';
import { dataFolder } from '../../../text/data-file.ts';

/** The prompts of the Red Team. */
export const prompt = promptsIn<'engineer' | 'code' | 'architect' | 'selector' | 'writer' | 'reviewer'>(() =>
  dataFolder(import.meta.url, './prompts'),
);
