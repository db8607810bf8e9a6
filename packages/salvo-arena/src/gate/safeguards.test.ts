import { describe, expect, it } from 'vitest';
import { isSecure, type Safeguard, safeguards } from './safeguards.ts';

const guard = (id: string): Safeguard => {
  const found = safeguards().find((each) => each.id === id);
  if (!found) throw new Error(`there is no safeguard ${id}`);
  return found;
};

describe('the list of safeguards', () => {
  it('has each safeguard once, with phrases and paths', () => {
    const ids = safeguards().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, paths, says, secure } of safeguards()) {
      expect(
        paths.flat().every((name) => name !== ''),
        id,
      ).toBe(true);
      expect(says.length, id).toBeGreaterThan(0);
      expect(says.join(''), id).toBe(says.join('').toLowerCase());
      expect(Object.keys(secure).length, id).toBeGreaterThan(0);
    }
  });

  it('knows the secure value in both languages', () => {
    expect(isSecure(guard('encryption-at-rest'), true, false)).toBe(true);
    expect(isSecure(guard('encryption-at-rest'), 'true', false)).toBe(true);
    expect(isSecure(guard('encryption-at-rest'), false, false)).toBe(false);
    expect(isSecure(guard('canned-acl'), 'public-read', false)).toBe(false);
    expect(isSecure(guard('canned-acl'), 'Private', false)).toBe(true);
  });

  it('cannot decide about unknown values', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a part that is not known is written
    expect(isSecure(guard('public-access'), '${var.public}', false)).toBeNull();
  });

  it('distinguishes "off" from "too little"', () => {
    expect(isSecure(guard('backups'), 7, true)).toBe(true);
    expect(isSecure(guard('backups'), 7, false)).toBe(false);
    expect(isSecure(guard('backups'), 0, true)).toBe(false);
    expect(isSecure(guard('backups'), 35, false)).toBe(true);
  });

  it('knows which policies of TLS allow old versions', () => {
    expect(isSecure(guard('tls-version'), 'ELBSecurityPolicy-TLS13-1-2-2021-06', false)).toBe(true);
    expect(isSecure(guard('tls-version'), 'ELBSecurityPolicy-TLS13-1-0-2021-06', false)).toBe(false);
    expect(isSecure(guard('tls-version'), 'ELBSecurityPolicy-2016-08', false)).toBe(false);
    expect(isSecure(guard('tls-version'), 'TLSv1.2_2021', false)).toBe(true);
  });
});
