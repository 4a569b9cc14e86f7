/** Not built yet. */
import { Page } from '../../ui/Page';

export function CampaignPage() {
  return (
    <Page title="CampaignPage">
      <p>Not built yet.</p>
    </Page>
  );
}
