/** Not built yet. */
import { Page } from '../../ui/Page';

export function ComposePage() {
  return (
    <Page title="ComposePage">
      <p>Not built yet.</p>
    </Page>
  );
}
