import { promptsIn } from 'salvo/kit/models';
import { dataFolder } from 'salvo/kit/text';

/** The prompts of the Blue Team. */
export const prompt = promptsIn<
  'analyst' | 'fence' | 'code' | 'report' | 'part' | 'known' | 'quotes' | 'ballot' | 'arguments'
>(() => dataFolder(import.meta.url, './prompts'));
