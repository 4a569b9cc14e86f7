/** How many elements a page styles anew while something happens on it: a count, so that a busy machine does not change it. */
import type { Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  args?: { elementCount?: number; beginData?: { frame?: string } };
}

/** Elements styled by `page` during `work`. A change that restyles a whole list counts all of it, each time. */
export async function restyledBy(page: Page, work: () => Promise<unknown>): Promise<number> {
  const context = page.context();
  const [session, ofPage] = await Promise.all([context.browser()!.newBrowserCDPSession(), context.newCDPSession(page)]);
  const { frameTree } = await ofPage.send('Page.getFrameTree');
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const isComplete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline'] },
  });
  try {
    await work();
  } finally {
    await session.send('Tracing.end');
    await isComplete;
    await Promise.all([session.detach(), ofPage.detach()]);
  }
  return events
    .filter(({ name, args }) => name === 'UpdateLayoutTree' && args?.beginData?.frame === frameTree.frame.id)
    .reduce((sum, { args }) => sum + (args?.elementCount ?? 0), 0);
}
