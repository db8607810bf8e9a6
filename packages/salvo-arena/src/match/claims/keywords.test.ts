import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractKeywords } from './keywords.ts';

const nothing = { type: '', title: '', description: '' };

describe('the keywords of a claim', () => {
  it('come from type, title and description', () => {
    const claim = { type: 'access_control', title: 'Open bucket', description: 'The ACL is public' };
    expect([...extractKeywords(claim)]).toEqual(['acces', 'control', 'open', 'bucket', 'acl', 'public']);
  });

  it('do not come from resource or evidence', () => {
    const claim = { ...nothing, type: 'tls', resources: ['aws_lb.web'], evidence: 'protocol = HTTP' };
    expect([...extractKeywords(claim)]).toEqual(['tls']);
  });

  it('leave out stop words, words of any claim and single characters', () => {
    const claim = { ...nothing, title: "Ensure that the vulnerability isn't a resource's x", description: '0.0.0.0/0' };
    expect(extractKeywords(claim).size).toBe(0);
  });

  it('keep a number of several digits, such as a port', () => {
    expect([...extractKeywords({ ...nothing, title: 'Port 22 is open to 0' })]).toEqual(['port', '22', 'open']);
  });

  it('are the same for all forms of a word and all notations of a name', () => {
    expect(extractKeywords({ ...nothing, title: 'Encrypted at rest' })).toEqual(
      extractKeywords({ ...nothing, description: 'unencrypted rest, encryption of RESTS' }),
    );
    expect(extractKeywords({ ...nothing, type: 'server_side_encryption' })).toEqual(
      extractKeywords({ ...nothing, type: 'ServerSideEncryption' }),
    );
  });

  it('do not depend on case or on the position of a word', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('bucket', 'encryption', 'rest', 'the', 'policies', '22')), (words) => {
        const plain = extractKeywords({ ...nothing, title: words.join(' ') });
        const other = extractKeywords({ ...nothing, description: words.toReversed().join('_').toUpperCase() });
        expect(other).toEqual(plain);
      }),
    );
  });
});
