import { dataFile } from '../../text/data-file.ts';

/** The question of a judge, with `{context_block}` for the material. */
export const JUDGE_USER_TEMPLATE = dataFile(import.meta.url, './templates/judge-user.md').trim();

/** Explains the fences around the material, with `{nonce}`. Added to whatever instructions there are. */
export const JUDGE_FENCE_TEMPLATE = dataFile(import.meta.url, './templates/judge-fence.md').trim();
