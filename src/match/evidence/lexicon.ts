import { readFileSync } from 'node:fs';
import { packageFile } from '../../app/package-file.ts';
import { compileLexicon } from './compile-lexicon.ts';
import type { Lexicon } from './compiled-lexicon.ts';
import { lexiconSchema } from './lexicon-schema.ts';

/** The lexicon of the package; read once, when it is first needed. */
export function loadLexicon(): Lexicon {
  lexicon ??= compileLexicon(
    lexiconSchema.parse(JSON.parse(readFileSync(packageFile('src/match/evidence/lexicon.json'), 'utf8'))),
  );
  return lexicon;
}

let lexicon: Lexicon | undefined;
