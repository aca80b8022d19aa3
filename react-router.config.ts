import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'app',
  ssr: true,
  // Pages hydrate one by one (handle.hydrate), so no manifest of all routes is ever asked for.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
