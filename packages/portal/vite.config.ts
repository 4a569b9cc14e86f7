import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * The portal's module is imported only after its labels; naming it in the page lets browsers fetch both at once. Only
 * the browser knows which labels it needs.
 */
const portalNamed: Plugin = {
  name: 'portal-named',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
      const first = chunks.filter(({ name, isDynamicEntry }) => isDynamicEntry && name === 'portal');
      const scripts = new Set(first.flatMap(({ fileName, imports }) => [fileName, ...imports]));
      const styles = new Set(first.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]));
      const link = (rel: string, file: string) =>
        ({ tag: 'link', attrs: { rel, crossorigin: true, href: `/${file}` }, injectTo: 'head' }) as const;
      const tags = [...scripts]
        .filter((file) => !html.includes(file))
        .map((file) => link('modulepreload', file))
        .concat([...styles].map((file) => link('stylesheet', file)));
      return { html, tags };
    },
  },
};

/** Static files with hashed names; nothing inline, so that the gateway's strict content security policy holds. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), portalNamed],
  worker: { format: 'es' },
  build: {
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    // The documentation's script is independent: its pages load nothing of the portal.
    rollupOptions: { input: { index: 'index.html', docs: 'src/docs/docs.ts' } },
  },
});
