/** Not built yet. */
import { Page } from '../../ui/Page';

export function UsagePage() {
  return (
    <Page title="UsagePage">
      <p>Not built yet.</p>
    </Page>
  );
}
