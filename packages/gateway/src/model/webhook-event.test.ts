import { describe, expect, it } from 'vitest';
import { eventId } from '../kernel/ids.ts';
import { deliveryId, readDeliveryId, readEventId } from './webhook-event.ts';

describe('deliveryId', () => {
  it.each([
    ['ep_01KQ0000000000000000000000', 1],
    ['orders.v2_test-1', 123_456_789_012_345],
  ])('of %s at %i is read back', (endpointId, position) => {
    expect(readDeliveryId(deliveryId(endpointId, position))).toEqual({ endpointId, position });
  });

  it.each([
    '',
    'dlv_',
    'dlv_1',
    'dlv_1_',
    'dlv_0_ep_1',
    'dlv_01_ep_1',
    'dlv_-1_ep_1',
    'dlv_1.5_ep_1',
    'dlv_1234567890123456_ep_1',
    'dlv_1_.ep',
    'dlv_1_ep 1',
    'dlv_1_ep\n',
    `dlv_1_${'e'.repeat(65)}`,
    'ep_1_1',
    ' dlv_1_ep_1',
  ])('is not read from %j', (garbage) => {
    expect(readDeliveryId(garbage)).toBeNull();
  });
});

describe('readEventId', () => {
  it('reads what eventId made', () => {
    const messageId = 'msg_01KQ0000000000000000000000';
    expect(readEventId(eventId(messageId, 12))).toEqual({ messageId, sequence: 12 });
  });

  it('takes an event about no message for itself', () => {
    const id = 'evt_01KQ0000000000000000000000';
    expect(readEventId(id)).toEqual({ messageId: id, sequence: 0 });
  });

  it.each([
    '',
    'evt_',
    'evt__1',
    'evt_A_',
    'evt_A_0',
    'evt_A_01',
    'evt_A_1234567890',
    'msg_A_1',
    'evt_a_1',
    'evt_A_1\n',
  ])('reads nothing from %j', (garbage) => {
    expect(readEventId(garbage)).toBeNull();
  });
});
