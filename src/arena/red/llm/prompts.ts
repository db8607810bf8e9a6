import { z } from 'zod';
import { fillTemplate } from '../../../models/templates.ts';
import { dataFolder, fileOf } from '../../../text/data-file.ts';
import { STRATEGIES } from '../../game-settings.ts';

export type PromptName = 'engineer' | 'code' | 'architect' | 'selector' | 'writer' | 'reviewer' | 'repair';

let files: Readonly<Record<string, string>> | undefined;

/** One of the Red Team's prompts, filled in. Read when it is first needed: most games ask no model. */
export function prompt(name: PromptName, values: Readonly<Record<string, string>> = {}): string {
  return fillTemplate(text(`${name}.md`), values);
}

const phrasesSchema = z.strictObject({
  difficulty: z.record(z.enum(['easy', 'medium', 'hard']), z.string()),
  strategy: z.record(z.enum(STRATEGIES), z.strictObject({ count: z.int().positive(), text: z.string() })),
  source: z.record(z.enum(['catalogue', 'novel', 'mixed']), z.string()),
  language: z.record(z.enum(['terraform', 'cloudformation']), z.string()),
});

let phrases: z.infer<typeof phrasesSchema> | undefined;

/** What is said of a difficulty, a strategy, a source of flaws, a language. */
export function loadPhrases(): z.infer<typeof phrasesSchema> {
  phrases ??= phrasesSchema.parse(JSON.parse(text('phrases.json')));
  return phrases;
}

function text(file: string): string {
  files ??= dataFolder(import.meta.url, './prompts');
  return fileOf(files, file).trim();
}
