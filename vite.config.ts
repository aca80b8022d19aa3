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
    ssr: {
      build: {
        // server/ runs from its source: one copy of it serves the screens, the commands and the workers.
        rolldownOptions: { external: command === 'build' ? [/^#server\//] : [] },
      },
    },
  },
}));
