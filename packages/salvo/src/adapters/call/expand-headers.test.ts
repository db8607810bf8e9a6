import { describe, expect, it } from 'vitest';
import { expandHeaders } from './expand-headers.ts';

describe('a header of salvo.yaml', () => {
  it('takes values from the environment, several in one if needed', () => {
    const headers = { Authorization: `Bearer \${TOKEN}`, 'X-Both': `\${A}-\${TOKEN}`, Plain: '$5 {x}' };
    expect(expandHeaders(headers, { TOKEN: 'abc', A: '1' })).toEqual({
      Authorization: 'Bearer abc',
      'X-Both': '1-abc',
      Plain: '$5 {x}',
    });
  });

  it('inserts a value unchanged: nothing in it is expanded again', () => {
    expect(expandHeaders({ H: `\${A}` }, { A: `\${B} $& $1`, B: 'no' })).toEqual({ H: `\${B} $& $1` });
  });

  it.each([{}, { TOKEN: '' }, { TOKEN: undefined }])('names the variable that is missing in %j', (env) => {
    expect(() => expandHeaders({ Authorization: `Bearer \${TOKEN}` }, env)).toThrow(
      expect.objectContaining({ kind: 'auth', message: expect.stringMatching(/Authorization.*TOKEN/) }),
    );
  });

  it('is empty when there are none', () => {
    expect(expandHeaders(undefined, {})).toEqual({});
  });
});
