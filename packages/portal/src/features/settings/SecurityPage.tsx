/** Not built yet. */
import { Page } from '../../ui/Page';

export function SecurityPage() {
  return (
    <Page title="SecurityPage">
      <p>Not built yet.</p>
    </Page>
  );
}
