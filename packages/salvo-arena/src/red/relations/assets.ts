import { dataFile, once } from 'salvo/kit/text';
import { z } from 'zod';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { SourceFile } from '../../iac/syntax/source-file.ts';
import { Reference } from './code.ts';
import type { Asset } from './draft.ts';

const assetTypeSchema = z.strictObject({
  terraform: z.string(),
  /** Absent where a template cannot name its ARN. */
  cloudformation: z.string().optional(),
  /** The attribute of `!GetAtt` with its ARN, or `Ref`. */
  attribute: z.string().default('Arn'),
  use: z.string(),
  delete: z.string(),
  /** AWS Backup can keep it. */
  backup: z.boolean().default(false),
});

const assetTypes = once(() => z.array(assetTypeSchema).parse(JSON.parse(dataFile(import.meta.url, './assets.json'))));

export interface FoundAsset extends Asset {
  isBackedUp: boolean;
}

/** The resources of a code that a role could be allowed to use. There is exactly one of each. */
export function assetsIn(files: readonly SourceFile[], language: CodeLanguage): FoundAsset[] {
  return files.flatMap((source) =>
    source.blocks.flatMap((block): FoundAsset[] => {
      const [type = '', name = ''] = block.labels;
      const found = assetTypes().find((one) => one[language] === type);
      const isOptional =
        block.attributes.some((one) => one.name === 'count' || one.name === 'for_each') ||
        block.settings.some((one) => one.name === 'Condition');
      if (block.type !== 'resource' || !found || isOptional) return [];
      const named = { kind: null, type, name };
      const arn = new Reference(named, 'arn', found.attribute);
      return [{ ...named, arn, use: found.use, remove: found.delete, isBackedUp: found.backup }];
    }),
  );
}
