import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Diagnostic } from './diagnostic.ts';
import { DiagnosticsError } from './diagnostics-error.ts';
import { formatDiagnostics } from './format-diagnostics.ts';

const diagnostic: Diagnostic = {
  severity: 'error',
  code: 'unknown-key',
  message: 'unknown key "promt"',
  file: '/project/a.yaml',
  line: 12,
  column: 3,
  end_column: 8,
  source_line: '  promt: hi',
  hint: 'did you mean "prompt"?',
};
const text = (changes: Partial<Diagnostic>, color = false) =>
  formatDiagnostics([{ ...diagnostic, ...changes }], { format: 'text', color, cwd: '/project' });

test('the text has the position, the line with a caret, and the hint', () => {
  expect(text({})).toBe(
    [
      'a.yaml:12:3 error [unknown-key] unknown key "promt"',
      '  12 |   promt: hi',
      '     |   ^^^^^',
      '    did you mean "prompt"?',
      '',
    ].join('\n'),
  );
});

test('color is used only on request', () => {
  expect(text({}, true)).toContain('\u001b[');
  expect(text({})).not.toContain('\u001b[');
});

test('a file outside the working directory keeps its whole path', () => {
  expect(text({ file: '/elsewhere/b.yaml' })).toMatch(/^\/elsewhere\/b\.yaml:12:3 /);
});

test('the caret is under the right character, also after wide characters and tabs', () => {
  const [, line, caret] = text({ source_line: '\t日本: x', column: 6, end_column: 7 }).split('\n');
  expect(line).toBe('  12 |   日本: x');
  expect(caret).toBe('     |         ^');
});

test('a long line is cut around the caret', () => {
  const [, line, caret] = text({
    source_line: `${'a'.repeat(500)}HERE${'b'.repeat(500)}`,
    column: 501,
    end_column: 505,
  }).split('\n');
  expect(line?.length).toBeLessThan(140);
  expect(line?.slice(caret?.indexOf('^'), (caret?.indexOf('^') ?? 0) + 4)).toBe('HERE');
});

test('no control character of a file reaches the terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(300), (hostile, column) => {
      const shown = text({
        message: hostile,
        source_line: hostile.replaceAll('\n', ''),
        column: column + 1,
        hint: hostile,
      });
      expect(shown.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
    }),
  );
});

test('GitHub commands cannot be broken out of', () => {
  const shown = formatDiagnostics(
    [{ ...diagnostic, file: '/project/a,b:c%.yaml', message: '100%\r\n::error::x', hint: undefined }],
    {
      format: 'github',
      color: false,
      cwd: '/project',
    },
  );
  expect(shown).toBe(
    '::error file=a%2Cb%3Ac%25.yaml,line=12,col=3,endColumn=8,title=salvo unknown-key::100%25%0D%0A::error::x\n',
  );
});

test('JSON has the diagnostics unchanged', () => {
  const shown = formatDiagnostics([diagnostic], { format: 'json', color: true, cwd: '/project' });
  expect(JSON.parse(shown)).toEqual([{ ...diagnostic, file: 'a.yaml' }]);
});

test('the error for a file carries its diagnostics, their text, and the position of the first error', () => {
  const warning: Diagnostic = { ...diagnostic, severity: 'warning', line: 1 };
  const error = new DiagnosticsError([warning, diagnostic]);
  expect(error.diagnostics).toHaveLength(2);
  expect(error.message).toContain('a.yaml:12:3 error [unknown-key]');
  expect(error.location).toEqual({ file: '/project/a.yaml', line: 12, column: 3 });
});
