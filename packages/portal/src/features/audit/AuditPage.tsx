/** Not built yet. */
import { Page } from '../../ui/Page';

export function AuditPage() {
  return (
    <Page title="AuditPage">
      <p>Not built yet.</p>
    </Page>
  );
}
