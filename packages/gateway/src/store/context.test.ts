import { describe, expect, it } from 'vitest';
import { createPositions } from './context.ts';

describe('createPositions', () => {
  it('gives each position in the log once, after the last one', () => {
    const positions = createPositions(10);
    expect([positions.next(), positions.next()]).toEqual([11, 12]);
  });

  it('begins a run at the start and when one is full, never an earlier one', () => {
    const positions = createPositions(0);
    expect(positions.run(4_000, 50)).toBe(50);
    expect(positions.run(95, 60)).toBe(50);
    expect(positions.run(1_000, 70)).toBe(50);
    expect(positions.run(1, 80)).toBe(80);
    expect(positions.run(9_000, 80)).toBe(80);
    expect(positions.run(1, 40)).toBe(80);
    expect(positions.run(1, 81)).toBe(81);
  });

  it('goes on with the run that another writer has begun, and with no older one', () => {
    const positions = createPositions(0);
    expect(positions.run(4_000, 50)).toBe(50);
    positions.goOn(7, 60);
    expect(positions.next()).toBe(8);
    expect(positions.run(4_000, 55)).toBe(60);
    positions.goOn(8, 40);
    expect(positions.run(50, 70)).toBe(60);
    expect(positions.run(50, 70)).toBe(60);
    expect(positions.run(1, 70)).toBe(70);
  });

  it('says once that a run has begun', () => {
    const positions = createPositions(0);
    expect(positions.begun()).toBe(false);
    positions.run(4_000, 50);
    expect([positions.begun(), positions.begun()]).toEqual([true, false]);
    positions.run(4_000, 60);
    expect(positions.begun()).toBe(false);
    positions.run(1, 70);
    expect(positions.begun()).toBe(true);
  });
});
