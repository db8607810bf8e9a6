import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Writes a GGUF file of a llama with random weights, 600 KB in size. It talks nonsense, byte by byte, but it loads,
 * samples and obeys a grammar like a real one: enough to try the adapter without downloading gigabytes.
 */
export function makeTinyGguf(path: string): void {
  const header = [
    Buffer.from('GGUF'),
    u32(3),
    u64(TENSORS.length),
    u64(METADATA.length),
    ...METADATA.flatMap(([key, value]) => [text(key), value]),
    ...tensorInfos(),
  ];
  writeFileSync(path, Buffer.concat([pad(Buffer.concat(header)), ...TENSORS.map(tensorData)]));
}

const EMBEDDING = 64;
const FEED_FORWARD = 128;
const LAYERS = 2;
const HEADS = 4;
const ALIGNMENT = 32;

const TOKEN_TYPE = { normal: 1, unknown: 2, control: 3, byte: 6 };
const TOKENS: [text: string, type: number][] = [
  ['<unk>', TOKEN_TYPE.unknown],
  ['<s>', TOKEN_TYPE.control],
  ['</s>', TOKEN_TYPE.control],
  ...Array.from({ length: 256 }, (_, byte): [string, number] => [
    `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
    TOKEN_TYPE.byte,
  ]),
  ['\u2581', TOKEN_TYPE.normal],
];

const CHAT_TEMPLATE =
  "{% for message in messages %}{{ '[' + message['role'] + ']' + message['content'] + '</s>' }}{% endfor %}{% if add_generation_prompt %}{{ '[assistant]' }}{% endif %}";

const METADATA: [key: string, value: Buffer][] = [
  ['general.architecture', stringValue('llama')],
  ['general.name', stringValue('tiny random llama')],
  ['llama.context_length', u32Value(4096)],
  ['llama.embedding_length', u32Value(EMBEDDING)],
  ['llama.block_count', u32Value(LAYERS)],
  ['llama.feed_forward_length', u32Value(FEED_FORWARD)],
  ['llama.attention.head_count', u32Value(HEADS)],
  ['llama.attention.head_count_kv', u32Value(HEADS)],
  ['llama.attention.layer_norm_rms_epsilon', f32Value(1e-5)],
  ['llama.rope.dimension_count', u32Value(EMBEDDING / HEADS)],
  ['llama.vocab_size', u32Value(TOKENS.length)],
  ['tokenizer.ggml.model', stringValue('llama')],
  [
    'tokenizer.ggml.tokens',
    arrayValue(
      8,
      TOKENS.map(([token]) => text(token)),
    ),
  ],
  [
    'tokenizer.ggml.scores',
    arrayValue(
      6,
      TOKENS.map(() => f32(0)),
    ),
  ],
  [
    'tokenizer.ggml.token_type',
    arrayValue(
      5,
      TOKENS.map(([, type]) => u32(type)),
    ),
  ],
  ['tokenizer.ggml.bos_token_id', u32Value(1)],
  ['tokenizer.ggml.eos_token_id', u32Value(2)],
  ['tokenizer.ggml.unknown_token_id', u32Value(0)],
  ['tokenizer.chat_template', stringValue(CHAT_TEMPLATE)],
];

const TENSORS: [name: string, shape: number[]][] = [
  ['token_embd.weight', [EMBEDDING, TOKENS.length]],
  ...Array.from({ length: LAYERS }, (_, layer): [string, number[]][] => [
    [`blk.${layer}.attn_norm.weight`, [EMBEDDING]],
    [`blk.${layer}.attn_q.weight`, [EMBEDDING, EMBEDDING]],
    [`blk.${layer}.attn_k.weight`, [EMBEDDING, EMBEDDING]],
    [`blk.${layer}.attn_v.weight`, [EMBEDDING, EMBEDDING]],
    [`blk.${layer}.attn_output.weight`, [EMBEDDING, EMBEDDING]],
    [`blk.${layer}.ffn_norm.weight`, [EMBEDDING]],
    [`blk.${layer}.ffn_gate.weight`, [EMBEDDING, FEED_FORWARD]],
    [`blk.${layer}.ffn_up.weight`, [EMBEDDING, FEED_FORWARD]],
    [`blk.${layer}.ffn_down.weight`, [FEED_FORWARD, EMBEDDING]],
  ]).flat(),
  ['output_norm.weight', [EMBEDDING]],
  ['output.weight', [EMBEDDING, TOKENS.length]],
];

function tensorInfos(): Buffer[] {
  let offset = 0;
  return TENSORS.map(([name, shape]) => {
    const info = Buffer.concat([text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset)]);
    offset += Math.ceil((size(shape) * 4) / ALIGNMENT) * ALIGNMENT;
    return info;
  });
}

function tensorData([name, shape]: [string, number[]]): Buffer {
  const random = randomOf(name);
  const isNorm = name.includes('norm');
  return pad(Buffer.concat(Array.from({ length: size(shape) }, () => f32(isNorm ? 1 : (random() - 0.5) * 0.4))));
}

/** Numbers from 0 to 1 that are the same for the same name. */
function randomOf(name: string): () => number {
  let state = [...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

function size(shape: number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}

function pad(buffer: Buffer): Buffer {
  return Buffer.concat([buffer, Buffer.alloc((ALIGNMENT - (buffer.length % ALIGNMENT)) % ALIGNMENT)]);
}

function u32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return buffer;
}

function f32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeFloatLE(value);
  return buffer;
}

function u64(value: number): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return buffer;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
}

function u32Value(value: number): Buffer {
  return Buffer.concat([u32(4), u32(value)]);
}

function f32Value(value: number): Buffer {
  return Buffer.concat([u32(6), f32(value)]);
}

function stringValue(value: string): Buffer {
  return Buffer.concat([u32(8), text(value)]);
}

function arrayValue(type: number, items: Buffer[]): Buffer {
  return Buffer.concat([u32(9), u32(type), u64(items.length), ...items]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) makeTinyGguf(process.argv[2] ?? 'model.gguf');
