import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'app',
  ssr: true,
  // Pages hydrate one by one (handle.hydrate), so no manifest of all routes is ever asked for.
  routeDiscovery: { mode: 'initial' },
  // The origin of forms is checked by app/shell/protection.server.ts, on every route and with a page of its own; the
  // router's check would also refuse the school's own forms behind an https proxy.
  allowedActionOrigins: ['**'],
} satisfies Config;
