import { dataFile, once } from 'salvo/kit/text';
import { compileLexicon } from './compile-lexicon.ts';
import { lexiconSchema } from './lexicon-schema.ts';
import { loadWordTable } from './word-table.ts';

/** The lexicon as it is written, which training compiles with other word tables. @internal */
export const loadLexiconFile = once(() => lexiconSchema.parse(JSON.parse(dataFile(import.meta.url, './lexicon.json'))));

/** The lexicon of the package; read when it is first needed. */
export const loadLexicon = once(() => compileLexicon(loadLexiconFile(), loadWordTable()));
