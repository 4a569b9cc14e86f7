/**
 * Verifies a webhook: body, three headers and a secret in, a verdict out. The gateway computes it and stores nothing.
 */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Select, TextArea, TextField } from '../../ui/Field';
import { Form, Panel } from '../../ui/Page';
import { FormFault, faultOf, Notice } from '../../ui/States';
import { useEndpoints } from './webhooks';

const webhookLabels = labelsOf('webhook');

const labels = webhookLabels.signature;
const typed = 'typed';

interface Verdict {
  valid: boolean;
  reason: string | null;
  skewSeconds: number | null;
}

export function SignatureTool() {
  const { data: endpoints = [] } = useEndpoints();
  const [fields, setFields] = useState({ body: '', id: '', timestamp: '', signature: '', secret: '' });
  const [endpoint, setEndpoint] = useState(typed);
  const check = useMutation({
    mutationFn: () => {
      const { secret, ...rest } = fields;
      const by = endpoint === typed ? { secret } : { endpointId: endpoint };
      return api.post('/webhooks/verify', { ...rest, ...by });
    },
  });
  const set = (changes: Partial<typeof fields>): void => {
    setFields({ ...fields, ...changes });
    check.reset();
  };
  const faultAt = (name: string): string | undefined => faultOf(check.error, name);
  return (
    <Panel>
      <p>{labels.what}</p>
      <Form label={labels.title} onSubmit={() => check.mutate()}>
        <FormFault error={check.error} />
        <TextArea
          label={labels.body}
          rows={5}
          value={fields.body}
          onChange={(body) => set({ body })}
          fault={faultAt('body')}
        />
        {(['id', 'timestamp', 'signature'] as const).map((name) => (
          <TextField
            key={name}
            label={labels[name]}
            value={fields[name]}
            onChange={(value) => set({ [name]: value })}
            fault={faultAt(name)}
            autoComplete="off"
            mono
          />
        ))}
        <TextField
          label={labels.secret}
          help={labels.secretHelp}
          value={fields.secret}
          onChange={(secret) => set({ secret })}
          fault={faultAt('secret')}
          autoComplete="off"
          mono
        />
        {endpoints.length > 0 && (
          <Select
            label={labels.endpoint}
            value={endpoint}
            onChange={(value) => {
              setEndpoint(value);
              check.reset();
            }}
            choices={[
              { value: typed, label: labels.typed },
              ...endpoints.map(({ endpointId, name }) => ({ value: endpointId, label: name })),
            ]}
          />
        )}
        <div>
          <Button look="primary" type="submit" isPending={check.isPending}>
            {labels.go}
          </Button>
        </div>
      </Form>
      <div role="status">
        {check.data !== undefined && (
          <Notice
            tone={check.data.data.valid ? 'ok' : 'bad'}
            title={check.data.data.valid ? labels.valid : (labels.why[check.data.data.reason ?? ''] ?? labels.invalid)}
          >
            <p>{check.data.detail}</p>
            {saysSkew(check.data.data) && <p>{labels.skew(check.data.data.skewSeconds ?? 0)}</p>}
          </Notice>
        )}
      </div>
    </Panel>
  );
}

/** If the time is wrong, the gateway's sentence already says so. */
function saysSkew({ reason, skewSeconds }: Verdict): boolean {
  return skewSeconds !== null && reason !== 'TIMESTAMP_TOO_OLD' && reason !== 'TIMESTAMP_TOO_NEW';
}
