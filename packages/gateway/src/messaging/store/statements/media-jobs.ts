/** SQL over media jobs and the deliveries that wait for them. */
import { statement } from '../../../store/query.ts';
import { type DeliveryRow, deliveryRow } from './deliveries.ts';

const request = { request_id: 'text' } as const;

export const insertMediaJobs = statement()(
  'insert_media_jobs',
  { ...request, account_id: 'text', due_at: 'int', expires_at: 'int', hosts: 'text' },
  `insert into media_jobs (request_id, account_id, due_at, tries, expires_at, hosts)
   select r.request_id, r.account_id, r.due_at, 0, r.expires_at, r.hosts from {rows} r`,
);

export const insertMmsDeliveries = statement()(
  'insert_mms_deliveries',
  { ...request, message_id: 'text', accepted_at: 'int' },
  `insert into mms_deliveries (request_id, message_id, accepted_at)
   select r.request_id, r.message_id, r.accepted_at from {rows} r`,
);

export interface MediaJobRow {
  request_id: string;
  account_id: string;
  /** `hostGroup` of the URLs. */
  hosts: string;
  due_at: number;
  media_urls: string;
  expires_at: number;
  tries: number;
}

/** The accounts with jobs, and the time of each one's earliest, by skipping from account to account in the index. */
export const selectMediaJobAccounts = statement<{ account_id: string; due_at: number }>()(
  'select_media_job_accounts',
  {},
  `with recursive hops (account_id) as (
     select min(account_id) from media_jobs
     union all
     select (select min(j.account_id) from media_jobs j where j.account_id > hops.account_id) from hops
     where hops.account_id is not null)
   select account_id, (select min(j.due_at) from media_jobs j where j.account_id = (hops.account_id)) as due_at
   from hops where account_id is not null`,
);

const dueJob = `select j.request_id, j.account_id, j.hosts, j.due_at, m.media_urls, j.expires_at, j.tries
   from media_jobs j join messages m on m.request_id = j.request_id`;

export const selectDueMediaJobs = statement<MediaJobRow>()(
  'select_due_media_jobs',
  { account_id: 'text', now: 'int', limit: 'int' },
  `${dueJob} where j.account_id = r.account_id and j.due_at <= r.now order by j.due_at, j.request_id limit r.limit`,
);

/** Groups of hosts among the jobs of an account, by name, by skipping in the index. */
export const selectMediaJobHosts = statement<{ hosts: string }>()(
  'select_media_job_hosts',
  { account_id: 'text', limit: 'int' },
  `with recursive hops (hosts, place) as (
     select min(hosts), 1 from media_jobs where account_id = r.account_id
     union all
     select (select min(j.hosts) from media_jobs j where j.account_id = r.account_id and j.hosts > hops.hosts),
       hops.place + 1 from hops
     where hops.hosts is not null and hops.place < r.limit)
   select hosts from hops where hosts is not null`,
);

export const selectDueMediaJobsOfHosts = statement<MediaJobRow>()(
  'select_due_media_jobs_of_hosts',
  { account_id: 'text', hosts: 'text', now: 'int', limit: 'int' },
  `${dueJob} where j.account_id = r.account_id and j.hosts = r.hosts and j.due_at <= r.now
   order by j.due_at, j.request_id limit r.limit`,
);

export const selectNextMediaJob = statement<{ due_at: number | null }>()(
  'select_next_media_job',
  {},
  'select min(due_at) as due_at from media_jobs',
);

/** The existing jobs, with the acceptance time of their messages. */
export const selectMediaJobs = statement<{ request_id: string; accepted_at: number; expires_at: number }>()(
  'select_media_jobs',
  request,
  `select j.request_id, m.accepted_at, j.expires_at from {rows} r, media_jobs j join messages m on m.request_id = j.request_id
   where j.request_id = r.request_id`,
);

/** The request of a delivery, with its acceptance time. */
export const selectRequestOf = statement<{ message_id: string; request_id: string; accepted_at: number }>()(
  'select_request_of_mms',
  { message_id: 'text' },
  `select d.message_id, d.request_id, m.accepted_at from {rows} r, deliveries d join messages m on m.request_id = d.request_id
   where d.message_id = r.message_id`,
);

export const delayMediaJobs = statement()(
  'delay_media_jobs',
  { ...request, due_at: 'int' },
  `update media_jobs set due_at = r.due_at, tries = tries + 1 from {rows} r where media_jobs.request_id = r.request_id`,
);

/** The job that a delivery waits for; none when its media are prepared, or when it has no media. */
export const selectMediaJobOf = statement<{ request_id: string; due_at: number }>()(
  'select_media_job_of',
  { message_id: 'text' },
  `select j.request_id, j.due_at from {rows} r, deliveries d join media_jobs j on j.request_id = d.request_id
   where d.message_id = r.message_id`,
);

/** Makes a job due now, as if it were new. */
export const restartMediaJobs = statement()(
  'restart_media_jobs',
  { ...request, now: 'int' },
  `update media_jobs set due_at = r.now, tries = 0 from {rows} r where media_jobs.request_id = r.request_id`,
);

export const deleteMediaJobs = statement()(
  'delete_media_jobs',
  request,
  `delete from media_jobs using {rows} r where media_jobs.request_id = r.request_id`,
);

export const selectMediaJobsBefore = statement<{ request_id: string }>()(
  'select_media_jobs_before',
  { now: 'int', limit: 'int' },
  `select request_id from media_jobs where expires_at <= r.now order by expires_at limit r.limit`,
);

export interface MmsDeliveryRow extends DeliveryRow {
  request_id: string;
}

/** Deliveries that may still be sent: queued, or held until a person decides. */
export const selectWaitingMms = statement<MmsDeliveryRow>()(
  'select_waiting_mms',
  request,
  `select ${deliveryRow}, d.request_id from {rows} r, mms_deliveries t join deliveries d on d.message_id = t.message_id
   where t.request_id = r.request_id and d.state in ('queued', 'held')`,
);

/** Ends the wait for media; the state stays. */
export const updateDue = statement()(
  'update_due_with_media',
  { message_id: 'text', now: 'int', due_at: 'int' },
  `update deliveries set due_at = r.due_at, updated_at = r.now from {rows} r
   where deliveries.message_id = r.message_id and deliveries.state || '' = 'queued'`,
  true,
);
