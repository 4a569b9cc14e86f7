/** The public API's call for what the page just did, as curl to copy. The two tokens stay placeholders. */
import { useMe } from '../api/session';
import { labelsOf } from '../language/labels';
import { CopyButton } from './Values';

const copyLabels = labelsOf('ui').copy;
const copied = labelsOf('copied');

export interface ApiCall {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** From `/api/v1` or `/SendSMS` on, with its query. */
  path: string;
  body?: unknown;
}

/** `$BEARER` and `$AUTH` are for the shell: double quotes around them, single quotes around everything else. */
export function curlOf(baseUrl: string, { method = 'GET', path, body }: ApiCall): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(baseUrl + path)}`,
    '-H "Authorization: Bearer $BEARER"',
    '-H "X-Api-Key: $AUTH"',
  ];
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** An icon that reports when it has copied. `label`: a button with this label, for a page with several requests. */
export function ApiRequest({ label, ...call }: ApiCall & { label?: string }) {
  const { baseUrl } = useMe();
  const shown = label === undefined ? { tool: copyLabels.request } : { label };
  return <CopyButton value={curlOf(baseUrl, call)} what={copied.apiRequest} {...shown} />;
}
