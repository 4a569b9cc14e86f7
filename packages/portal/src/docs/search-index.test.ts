import { describe, expect, it } from 'vitest';
import { addSections, createIndex, find, loadIndex, operationsOf, sectionsOf } from './search-index';

const pages = [
  {
    path: '/docs/webhooks',
    markdown: `# Webhooks

The gateway posts to **your** server. See [consent](consent.md).

## Check a \`signature\`

Verify before any parser.

\`\`\`js
function isGenuine() {}
\`\`\`

### Attempts, and waits

| wait | attempt |
|---|---|
| 5 s | 2 |
`,
  },
  { path: '/docs/consent', markdown: '# Consent\n\nSTOP and START. A webhook tells of it.\n' },
];
const index = createIndex(sectionsOf(pages));
const ids = (query: string) => find(index, query).map(({ id }) => id);

describe('sections', () => {
  it('are the parts between headings, without the marks of Markdown and without code', () => {
    expect(sectionsOf(pages)).toEqual([
      { id: '/docs/webhooks', page: 'Webhooks', heading: '', text: 'The gateway posts to your server. See consent.' },
      {
        id: '/docs/webhooks#check-a-signature',
        page: 'Webhooks',
        heading: 'Check a signature',
        text: 'Verify before any parser.',
      },
      {
        id: '/docs/webhooks#attempts-and-waits',
        page: 'Webhooks',
        heading: 'Attempts, and waits',
        text: 'wait attempt 5 s 2',
      },
      { id: '/docs/consent', page: 'Consent', heading: '', text: 'STOP and START. A webhook tells of it.' },
    ]);
  });
});

describe('the search', () => {
  it('wants all words, takes an unfinished one and a wrong letter, and ranks headings first', () => {
    expect(ids('signature')).toEqual(['/docs/webhooks#check-a-signature']);
    expect(ids('verify pars')).toEqual(['/docs/webhooks#check-a-signature']);
    expect(ids('signatrue')).toEqual(['/docs/webhooks#check-a-signature']);
    expect(ids('verify stop')).toEqual([]);
    expect(ids('consent')).toEqual(['/docs/consent', '/docs/webhooks']);
    expect(ids('webhook')).toContain('/docs/consent');
    expect(ids('isGenuine')).toEqual([]);
    expect(ids('')).toEqual([]);
  });

  it('finds the same in the index that was stored', () => {
    const stored = loadIndex(JSON.parse(JSON.stringify(index)));
    for (const query of ['signature', 'webhook', 'stop']) expect(find(stored, query)).toEqual(find(index, query));
    expect(find(stored, 'stop')[0]).toEqual({
      id: '/docs/consent',
      page: 'Consent',
      heading: '',
      excerpt: 'STOP and START. A webhook tells of it.',
    });
  });

  it('has each address once, and takes operations of the API', () => {
    const own = createIndex(sectionsOf([...pages, ...pages]));
    expect(own.documentCount).toBe(4);
    const operation = { operationId: 'sendSms', summary: 'Send a text', description: 'Needs the scope `send`.' };
    addSections(own, operationsOf({ paths: { '/SendSMS': { post: operation } } }));
    expect(find(own, 'sendsms')[0]).toEqual({
      id: '/docs/api#sendSms',
      page: 'API reference',
      heading: 'POST /SendSMS',
      excerpt: 'Send a text. Needs the scope send.',
    });
  });
});
