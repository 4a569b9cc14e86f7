/** Not built yet. */
import { Page } from '../../ui/Page';

export function CompanyPage() {
  return (
    <Page title="CompanyPage">
      <p>Not built yet.</p>
    </Page>
  );
}
