import { dataFile } from '../../text/data-file.ts';
import { compileLexicon } from './compile-lexicon.ts';
import type { Lexicon } from './compiled-lexicon.ts';
import { lexiconSchema } from './lexicon-schema.ts';

/** The lexicon of the package; read once, when it is first needed. */
export function loadLexicon(): Lexicon {
  lexicon ??= compileLexicon(lexiconSchema.parse(JSON.parse(dataFile(import.meta.url, './lexicon.json'))));
  return lexicon;
}

let lexicon: Lexicon | undefined;
