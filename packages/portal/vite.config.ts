import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Static files with hashed names; nothing inline, so that the strict content security policy of the gateway holds. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
});
