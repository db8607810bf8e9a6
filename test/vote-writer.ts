import { createVoteCache } from '../packages/salvo/src/models/call/vote-cache.ts';

/** A process that writes one vote many times: `node vote-writer.ts <folder> <key> <score>`. */
const [dir = '', key = '', score = '0'] = process.argv.slice(2);
const cache = createVoteCache({ dir, withoutSecrets: (value) => value, userKey: async () => 'a key' });
for (let round = 0; round < 200; round += 1) {
  const reasoning = `${score} `.repeat(5000);
  await cache.set(key, {
    scores: { kind: { score: Number(score), reasoning } },
    input_tokens: 1,
    output_tokens: 1,
    repaired: false,
  });
  const read = await cache.get(key);
  if (!read) throw new Error('half a file was read');
}
