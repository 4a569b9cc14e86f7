/** The secret of an endpoint, this once, with the lines of code that use it. */
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Notice } from '../../ui/States';
import { Code } from '../../ui/Values';
import { webhookWords } from '../../words/en/webhooks';

const words = webhookWords.secret;

const example = `import { webhooks } from '@heliograph/client';

// rawBody: the body as it came, before any parser.
const event = webhooks.verify(rawBody, request.headers, process.env.WEBHOOK_SECRET);
`;

export function SecretSheet({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <Dialog title={words.title} open onClose={onClose} urgent wide>
      <Notice tone="warn" title={words.once} />
      <Code text={secret} what={words.name} />
      <h3>{words.verify}</h3>
      <Code text={example} what="example" />
      <DialogActions>
        <Button look="primary" onPress={onClose}>
          {words.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
