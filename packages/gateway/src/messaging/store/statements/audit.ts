/** SQL over the audit log. */
import type { AuditRow } from '../../../model/people-audit.ts';
import { statement } from '../../../store/query.ts';

const auditColumns = `position, account_id, user_id, what, body, hash`;

export const insertAudit = statement()(
  'insert_audit',
  { position: 'int', account_id: 'text', user_id: 'text', what: 'text', body: 'text', hash: 'text' },
  `insert into audit (${auditColumns})
   values (r.position, r.account_id, r.user_id, r.what, r.body, r.hash)`,
);

export const selectAuditHash = statement<{ hash: string }>()(
  'select_audit_hash',
  { position: 'int' },
  `select hash from audit where position = r.position`,
);

/** The entry that ends the bounded look. */
export const selectAuditEdge = statement<AuditRow>()(
  'select_audit_edge',
  { account_id: 'text', before: 'int', look: 'int' },
  `select ${auditColumns} from audit where account_id = r.account_id and position < r.before
   order by position desc limit 1 offset r.look`,
);

/** `target`: searched in the body only, because the number of scanned rows is limited. */
export const selectAudit = statement<AuditRow>()(
  'select_audit',
  {
    account_id: 'text',
    before: 'int',
    after: 'int',
    user_id: 'text',
    what: 'text',
    target: 'text',
    text: 'text',
    limit: 'int',
  },
  `select ${auditColumns} from audit where account_id = r.account_id and position < r.before and position > r.after
     and (r.user_id is null or user_id = r.user_id) and (r.what is null or what = r.what or what like r.what || '.%')
     and (r.target is null or replace(body, r.target, '') <> body)
     and (r.text is null or lower(body) like r.text escape '\\')
   order by position desc limit r.limit`,
);

export const selectAuditRows = statement<AuditRow>()(
  'select_audit_rows',
  { after: 'int', limit: 'int' },
  `select ${auditColumns} from audit where position > r.after order by position limit r.limit`,
);
