/** Runs a request again as a dry run: its JSON is editable, and the answer is shown as programs get it. Never sends. */

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api } from '../../api/client';
import type { BodyOf } from '../../api/typed';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { TextArea } from '../../ui/Field';
import { Form, Panel, Row } from '../../ui/Page';
import { FormFault, Notice } from '../../ui/States';
import { Code } from '../../ui/Values';

const requestsLabels = labelsOf('requests');

const labels = requestsLabels.replay;
const rows = 12;

export interface Replay {
  body: unknown;
  /** Texts that were not stored. */
  texts: number;
  isCut: boolean;
}

export function DryRun({ of, onClose }: { of: Replay; onClose(): void }) {
  const [text, setText] = useState(() => JSON.stringify(of.body, null, 2));
  const [fault, setFault] = useState<string | undefined>();
  const run = useMutation({ mutationFn: answerTo });
  const go = (): void => {
    try {
      const body: unknown = JSON.parse(text);
      setFault(undefined);
      run.mutate(body);
    } catch (error) {
      setFault(labels.notJson((error as Error).message));
    }
  };
  return (
    <Panel title={labels.title} id="replay">
      <p>{labels.what}</p>
      {of.texts > 0 && <Notice tone="warn" title={labels.fillIn} />}
      {of.isCut && <Notice tone="warn" title={labels.cut} />}
      <Form label={labels.title} onSubmit={go}>
        <TextArea label={labels.body} rows={rows} value={text} onChange={setText} fault={fault} />
        <FormFault error={run.error} />
        <Row>
          <Button type="submit" look="primary" isPending={run.isPending}>
            {labels.go}
          </Button>
          <Button onPress={onClose}>{requestsLabels.one.close}</Button>
        </Row>
      </Form>
      <div role="status">{run.data !== undefined && <Code text={run.data} what={labels.answer} />}</div>
    </Panel>
  );
}

/** Status, id and envelope; throws when the gateway is unreachable. */
async function answerTo(written: unknown): Promise<string> {
  try {
    // As typed: the gateway decides whether it is a valid request.
    const body = written as BodyOf<'POST', '/send'>;
    return shown(200, null, await api.post('/send', body, { query: { dryRun: true } }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) throw error;
    const { status, requestId, reason, message: detail } = error;
    return shown(status, requestId, { success: false, reason, detail });
  }
}

function shown(status: number, requestId: string | null, envelope: unknown): string {
  const id = requestId === null ? '' : `\nX-Request-Id: ${requestId}`;
  return `HTTP/1.1 ${status}${id}\n\n${JSON.stringify(envelope, null, 2)}`;
}
