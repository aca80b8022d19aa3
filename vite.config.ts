import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';

export default defineConfig(({ command }) => ({
  plugins: [reactRouter()],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    // The floor is Chrome 109, the last for Windows 7: newer CSS is compiled away (design, section 4).
    target: 'chrome109',
    cssTarget: 'chrome109',
    assetsInlineLimit: 0,
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // One stylesheet for the whole product: fetched once, in cache for every further page.
          output: { codeSplitting: { groups: [{ name: 'styles', test: /\.css$/ }] } },
        },
      },
    },
    ssr: {
      build: {
        // server/ runs from its source: one copy of it serves the screens, the commands and the workers.
        rolldownOptions: { external: command === 'build' ? [/^#server\//] : [] },
      },
    },
  },
}));
