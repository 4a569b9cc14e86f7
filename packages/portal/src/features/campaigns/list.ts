/** The lists of campaigns and brands: search, and export as a table. Pure. */
import { csvText, momentCells } from '../../ui/csv';
import type { Brand, CampaignRow } from './campaigns';

export function campaignsLike(
  rows: readonly CampaignRow[],
  { search, status }: { search: string; status: string },
): CampaignRow[] {
  const wanted = search.trim().toLowerCase();
  return rows.filter(
    ({ campaignId, name, useCase, brandName, ...row }) =>
      `${name} ${campaignId} ${useCase} ${brandName ?? ''}`.toLowerCase().includes(wanted) &&
      (status === '' || row.status === status),
  );
}

export function campaignsCsv(rows: readonly CampaignRow[]): string {
  const head = ['campaign', 'name', 'status', 'use_case', 'brand', 'numbers', 'changed_utc', 'changed_local'];
  const lines = rows.map(({ campaignId, name, status, useCase, brandName, numbers, updatedAt }) => [
    ...[campaignId, name, status, useCase, brandName, numbers],
    ...momentCells(updatedAt),
  ]);
  return csvText([head, ...lines]);
}

export function brandsLike(rows: readonly Brand[], search: string): Brand[] {
  const wanted = search.trim().toLowerCase();
  return rows.filter(({ brandId, tcrId, legalName, displayName }) =>
    `${displayName} ${legalName} ${brandId} ${tcrId}`.toLowerCase().includes(wanted),
  );
}

export function brandsCsv(rows: readonly Brand[]): string {
  const head = ['brand', 'name', 'legal_name', 'kind', 'identity', 'score', 'open_rules'];
  const lines = rows.map(({ brandId, displayName, legalName, entityType, identityStatus, vettingScore, checks }) => [
    ...[brandId, displayName, legalName, entityType, identityStatus, vettingScore ?? ''],
    checks.filter(({ ok }) => !ok).length,
  ]);
  return csvText([head, ...lines]);
}
