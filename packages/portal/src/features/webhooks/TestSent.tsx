/** What became of a test event, from the moment it was asked for: never a promise that stands beside its failure. */
import { Link } from '@tanstack/react-router';
import type { Delivery } from '../../api/routes/deliveries';
import type { Endpoint } from '../../api/routes/endpoints';
import { labelsOf } from '../../language/labels';
import { Notice } from '../../ui/States';
import { testState, useDeliveries } from './webhooks';

const webhookWords = labelsOf('webhook');

const words = webhookWords.test;

/** `detail`: what the gateway said when it took it. */
export function TestSent({ of: { endpointId }, eventId, detail }: { of: Endpoint; eventId: string; detail: string }) {
  const asked = { endpoint: endpointId, state: '', type: '', period: '', before: '', q: eventId };
  const delivery = useDeliveries(asked).data?.data[0];
  const state = testState(delivery);
  if (delivery === undefined || state === 'on its way') return <Notice tone="info" title={detail} />;
  const { deliveryId, lastStatus } = delivery;
  return (
    <Notice
      tone={state === 'arrived' ? 'ok' : 'bad'}
      title={state === 'arrived' ? words.arrived(lastStatus) : words.failed(lastStatus)}
    >
      {again(delivery)}{' '}
      <Link to="/webhooks/$endpointId/deliveries/$deliveryId" params={{ endpointId, deliveryId }}>
        {words.look}
      </Link>
    </Notice>
  );
}

function again({ state }: Delivery): string {
  return state === 'waiting' ? words.again : '';
}
