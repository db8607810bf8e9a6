import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseToolArguments } from './tool-arguments.ts';

describe('the arguments of a tool call', () => {
  it('are any JSON object, unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (value) => {
        const plain = JSON.parse(JSON.stringify(value));
        expect(parseToolArguments(JSON.stringify(value))).toEqual({ arguments: plain });
        expect(parseToolArguments(plain)).toEqual({ arguments: plain });
      }),
    );
  });

  it('are empty when the model sent nothing', () => {
    for (const nothing of [undefined, null, '']) expect(parseToolArguments(nothing)).toEqual({ arguments: {} });
  });

  it.each(['{', '{"a": 1', 'null', '"text"', '[]', '42', 'city=Rome', '\u0000', '{"a":1}}', '\ud800'])(
    'are kept as text when they are %j',
    (text) => {
      expect(parseToolArguments(text)).toEqual({ arguments: {}, raw_arguments: text });
    },
  );

  it('are kept as text when they are nested too deeply', () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(parseToolArguments(deep)).toEqual({ arguments: {}, raw_arguments: deep });
    expect(parseToolArguments(JSON.parse(deep)).arguments).toEqual({});
  });

  it.each(['{"city": "Rome", "city": "Oslo"}', '{"a": [{"b": 1, "b": 1}]}'])(
    'are kept as text when one object has a key twice: %s',
    (text) => {
      expect(parseToolArguments(text)).toEqual({ arguments: {}, raw_arguments: text });
    },
  );

  it('may have keys that are special in JavaScript, and change no prototype', () => {
    const { arguments: args } = parseToolArguments('{"__proto__": {"polluted": true}, "constructor": 1}');
    expect(Object.keys(args)).toEqual(['__proto__', 'constructor']);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('may be long', () => {
    const text = 'x'.repeat(10_000_000);
    expect(parseToolArguments(JSON.stringify({ text })).arguments.text).toHaveLength(text.length);
  });
});
