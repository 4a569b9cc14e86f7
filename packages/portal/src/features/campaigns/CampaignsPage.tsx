/** Not built yet. */
import { Page } from '../../ui/Page';

export function CampaignsPage() {
  return (
    <Page title="CampaignsPage">
      <p>Not built yet.</p>
    </Page>
  );
}
