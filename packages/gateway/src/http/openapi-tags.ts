/** Groups operations by path: one tag each. */

const groups = [
  {
    name: 'Messages',
    description: 'Send messages and see what became of them.',
    path: /^\/(SendSMS|api\/v1\/messages)/,
  },
  { name: 'Media', description: 'Upload what an MMS carries, read what one brought.', path: /^\/(api\/v1\/)?media/ },
  {
    name: 'Webhooks',
    description: 'Endpoints, what is sent to them, and the events themselves.',
    path: /^\/api\/v1\/(endpoints|deliveries|events)/,
  },
  { name: 'Opt-outs', description: 'Contacts that want no messages.', path: /^\/api\/v1\/opt-outs/ },
  { name: 'Usage', description: 'What is billed.', path: /^\/api\/v1\/usage/ },
  { name: 'Sandbox', description: 'Handsets and links that are simulated.', path: /^\/api\/v1\/sandbox/ },
  { name: 'Gateway', description: 'Limits, reasons, health; no credentials.', path: /^\/(?!api\/)/ },
];

export const tags = groups.map(({ name, description }) => ({ name, description }));

/** Of a path without a group: none, which a test refuses. */
export function tagOf(path: string): string | undefined {
  return groups.find((group) => group.path.test(path))?.name;
}
