import { promptsIn } from '../../../models/ask/prompts.ts';
import { dataFolder } from '../../../text/modules/data-file.ts';

/** The prompts of the Blue Team. */
export const prompt = promptsIn<
  'analyst' | 'fence' | 'code' | 'report' | 'part' | 'known' | 'quotes' | 'ballot' | 'arguments'
>(() => dataFolder(import.meta.url, './prompts'));
