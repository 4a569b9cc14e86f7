/** The secret of an endpoint, shown only now, with the lines of code that use it. */
import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { OneTimeSecretSheet } from '../../ui/OneTimeSecret';
import { Notice } from '../../ui/States';
import { Code } from '../../ui/Values';

const webhookLabels = labelsOf('webhook');
const copied = labelsOf('copied');

const labels = webhookLabels.secret;

const example = `import { webhooks } from '@heliograph/client';

// rawBody: the body as it came, before any parser.
const event = webhooks.verify(rawBody, request.headers, process.env.WEBHOOK_SECRET);
`;

export function SecretSheet({ secret, onClose }: { secret: string; onClose(): void }) {
  const [isKept, setKept] = useState(false);
  return (
    <OneTimeSecretSheet title={labels.title} done={labels.done} isKept={isKept} labels={labels} onClose={onClose}>
      <Notice tone="warn" title={labels.once} />
      <Code text={secret} what={labels.name} onCopied={() => setKept(true)} />
      <h3>{labels.verify}</h3>
      <Code text={example} what={copied.example} />
    </OneTimeSecretSheet>
  );
}
