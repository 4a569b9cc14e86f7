/** One address of each kind on either side of each boundary; the corpus has the disguised forms. */
import { describe, expect, it } from 'vitest';
import { isLoopback, mayDial, sameAddress } from './address-rules.ts';
import { relaxed, strict } from './net-fixture.ts';

const publicOnes = [
  ...['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ...['168.63.129.15', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255'],
  ...['192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
  ...['2001:200::', '2606:4700:4700::1111', '2a00:1450:4001::1', '3ffe::1', '2600:1f00::5efe:1', '2003::1'],
];
const privateOnes = ['10.0.0.1', '172.16.0.1', '192.168.255.255', '100.64.0.1', 'fc00::1', 'fd12::1'];
const loopbackOnes = ['127.0.0.1', '127.255.255.255', '::1'];
const neverOnes = [
  ...['0.0.0.0', '169.254.169.254', '192.0.0.1', '224.0.0.1', '255.255.255.255', '100.100.100.200', '168.63.129.16'],
  ...['::', '::ffff:1.1.1.1', '64:ff9b::101:101', '2002:101:101::', '2001::1', 'fe80::1', 'ff02::1', '1fff::1'],
  ...['4000::', '2600::5efe:101:101', '2600::200:5efe:101:101', 'fd00::5efe:a00:1', 'fd00:ec2::254'],
];

describe('mayDial', () => {
  it.each(publicOnes)('%s is public', (address) => {
    expect(mayDial(address, 80, strict)).toBe(true);
    expect(mayDial(address, 80, relaxed)).toBe(true);
  });

  it.each([...privateOnes, ...loopbackOnes])('%s only where private targets are allowed', (address) => {
    expect(mayDial(address, 80, strict)).toBe(false);
    expect(mayDial(address, 80, relaxed)).toBe(true);
  });

  it.each(neverOnes)('%s never', (address) => {
    expect(mayDial(address, 80, strict)).toBe(false);
    expect(mayDial(address, 80, relaxed)).toBe(false);
  });

  it.each(['', 'localhost', '127.1', '0x7f000001', '1.1.1.1 ', '2606:4700::1%eth0', '[::1]', '01.1.1.1', '1.1.1.1/32'])(
    '%j is not an address',
    (text) => expect(mayDial(text, 80, relaxed)).toBe(false),
  );

  it('never dials an address of this machine but loopback, however it is written', () => {
    const own = { ...relaxed, ownAddresses: ['93.184.216.34', '192.168.7.7', '2606:4700:0:0::7', '127.0.0.1'] };
    for (const address of ['93.184.216.34', '192.168.7.7', '2606:4700::7']) {
      expect(mayDial(address, 80, own)).toBe(false);
    }
    expect(mayDial('93.184.216.35', 80, own)).toBe(true);
    expect(mayDial('127.0.0.1', 80, own)).toBe(true);
  });

  it('never dials a port of this process on loopback', () => {
    const own = { ...relaxed, ownPorts: [8088] };
    for (const address of loopbackOnes) expect(mayDial(address, 8088, own)).toBe(false);
    expect(mayDial('127.0.0.1', 8089, own)).toBe(true);
    expect(mayDial('10.0.0.1', 8088, own)).toBe(true);
  });
});

describe('sameAddress', () => {
  it('compares addresses, not spellings', () => {
    expect(sameAddress('::1', '0:0:0:0:0:0:0:1')).toBe(true);
    expect(sameAddress('FD00::1', 'fd00::1')).toBe(true);
    expect(sameAddress('::ffff:127.0.0.1', '127.0.0.1')).toBe(false);
    expect(sameAddress('nowhere', 'nowhere')).toBe(false);
  });
});

it('isLoopback knows both families', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1'].every(isLoopback)).toBe(true);
  expect(['128.0.0.1', '::2', '::ffff:127.0.0.1', 'localhost', ''].some(isLoopback)).toBe(false);
});

it('a simulator is dialled at its own address and port only', () => {
  const policy = { ...strict, simulators: [{ address: '127.0.0.1', port: 8_087 }] };
  expect(mayDial('127.0.0.1', 8_087, policy)).toBe(true);
  for (const [address, port] of [
    ['127.0.0.1', 8_088],
    ['127.0.0.2', 8_087],
    ['10.0.0.1', 8_087],
    ['localhost', 8_087],
  ] as const)
    expect(mayDial(address, port, policy), address).toBe(false);
});
